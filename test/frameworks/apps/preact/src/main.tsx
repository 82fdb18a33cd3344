import { render, type HTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import type { PayCheckout, PaySucceededEvent } from 'pay-checkout';
import 'pay-checkout/define';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': HTMLAttributes<PayCheckout> & {
        relay?: string;
        'order-token'?: string;
        theme?: PayCheckout['theme'];
        'onpay-succeeded'?: (event: PaySucceededEvent) => void;
      };
    }
  }
}

const query = new URLSearchParams(location.search);

function Checkout() {
  const [paidOrder, setPaidOrder] = useState('');
  return (
    <>
      <pay-checkout
        relay={query.get('relay') ?? ''}
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

const root = document.getElementById('app');
if (root) render(<Checkout />, root);
