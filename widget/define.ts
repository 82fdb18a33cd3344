/** Defines `<pay-checkout>`, unless another script on the page has already defined it. */
import { PayCheckout } from './pay-checkout.js';

if (!customElements.get('pay-checkout')) customElements.define('pay-checkout', PayCheckout);
