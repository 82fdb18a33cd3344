/** The types of the tag `<pay-checkout>` in JSX. */
import type { HTMLAttributes, Ref } from 'react';
import type { ElementAttributes, ElementHandlers } from '../attributes.js';
import type { PayCheckout } from '../pay-checkout.js';

/**
 * React 19 calls a handler such as `onpay-succeeded`, but not on an element that a server rendered.
 * React 18 never calls it on a custom element. `<PayCheckout>` attaches its own listeners instead.
 */
export type PayCheckoutAttributes = HTMLAttributes<PayCheckout> &
  ElementAttributes &
  ElementHandlers<'on'> & {
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
