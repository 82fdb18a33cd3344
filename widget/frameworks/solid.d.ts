/** `pay-checkout/solid`: the tag in the JSX of Solid. */
import type { JSX } from 'solid-js';
import type { ElementAttributes, ElementHandlers, ElementProperties } from '../attributes.js';
import type { PayCheckout } from '../pay-checkout.js';

export type PayCheckoutAttributes = JSX.HTMLAttributes<PayCheckout> &
  ElementAttributes &
  ElementHandlers<'on:'> &
  ElementProperties;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': PayCheckoutAttributes;
    }
  }
}
