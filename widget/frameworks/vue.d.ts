/** `pay-checkout/vue`: the tag in a template of Vue and Nuxt. */
import type { EmitFn, HTMLAttributes } from 'vue';
import type { CamelCase, ElementAttributes, ElementProperties } from '../attributes.js';
import type { ElementEvents } from '../events.js';

/** Vue sets the properties of the element; a template may write them as in HTML. */
export type PayCheckoutProps = HTMLAttributes & {
  [Name in keyof ElementAttributes as CamelCase<Name>]?: ElementAttributes[Name];
} & ElementProperties;

export type PayCheckoutHandlers = {
  [Name in keyof ElementEvents as CamelCase<`on-${Name}`>]?:
    ((event: ElementEvents[Name]) => void) | undefined;
};

export type PayCheckoutEmits = {
  [Name in keyof ElementEvents]: (event: ElementEvents[Name]) => void;
};

declare module 'vue' {
  interface GlobalComponents {
    'pay-checkout': new () => {
      $props: PayCheckoutProps & PayCheckoutHandlers;
      $emit: EmitFn<PayCheckoutEmits>;
    };
  }
}
