/** `pay-checkout/react`: the element as a component, and the headless checkout as a hook. */
export { PayCheckout, type PayCheckoutProps } from './pay-checkout.js';
export { useCheckout, type UseCheckout, type UseCheckoutOptions } from './use-checkout.js';
export type { PayCheckoutAttributes } from './jsx.js';
