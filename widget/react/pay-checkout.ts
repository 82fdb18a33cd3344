/** `<PayCheckout>`: the element with camelCase properties, and a handler for each event. */
import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ForwardRefExoticComponent,
  type RefAttributes,
} from 'react';
import type { CamelCase, ElementHandlers, ElementProperties } from '../attributes.js';
import { PayCheckout as PayCheckoutElement } from '../pay-checkout.js';
import { listen, replay, type Handlers } from './handlers.js';
import type { PayCheckoutAttributes } from './jsx.js';

/** `aria-label` and `data-x` are written in React as they are in HTML. */
type PropName<Name> = Name extends `aria-${string}` | `data-${string}` | symbol | number
  ? Name
  : CamelCase<Name & string>;

/** Attributes that are not properties of the component. */
type NoProp = 'ref' | 'children' | keyof ElementHandlers<'on'>;

/**
 * The attributes of the element in camelCase, its handlers, and its properties `customer` and
 * `fetch`. `ref` gives the element, with its methods.
 */
export type PayCheckoutProps = Handlers & {
  [
    Name in keyof Omit<PayCheckoutAttributes, NoProp> as PropName<Name>
  ]?: PayCheckoutAttributes[Name];
} & ElementProperties;

/** Runs before the browser paints. On a server React 18 would warn of a layout effect. */
const useEarlyEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

const HANDLER = /^onPay[A-Z]/;
const ATTRIBUTE_OF: Readonly<Record<string, string>> = {
  orderToken: 'order-token',
  payCurrency: 'pay-currency',
  productName: 'product-name',
  customerRefId: 'customer-ref-id',
  returnUrl: 'return-url',
  supportUrl: 'support-url',
  openIn: 'open-in',
  depositToken: 'deposit-token',
  tagGate: 'tag-gate',
  className: 'class',
};

/** The attributes that React writes; the value `false` leaves an attribute out. */
function attributesOf(props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props))
    if (value !== false && !HANDLER.test(name)) attributes[ATTRIBUTE_OF[name] ?? name] = value;
  return attributes;
}

/** React 18 passes `ref` to a function component only through `forwardRef`. */
export const PayCheckout: ForwardRefExoticComponent<
  PayCheckoutProps & RefAttributes<PayCheckoutElement | null>
> = forwardRef<PayCheckoutElement | null, PayCheckoutProps>(function PayCheckout(
  { customer, fetch, ...props },
  ref,
) {
  const element = useRef<PayCheckoutElement>(null);
  const handlers = useRef<Handlers>(props);
  const replayed = useRef<PayCheckoutElement | null>(null);
  useImperativeHandle<PayCheckoutElement | null, PayCheckoutElement | null>(
    ref,
    () => element.current,
    [],
  );

  // An early effect, because the element's first request needs these properties. They are removed
  // when the shop no longer gives them, because another customer may sit at the device.
  useEarlyEffect(() => {
    const { current } = element;
    if (!current || !customer) return;
    current.customer = customer;
    return () => {
      current.customer = {};
    };
  }, [customer]);

  useEarlyEffect(() => {
    const { current } = element;
    if (!current || !fetch) return;
    current.fetch = fetch;
    return () => {
      current.fetch = undefined;
    };
  }, [fetch]);

  useEarlyEffect(() => {
    handlers.current = props;
  });

  useEarlyEffect(() => {
    const { current } = element;
    if (!current) return;
    // the element is not defined when the module is loaded, because an element that changes before
    // React has hydrated the page causes a hydration warning
    if (!customElements.get('pay-checkout'))
      customElements.define('pay-checkout', PayCheckoutElement);
    // React's strict mode runs this effect twice
    if (replayed.current !== current) replay(current, handlers.current);
    replayed.current = current;
    return listen(current, () => handlers.current);
  }, []);

  return createElement('pay-checkout', {
    ...attributesOf(props),
    // the relay's script may have set the attributes `phase` and `outcome` before the hydration
    suppressHydrationWarning: true,
    ref: element,
  });
});
