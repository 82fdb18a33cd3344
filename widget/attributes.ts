/** The attributes and events of the tag `<pay-checkout>`, for the types of the frameworks. */
import type { ElementEvents } from './events.js';
import type { PayCheckout } from './pay-checkout.js';

/** The attributes as written in HTML. */
export type ElementAttributes = {
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
  'support-url'?: string | undefined;
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

/** The properties that no attribute sets. */
export type ElementProperties = {
  [Name in 'customer' | 'fetch']?: PayCheckout[Name] | undefined;
};

/** One handler for each event; the name of the handler is `Prefix` with the name of the event. */
export type ElementHandlers<Prefix extends string> = {
  [Name in keyof ElementEvents as `${Prefix}${Name}`]?:
    ((event: ElementEvents[Name]) => void) | undefined;
};

/** `order-token` becomes `orderToken`. */
export type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;
