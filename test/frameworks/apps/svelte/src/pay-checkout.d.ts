import type { HTMLAttributes } from 'svelte/elements';
import type { PayCheckout, PaySucceededEvent } from 'pay-checkout';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'pay-checkout': HTMLAttributes<PayCheckout> & {
      relay?: string;
      'order-token'?: string;
      theme?: PayCheckout['theme'];
      'onpay-succeeded'?: (event: PaySucceededEvent) => void;
    };
  }
}
