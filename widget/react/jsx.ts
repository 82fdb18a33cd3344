/** The types of the tag `<pay-checkout>` in JSX. */
import type { HTMLAttributes, Ref } from 'react';
import type { PayCheckout } from '../pay-checkout.js';

/** The attributes as written in HTML. */
export type PayCheckoutAttributes = HTMLAttributes<PayCheckout> & {
  ref?: Ref<PayCheckout> | undefined;
  class?: string | undefined;
  relay?: string | undefined;
  'order-token'?: string | undefined;
  sku?: string | undefined;
  quantity?: string | number | undefined;
  amount?: string | undefined;
  currency?: string | undefined;
  'pay-currency'?: string | undefined;
  'product-name'?: string | undefined;
  remark?: string | undefined;
  'customer-ref-id'?: string | undefined;
  'return-url'?: string | undefined;
  option?: string | undefined;
  'open-in'?: PayCheckout['openIn'] | undefined;
  deposit?: string | undefined;
  'deposit-token'?: string | undefined;
  display?: PayCheckout['display'] | undefined;
  locale?: string | undefined;
  theme?: PayCheckout['theme'] | undefined;
  'tag-gate'?: boolean | undefined;
  name?: string | undefined;
  required?: boolean | undefined;
};

declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- React's types declare it
  namespace JSX {
    interface IntrinsicElements {
      'pay-checkout': PayCheckoutAttributes;
    }
  }
}
