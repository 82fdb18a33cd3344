'use client';

import { useState } from 'react';
import { PayCheckout } from 'pay-checkout/react';

export function Checkout({ relay, token }: { relay: string; token: string }) {
  const [heard, setHeard] = useState('');
  return (
    <>
      <PayCheckout
        relay={relay}
        orderToken={token}
        onPaySucceeded={(event) => {
          // @ts-expect-error: an order has no such field
          void event.order.nothing;
          setHeard(event.order.request_id);
        }}
      />
      <output id="heard">{heard}</output>
    </>
  );
}
