import { createSignal, type JSX } from 'solid-js';
import { render } from 'solid-js/web';
import type { PayCheckout, PaySucceededEvent } from 'pay-checkout';
import 'pay-checkout/define';

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': HTMLAttributes<PayCheckout> & {
        relay?: string;
        'order-token'?: string;
        theme?: PayCheckout['theme'];
        'on:pay-succeeded'?: (event: PaySucceededEvent) => void;
      };
    }
  }
}

const asked = new URLSearchParams(location.search);

function Checkout(): JSX.Element {
  const [heard, setHeard] = createSignal('');
  return (
    <>
      <pay-checkout
        relay={asked.get('relay') ?? ''}
        order-token={asked.get('token') ?? ''}
        on:pay-succeeded={(event) => {
          // @ts-expect-error: an order has no such field
          void event.order.nothing;
          setHeard(event.order.request_id);
        }}
      />
      <output id="heard">{heard()}</output>
    </>
  );
}

// @ts-expect-error: no theme of this name
void (() => <pay-checkout theme="neon" />);

const root = document.getElementById('app');
if (root) render(() => <Checkout />, root);
