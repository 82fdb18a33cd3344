/** The events of the element as properties of the component. */
import type { CamelCase } from '../attributes.js';
import {
  PayExpiredEvent,
  PayFailedEvent,
  PayOrderEvent,
  PayProblemEvent,
  PaySucceededEvent,
  type ElementEvents,
} from '../events.js';
import type { PayCheckout } from '../pay-checkout.js';

type EventName = keyof ElementEvents;
type HandlerOf<Name extends EventName> = CamelCase<`on-${Name}`>;
export type Handlers = {
  [Name in EventName as HandlerOf<Name>]?: ((event: ElementEvents[Name]) => void) | undefined;
};

/** A record, so that another event of the element compiles only when it stands here. */
const HANDLERS: { readonly [Name in EventName]: HandlerOf<Name> } = {
  'pay-phase': 'onPayPhase',
  'pay-order': 'onPayOrder',
  'pay-status': 'onPayStatus',
  'pay-succeeded': 'onPaySucceeded',
  'pay-failed': 'onPayFailed',
  'pay-expired': 'onPayExpired',
  'pay-deposit-address': 'onPayDepositAddress',
  'pay-redirect': 'onPayRedirect',
  'pay-open': 'onPayOpen',
  'pay-token-needed': 'onPayTokenNeeded',
  'pay-problem': 'onPayProblem',
  'pay-close': 'onPayClose',
};

/**
 * Calls the current handlers for each event. React itself attaches no listener to a custom element
 * that a server rendered.
 *
 * @param handlers returns the handlers of the last render
 * @returns a function that removes the listeners
 */
export function listen(element: PayCheckout, handlers: () => Handlers): () => void {
  const ended = new AbortController();
  for (const [type, name] of Object.entries(HANDLERS)) {
    const call = (event: Event): void =>
      (handlers()[name] as ((event: Event) => void) | undefined)?.(event);
    element.addEventListener(type, call, { signal: ended.signal });
  }
  return () => ended.abort();
}

/**
 * Calls the handlers for what has happened before they were attached: the element's script may run
 * long before React has hydrated the page. The events are not dispatched, because other listeners
 * of the page have received them already.
 */
export function replay(element: PayCheckout, handlers: Handlers): void {
  const { order, phase, problem } = element;
  if (order) handlers.onPayOrder?.(withTarget(element, new PayOrderEvent({ order })));
  if (order && phase === 'succeeded')
    handlers.onPaySucceeded?.(withTarget(element, new PaySucceededEvent({ order })));
  if (order && phase === 'failed')
    handlers.onPayFailed?.(withTarget(element, new PayFailedEvent({ order })));
  if (order && phase === 'expired')
    handlers.onPayExpired?.(withTarget(element, new PayExpiredEvent({ order })));
  if (problem) handlers.onPayProblem?.(withTarget(element, new PayProblemEvent(problem)));
}

const withTarget = <E extends Event>(element: PayCheckout, event: E): E =>
  Object.defineProperty(event, 'target', { value: element });
