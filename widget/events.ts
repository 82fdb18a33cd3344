/** The events of the element; each has its own class, and all bubble out of the shadow root. */
import type { Order } from '../relay/contract/order.js';
import type { DepositAddress } from '../relay/contract/responses.js';
import type { Problem } from './problem.js';

/** Base class of the element's events. Each field of `detail` is also a field of the event. */
export class PayEvent<Detail> extends Event {
  /** What happened. */
  readonly detail: Detail;
  constructor(type: string, detail: Detail, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
    this.detail = detail;
    Object.assign(this, detail);
  }
}

/** The phase changed. */
export class PayPhaseEvent extends PayEvent<{ phase: string; previous: string }> {
  readonly phase!: string;
  readonly previous!: string;
  constructor(detail: { phase: string; previous: string }) {
    super('pay-phase', detail);
  }
}
/** An order was placed, or was restored after a reload. */
export class PayOrderEvent extends PayEvent<{ order: Order }> {
  readonly order!: Order;
  constructor(detail: { order: Order }) {
    super('pay-order', detail);
  }
}
/** The status or the outcome of the order changed. */
export class PayStatusEvent extends PayEvent<{ order: Order }> {
  readonly order!: Order;
  constructor(detail: { order: Order }) {
    super('pay-status', detail);
  }
}
/**
 * The relay reports that the order is paid. The shop delivers goods after its backend has queried
 * the order, never because of this event: a page can be manipulated.
 */
export class PaySucceededEvent extends PayEvent<{ order: Order }> {
  readonly order!: Order;
  constructor(detail: { order: Order }) {
    super('pay-succeeded', detail);
  }
}
/** The order failed; it may still succeed. */
export class PayFailedEvent extends PayEvent<{ order: Order }> {
  readonly order!: Order;
  constructor(detail: { order: Order }) {
    super('pay-failed', detail);
  }
}
/** The order expired; it may still succeed. */
export class PayExpiredEvent extends PayEvent<{ order: Order }> {
  readonly order!: Order;
  constructor(detail: { order: Order }) {
    super('pay-expired', detail);
  }
}
/** A deposit address is shown. */
export class PayDepositAddressEvent extends PayEvent<{ deposit_address: DepositAddress }> {
  readonly deposit_address!: DepositAddress;
  constructor(detail: { deposit_address: DepositAddress }) {
    super('pay-deposit-address', detail);
  }
}
/**
 * The customer opens `url`; a page that cancels the event cancels the opening. To open the URL
 * itself, the page uses `pay-open`.
 */
export class PayRedirectEvent extends PayEvent<{ url: string; order: Order }> {
  readonly url!: string;
  readonly order!: Order;
  constructor(detail: { url: string; order: Order }) {
    super('pay-redirect', detail, true);
  }
}
/**
 * A link opens now; a page that cancels the event opens it instead, as the app around a web view
 * does. `kind`: `app` for the scheme of an app, `web` for a page, `browser` for the link that goes
 * on in another browser. `reason`: `nothing_opened` when a tap before has opened nothing.
 */
export class PayOpenEvent extends PayEvent<Opening> {
  readonly url!: string;
  readonly kind!: Opening['kind'];
  readonly reason!: Opening['reason'];
  constructor(detail: Opening) {
    super('pay-open', detail, true);
  }
}
type Opening = {
  url: string;
  kind: 'app' | 'web' | 'browser';
  reason: 'tap' | 'nothing_opened';
};
/** The order or deposit token is expired or refused; the page must set a new one. */
export class PayTokenNeededEvent extends PayEvent<{ code: string }> {
  readonly code!: string;
  constructor(detail: { code: string }) {
    super('pay-token-needed', detail);
  }
}
/** A problem is shown. */
export class PayProblemEvent extends PayEvent<Problem> {
  readonly code!: Problem['code'];
  readonly message!: Problem['message'];
  readonly field?: Problem['field'];
  readonly reference?: Problem['reference'];
  readonly outcome?: Problem['outcome'];
  readonly notice?: Problem['notice'];
  readonly support_url?: Problem['support_url'];
  constructor(detail: Problem) {
    super('pay-problem', detail);
  }
}
/** The modal was closed. */
export class PayCloseEvent extends PayEvent<null> {
  constructor(detail: null) {
    super('pay-close', detail);
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
    'pay-open': PayOpenEvent;
    'pay-token-needed': PayTokenNeededEvent;
    'pay-problem': PayProblemEvent;
    'pay-close': PayCloseEvent;
  }
}

/**
 * The class of each event by its name. Here, because an import of this type brings the declaration
 * above along.
 */
export type ElementEvents = {
  [Name in keyof GlobalEventHandlersEventMap & `pay-${string}`]: GlobalEventHandlersEventMap[Name];
};
