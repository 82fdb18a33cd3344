/** The types of the tag `<pay-checkout>` in JSX. */
import type { HTMLAttributes, Ref } from 'react';
import type { ElementAttributes } from '../attributes.js';
import type { PayCheckout } from '../pay-checkout.js';

export type PayCheckoutAttributes = HTMLAttributes<PayCheckout> &
  ElementAttributes & {
    ref?: Ref<PayCheckout> | undefined;
    class?: string | undefined;
  };

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- React's types declare it
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': PayCheckoutAttributes;
    }
  }
}
