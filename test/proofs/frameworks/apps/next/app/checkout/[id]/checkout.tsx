'use client';

import { useState } from 'react';
import { PayCheckout } from 'pay-checkout/react';

export function Checkout({ relay, token }: { relay: string; token: string }) {
  const [paidOrder, setPaidOrder] = useState('');
  return (
    <>
      <PayCheckout
        relay={relay}
        orderToken={token}
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
