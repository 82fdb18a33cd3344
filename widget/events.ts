/** The element's events: bubbling and composed, one class each; `detail` says what happened. */
import type { Order } from '../relay/contract/order.js';
import type { DepositAddress } from '../relay/contract/responses.js';
import type { Problem } from './problem.js';

/** An event's class by its type and the shape of its detail. */
const event = <D>(type: string, cancelable = false) =>
  class extends Event {
    constructor(readonly detail: D) {
      super(type, { bubbles: true, composed: true, cancelable });
    }
  };

/** The phase changed. */
export class PayPhaseEvent extends event<{ phase: string; previous: string }>('pay-phase') {}
/** An order came to stand, or came back after a reload. */
export class PayOrderEvent extends event<{ order: Order }>('pay-order') {}
/** The order's status or outcome changed. */
export class PayStatusEvent extends event<{ order: Order }>('pay-status') {}
/**
 * The relay says that the order is paid. Goods are delivered on the backend's query, never on this.
 */
export class PaySucceededEvent extends event<{ order: Order }>('pay-succeeded') {}
/** The order failed; it may still become succeeded. */
export class PayFailedEvent extends event<{ order: Order }>('pay-failed') {}
/** The order expired; it may still become succeeded. */
export class PayExpiredEvent extends event<{ order: Order }>('pay-expired') {}
/** A deposit address is shown. */
export class PayDepositAddressEvent extends event<{ deposit_address: DepositAddress }>(
  'pay-deposit-address',
) {}
/** The customer is about to leave for `url`; cancel it to open the page yourself. */
export class PayRedirectEvent extends event<{ url: string; order: Order }>('pay-redirect', true) {}
/** The order token is missing, expired or refused: set a fresh one. */
export class PayTokenNeededEvent extends event<{ code: string }>('pay-token-needed') {}
/** The customer reads a problem. */
export class PayProblemEvent extends event<Problem>('pay-problem') {}
/** A modal was closed. */
export class PayCloseEvent extends event<null>('pay-close') {}

declare global {
  interface GlobalEventHandlersEventMap {
    'pay-phase': PayPhaseEvent;
    'pay-order': PayOrderEvent;
    'pay-status': PayStatusEvent;
    'pay-succeeded': PaySucceededEvent;
    'pay-failed': PayFailedEvent;
    'pay-expired': PayExpiredEvent;
    'pay-deposit-address': PayDepositAddressEvent;
    'pay-redirect': PayRedirectEvent;
    'pay-token-needed': PayTokenNeededEvent;
    'pay-problem': PayProblemEvent;
    'pay-close': PayCloseEvent;
  }
}
