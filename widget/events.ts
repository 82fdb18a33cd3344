/** The element's events: bubbling and composed, one class each; `detail` says what happened. */
import type { Order } from '../relay/contract/order.js';
import type { DepositAddress } from '../relay/contract/responses.js';
import type { Problem } from './problem.js';

const shape = { bubbles: true, composed: true };

/** The phase changed. */
export class PayPhaseEvent extends Event {
  constructor(readonly detail: { phase: string; previous: string }) {
    super('pay-phase', shape);
  }
}
/** An order came to stand, or came back after a reload. */
export class PayOrderEvent extends Event {
  constructor(readonly detail: { order: Order }) {
    super('pay-order', shape);
  }
}
/** The order's status or outcome changed. */
export class PayStatusEvent extends Event {
  constructor(readonly detail: { order: Order }) {
    super('pay-status', shape);
  }
}
/** The relay says that the order is paid. Goods are delivered on the backend's query, never on this. */
export class PaySucceededEvent extends Event {
  constructor(readonly detail: { order: Order }) {
    super('pay-succeeded', shape);
  }
}
/** The order failed; it may still become succeeded. */
export class PayFailedEvent extends Event {
  constructor(readonly detail: { order: Order }) {
    super('pay-failed', shape);
  }
}
/** The order expired; it may still become succeeded. */
export class PayExpiredEvent extends Event {
  constructor(readonly detail: { order: Order }) {
    super('pay-expired', shape);
  }
}
/** A deposit address is shown. */
export class PayDepositAddressEvent extends Event {
  constructor(readonly detail: { deposit_address: DepositAddress }) {
    super('pay-deposit-address', shape);
  }
}
/** The customer is about to leave for `url`; cancel it to open the page yourself. */
export class PayRedirectEvent extends Event {
  constructor(readonly detail: { url: string; order: Order }) {
    super('pay-redirect', { ...shape, cancelable: true });
  }
}
/** The order token is missing, expired or refused: set a fresh one. */
export class PayTokenNeededEvent extends Event {
  constructor(readonly detail: { code: string }) {
    super('pay-token-needed', shape);
  }
}
/** The customer reads a problem. */
export class PayProblemEvent extends Event {
  constructor(readonly detail: Problem) {
    super('pay-problem', shape);
  }
}
/** A modal was closed. */
export class PayCloseEvent extends Event {
  constructor() {
    super('pay-close', shape);
  }
}

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
