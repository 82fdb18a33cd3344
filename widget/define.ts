/** Defines `<pay-checkout>`, unless another script on the page has already defined it. */
// first, so that the request leaves before Lit is evaluated
import './begin.js';
import { PayCheckout } from './pay-checkout.js';

if (globalThis.customElements && !customElements.get('pay-checkout'))
  customElements.define('pay-checkout', PayCheckout);

// these exports also tell TypeScript the names of the tag and of its events
export type { PayCheckout };
export type * from './events.js';

declare global {
  interface HTMLElementTagNameMap {
    'pay-checkout': PayCheckout;
  }
}
