/** The schedule that the relay promises. Nothing is imported, so that the relay's errors show. */
import type { BookOrder } from '../service/book.js';
import type { Promised } from './invariant.js';
import type { Known } from './known.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Added to an order's age, because the pause before its next query may belong to a later age. */
export const AGE_SLACK_MS = MINUTE_MS;

/** After a step of the clock, orders may age this much faster. */
export const MAX_AGING_RATE = 1.1;

/**
 * How far the time of a relay may be behind that of another, or of the world, after a step of a
 * clock. A relay that starts after a step back knows only the time that its ledger saved last.
 */
export const CLOCK_LAG_MS = 2 * MINUTE_MS;

/** The pause between two queries about an order of this age. */
export function askedEveryMs(ageMs: number): number {
  if (ageMs < MINUTE_MS) return 2 * SECOND_MS;
  if (ageMs < 10 * MINUTE_MS) return 5 * SECOND_MS;
  if (ageMs < HOUR_MS) return 15 * SECOND_MS;
  return ageMs < 24 * HOUR_MS ? 5 * MINUTE_MS : HOUR_MS;
}

/** Pauses between the tries to deliver one event. */
export const RETRY_PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
];

/** For ticks, connections, claims that must end first, and a queue of queries in a rush. */
export const SLACK_MS = 75 * SECOND_MS;
/** From an event's writing to its first try, or from a retry's moment to the retry. */
export const DELIVERY_SLACK_MS = 50 * SECOND_MS;
/** For a call of a page without a long poll: the pay's deadline, its claim, and then a query. */
export const CALL_MS = 45 * SECOND_MS;

/** How long after its claim a pay may reach the service: its deadline, and the time on the way. */
export const IN_FLIGHT_MS = 15 * SECOND_MS;
/** The same for a purchase with a request that arrived late. */
export const LATE_IN_FLIGHT_MS = 3 * MINUTE_MS;

/** From the moment when an unpaid intent is due: each uncertain look postpones it by a minute. */
export const UNPAID_SLACK_MS = 10 * MINUTE_MS;
/**
 * The same in a shop with a step of a clock. There an intent may age more slowly, and a relay that
 * starts does not count the time in which none ran.
 */
export const STEPPED_UNPAID_SLACK_MS = 20 * MINUTE_MS;

/** For this long after that moment the relay looks each minute, and then more rarely. */
export const MINUTELY_MS = HOUR_MS;

/** From the moment that a closed intent carries until its transaction has ended. */
export const CLOSING_MS = 10 * SECOND_MS;

/** A report may use an answer from before its own query, when answers to that query are lost. */
export const ASKED_SLACK_MS = 5 * MINUTE_MS;

/** The age that an order has at most, by the time of its relay. */
export const oldestAgeMs = (order: BookOrder, at: number, known: Known): number =>
  (at - order.receivedAt) * (known.hasStepped(order.shop, at) ? MAX_AGING_RATE : 1);

/** A payment in the last tenth of the time may come after the last query. */
const SURE_PART = 0.9;
/** Whether an order was paid after its relay's last query: then only a signal tells the relay. */
export const isTooLate = (order: BookOrder, known: Known, { followMs }: Promised): boolean =>
  order.paidAt !== null && oldestAgeMs(order, order.paidAt, known) > followMs * SURE_PART;
