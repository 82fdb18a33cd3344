/** The schedule that the relay promises, written down a second time: nothing of it is imported. */
import type { BookOrder } from '../service/book.js';
import type { Promised } from './invariant.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The next question about an order comes this much later: it may be an older one by then. */
export const AGE_SLACK_MS = MINUTE_MS;

/** How often an order of this age is asked about. */
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

/** Ticks, connections, claims that must end first, and a queue of questions in a rush. */
export const SLACK_MS = 75 * SECOND_MS;
/** From an event's writing to its first try, or from a retry's moment to the retry. */
export const DELIVERY_SLACK_MS = 50 * SECOND_MS;
/** A call of a page without a long poll: the pay's deadline, its claim, and the question after. */
export const CALL_MS = 45 * SECOND_MS;

/** How long after its claim a pay may reach the service: its deadline, and the way there. */
export const IN_FLIGHT_MS = 15 * SECOND_MS;
/** The same where a request arrived late. */
export const LATE_IN_FLIGHT_MS = 3 * MINUTE_MS;

const LAST_PART = 0.9;
/** Whether an order was paid when its relay no longer asked about it: only a signal tells it. */
export const isTooLate = ({ paidAt, receivedAt }: BookOrder, { followMs }: Promised): boolean =>
  paidAt !== null && paidAt - receivedAt > followMs * LAST_PART;
