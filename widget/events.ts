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

/** The base class of the events with this name. */
const named = <Detail>(type: string, cancelable?: boolean) =>
  class extends PayEvent<Detail> {
    constructor(detail: Detail) {
      super(type, detail, cancelable);
    }
  };

/** The phase changed. */
export class PayPhaseEvent extends named<{ phase: string; previous: string }>('pay-phase') {
  readonly phase!: string;
  readonly previous!: string;
}
/** An order was placed, or was restored after a reload. */
export class PayOrderEvent extends named<{ order: Order }>('pay-order') {
  readonly order!: Order;
}
/** The status or the outcome of the order changed. */
export class PayStatusEvent extends named<{ order: Order }>('pay-status') {
  readonly order!: Order;
}
/**
 * The relay reports that the order is paid. The shop delivers goods after its backend has queried
 * the order, never because of this event: a page can be manipulated.
 */
export class PaySucceededEvent extends named<{ order: Order }>('pay-succeeded') {
  readonly order!: Order;
}
/** The order failed; it may still succeed. */
export class PayFailedEvent extends named<{ order: Order }>('pay-failed') {
  readonly order!: Order;
}
/** The order expired; it may still succeed. */
export class PayExpiredEvent extends named<{ order: Order }>('pay-expired') {
  readonly order!: Order;
}
/** A deposit address is shown. */
export class PayDepositAddressEvent extends named<{ deposit_address: DepositAddress }>(
  'pay-deposit-address',
) {
  readonly deposit_address!: DepositAddress;
}
/**
 * The customer opens `url`; a page that cancels the event cancels the opening. To open the URL
 * itself, the page uses `pay-open`.
 */
export class PayRedirectEvent extends named<{ url: string; order: Order }>('pay-redirect', true) {
  readonly url!: string;
  readonly order!: Order;
}
/**
 * A link opens now; a page that cancels the event opens it instead, as the app around a web view
 * does. `kind`: `app` for the scheme of an app, `web` for a page, `browser` for the link that goes
 * on in another browser. `reason`: `nothing_opened` when a tap before has opened nothing.
 */
export class PayOpenEvent extends named<Opening>('pay-open', true) {
  readonly url!: string;
  readonly kind!: Opening['kind'];
  readonly reason!: Opening['reason'];
}
type Opening = {
  url: string;
  kind: 'app' | 'web' | 'browser';
  reason: 'tap' | 'nothing_opened';
};
/** The order or deposit token is expired or refused; the page must set a new one. */
export class PayTokenNeededEvent extends named<{ code: string }>('pay-token-needed') {
  readonly code!: string;
}
/** A problem is shown. */
export class PayProblemEvent extends named<Problem>('pay-problem') {
  readonly code!: Problem['code'];
  readonly message!: Problem['message'];
  readonly field?: Problem['field'];
  readonly reference?: Problem['reference'];
  readonly outcome?: Problem['outcome'];
  readonly notice?: Problem['notice'];
  readonly support_url?: Problem['support_url'];
}
/** The modal was closed. */
export class PayCloseEvent extends named<null>('pay-close') {}

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
