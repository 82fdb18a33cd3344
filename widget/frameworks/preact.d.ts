/** `pay-checkout/preact`: the tag in the JSX of Preact. */
import type { HTMLAttributes } from 'preact';
import type { ElementAttributes, ElementHandlers, ElementProperties } from '../attributes.js';
import type { PayCheckout } from '../pay-checkout.js';

export type PayCheckoutAttributes = HTMLAttributes<PayCheckout> &
  ElementAttributes &
  ElementHandlers<'on'> &
  ElementProperties;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': PayCheckoutAttributes;
    }
  }
}
