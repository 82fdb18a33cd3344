/** The events of the element as properties of the component. */
import {
  PayExpiredEvent,
  PayFailedEvent,
  PayOrderEvent,
  PayProblemEvent,
  PaySucceededEvent,
  type PayCloseEvent,
  type PayDepositAddressEvent,
  type PayOpenEvent,
  type PayPhaseEvent,
  type PayRedirectEvent,
  type PayStatusEvent,
  type PayTokenNeededEvent,
} from '../events.js';
import type { PayCheckout } from '../pay-checkout.js';

export type Handlers = {
  onPayPhase?: ((event: PayPhaseEvent) => void) | undefined;
  onPayOrder?: ((event: PayOrderEvent) => void) | undefined;
  onPayStatus?: ((event: PayStatusEvent) => void) | undefined;
  onPaySucceeded?: ((event: PaySucceededEvent) => void) | undefined;
  onPayFailed?: ((event: PayFailedEvent) => void) | undefined;
  onPayExpired?: ((event: PayExpiredEvent) => void) | undefined;
  onPayDepositAddress?: ((event: PayDepositAddressEvent) => void) | undefined;
  onPayRedirect?: ((event: PayRedirectEvent) => void) | undefined;
  onPayOpen?: ((event: PayOpenEvent) => void) | undefined;
  onPayTokenNeeded?: ((event: PayTokenNeededEvent) => void) | undefined;
  onPayProblem?: ((event: PayProblemEvent) => void) | undefined;
  onPayClose?: ((event: PayCloseEvent) => void) | undefined;
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
  const { signal } = ended;
  const on = <K extends keyof GlobalEventHandlersEventMap>(
    type: K,
    call: (event: GlobalEventHandlersEventMap[K]) => void,
  ): void => element.addEventListener(type, call, { signal });
  on('pay-phase', (event) => handlers().onPayPhase?.(event));
  on('pay-order', (event) => handlers().onPayOrder?.(event));
  on('pay-status', (event) => handlers().onPayStatus?.(event));
  on('pay-succeeded', (event) => handlers().onPaySucceeded?.(event));
  on('pay-failed', (event) => handlers().onPayFailed?.(event));
  on('pay-expired', (event) => handlers().onPayExpired?.(event));
  on('pay-deposit-address', (event) => handlers().onPayDepositAddress?.(event));
  on('pay-redirect', (event) => handlers().onPayRedirect?.(event));
  on('pay-open', (event) => handlers().onPayOpen?.(event));
  on('pay-token-needed', (event) => handlers().onPayTokenNeeded?.(event));
  on('pay-problem', (event) => handlers().onPayProblem?.(event));
  on('pay-close', (event) => handlers().onPayClose?.(event));
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
