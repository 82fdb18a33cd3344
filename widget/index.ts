/**
 * `pay-checkout`: the headless checkout and the element's types; importing it defines nothing and
 * touches no page.
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
export { createRelayClient, RelayFailure, type RelayClient } from './relay-client.js';
