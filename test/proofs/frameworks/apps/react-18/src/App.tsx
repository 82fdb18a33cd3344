import { useState } from 'react';
import { PayCheckout } from 'pay-checkout/react';

const query = new URLSearchParams(location.search);

export default function App() {
  const [paidOrder, setPaidOrder] = useState('');
  return (
    <>
      <PayCheckout
        relay="http://localhost:8787"
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
