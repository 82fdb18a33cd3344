/** `<PayCheckout>`: the element with camelCase properties and handlers that hear every event. */
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
import type { Customer } from '../../relay/contract/requests.js';
import { PayCheckout as PayCheckoutElement } from '../pay-checkout.js';
import type { Fetch } from '../relay-client.js';
import { listen, replay, type Handlers } from './handlers.js';
import type { PayCheckoutAttributes } from './jsx.js';

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
/** `aria-label` and `data-x` are written in React as they are in HTML. */
type PropName<Name> = Name extends `aria-${string}` | `data-${string}` | symbol | number
  ? Name
  : Camel<Name & string>;

/**
 * The attributes of the element in camelCase, its handlers and its two properties. `ref` gives the
 * element, with its methods.
 */
export type PayCheckoutProps = Handlers & {
  [
    Name in keyof Omit<PayCheckoutAttributes, 'ref' | 'children'> as PropName<Name>
  ]?: PayCheckoutAttributes[Name];
} & {
  customer?: Customer | undefined;
  fetch?: Fetch | undefined;
};

/** Runs while React inserts the element; React 18 warns of such an effect on a server. */
const useEarlyEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

const HANDLER = /^onPay[A-Z]/;
const ATTRIBUTE_OF: Readonly<Record<string, string>> = {
  orderToken: 'order-token',
  payCurrency: 'pay-currency',
  productName: 'product-name',
  customerRefId: 'customer-ref-id',
  returnUrl: 'return-url',
  openIn: 'open-in',
  depositToken: 'deposit-token',
  tagGate: 'tag-gate',
  className: 'class',
};

/** What React writes as attributes; `false` leaves an attribute out. */
function attributesOf(props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props))
    if (value !== false && !HANDLER.test(name)) attributes[ATTRIBUTE_OF[name] ?? name] = value;
  return attributes;
}

/** A component since React 18, which gives `ref` to no function of another kind. */
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

  // before the element sends its first request
  useEarlyEffect(() => {
    if (!element.current) return;
    if (customer) element.current.customer = customer;
    if (fetch) element.current.fetch = fetch;
  }, [customer, fetch]);

  useEarlyEffect(() => {
    handlers.current = props;
  });

  useEarlyEffect(() => {
    const here = element.current;
    if (!here) return;
    // not when the module is loaded: before React has taken over the page, the element would change
    if (!customElements.get('pay-checkout'))
      customElements.define('pay-checkout', PayCheckoutElement);
    // React's strict mode attaches twice
    if (replayed.current !== here) replay(here, handlers.current);
    replayed.current = here;
    return listen(here, () => handlers.current);
  }, []);

  return createElement('pay-checkout', {
    ...attributesOf(props),
    // the script of the relay may have changed the attributes `phase` and `outcome` already
    suppressHydrationWarning: true,
    ref: element,
  });
});
