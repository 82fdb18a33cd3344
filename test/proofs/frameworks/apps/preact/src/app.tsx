import { useState } from 'preact/hooks';
import 'pay-checkout/define';
import 'pay-checkout/preact';

const query = new URLSearchParams(location.search);

export function App() {
  const [paidOrder, setPaidOrder] = useState('');
  return (
    <>
      <pay-checkout
        relay="http://localhost:8787"
        order-token={query.get('token') ?? ''}
        onpay-succeeded={(event) => {
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
void (<pay-checkout theme="neon" />);
