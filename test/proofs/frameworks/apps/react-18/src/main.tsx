import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PayCheckout } from 'pay-checkout/react';

const query = new URLSearchParams(location.search);

function Checkout() {
  const [paidOrder, setPaidOrder] = useState('');
  return (
    <>
      <PayCheckout
        relay={query.get('relay') ?? ''}
        orderToken={query.get('token') ?? ''}
        onPaySucceeded={(event) => {
          // @ts-expect-error: an order has no such field
          void event.order.nothing;
          setPaidOrder(event.order.request_id);
        }}
      />
      <output id="paid-order">{paidOrder}</output>
    </>
  );
}

// @ts-expect-error: no theme of this name
void (<PayCheckout theme="neon" />);
// the tag itself has types too
void (<pay-checkout order-token="eyJ" />);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Checkout />
    </StrictMode>,
  );
