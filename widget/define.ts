/** Defines `<pay-checkout>`, once: a second script on the page changes nothing. */
import { PayCheckout } from './pay-checkout.js';

if (!customElements.get('pay-checkout')) customElements.define('pay-checkout', PayCheckout);
