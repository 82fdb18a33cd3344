/**
 * The package's main entry: the classes of the element and its events, and the headless checkout.
 * The import defines no element and does not change the page.
 */
export {
  createCheckout,
  type Checkout,
  type CheckoutOptions,
  type Subject,
} from './checkout/checkout.js';
export type { OrderPhase, Phase, State } from './checkout/flow.js';
export * from './events.js';
export { createAttempts, type Attempts } from './browser/attempts.js';
export { browserPage, type Page } from './browser/page.js';
export type { Problem, ProblemCode } from './problem.js';
export { PayCheckout } from './pay-checkout.js';
export type { NextAction, Order, Outcome } from '../relay/contract/order.js';
export type { Customer } from '../relay/contract/requests.js';
export { createRelayClient, RelayFailure, type RelayClient } from './relay-client.js';
