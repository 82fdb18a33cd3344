/** `pay-checkout/svelte`: the tag in a component of Svelte 5. */
import type { HTMLAttributes } from 'svelte/elements';
import type { ElementAttributes, ElementHandlers, ElementProperties } from '../attributes.js';
import type { PayCheckout } from '../pay-checkout.js';

export type PayCheckoutAttributes = HTMLAttributes<PayCheckout> &
  ElementAttributes &
  ElementHandlers<'on'> &
  ElementProperties;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'pay-checkout': PayCheckoutAttributes;
  }
}
