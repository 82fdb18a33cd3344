import { createSignal, type JSX } from 'solid-js';
import 'pay-checkout/define';
import 'pay-checkout/solid';

const query = new URLSearchParams(location.search);

export default function App(): JSX.Element {
  const [paidOrder, setPaidOrder] = createSignal('');
  return (
    <>
      <pay-checkout
        relay="http://localhost:8787"
        order-token={query.get('token') ?? ''}
        on:pay-succeeded={(event) => {
          // @ts-expect-error: an order has no such field
          void event.order.nothing;
          setPaidOrder(event.order.request_id);
        }}
      />
      <output id="paid-order">{paidOrder()}</output>
    </>
  );
}

// @ts-expect-error: no theme of this name
void (() => <pay-checkout theme="neon" />);
