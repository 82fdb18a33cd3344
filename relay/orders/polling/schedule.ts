/** The schedule of an order's queries: the older the order, the rarer they are. */
import type { LedgerClock } from '../../ledger/ledger-clock.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/durations.js';

/** [age below which the interval holds, interval], both in milliseconds. */
const STEPS_MS: readonly (readonly [number, number])[] = [
  [MINUTE_MS, 2 * SECOND_MS],
  [10 * MINUTE_MS, 5 * SECOND_MS],
  [HOUR_MS, 15 * SECOND_MS],
  [DAY_MS, 5 * MINUTE_MS],
];
/** Interval of every older order. */
const LAST_INTERVAL_MS = HOUR_MS;
/** Error of a step's measured size: the two clocks are not read at the same moment. */
const STEP_ERROR_MS = SECOND_MS;
/** Interval of an order of unknown age: the clock stepped back after the order was made. */
const UNKNOWN_AGE_INTERVAL_MS = 15 * SECOND_MS;

/**
 * `now`: the ledger's time. `ageAt`: the aging time; after a step forward of the clock it lags
 * behind `now`. `dateAt`: the time that new orders are dated by; after a step back it is ahead of
 * `now`; absent, it is `now`. `between`: aging times of the orders that were made between steps
 * forward.
 */
export type Moment = {
  now: number;
  ageAt: number;
  dateAt?: number | undefined;
  between?: readonly number[] | undefined;
};

/** The times that ages of orders are measured by, at this moment. */
export const agesNow = (ledgerClock: LedgerClock): Omit<Moment, 'now'> => ({
  ageAt: ledgerClock.agingNow(),
  dateAt: ledgerClock.dateNow(),
  between: ledgerClock.agingBetweenSteps(),
});

/**
 * The youngest age that the order can have, in milliseconds; null when every clock says that the
 * order is made in the future.
 */
export function youngestAgeMs(createdAt: number, moment: Moment): number | null {
  const { ageAt, between = [], dateAt, now } = moment;
  // the age comes from `ageAt` for an order made before all steps forward, from `now` for an order
  // made after them, and from `dateAt` for an order made around a step back
  const times = [now, ageAt, dateAt ?? now, ...between.map((at) => at + STEP_ERROR_MS)];
  const ages = times.map((at) => at - createdAt).filter((age) => age >= 0);
  return ages.length === 0 ? null : Math.min(...ages);
}

/** Milliseconds between two queries about an order. */
export function interval(createdAt: number, moment: Moment): number {
  const ageMs = youngestAgeMs(createdAt, moment);
  if (ageMs === null) return UNKNOWN_AGE_INTERVAL_MS;
  return STEPS_MS.find(([below]) => ageMs < below)?.[1] ?? LAST_INTERVAL_MS;
}

/** @returns when to ask next; null when the order is older than `followDays` by then */
export function nextCheck(createdAt: number, moment: Moment, followDays: number): number | null {
  const intervalMs = interval(createdAt, moment);
  const ageMs = moment.ageAt + intervalMs - createdAt;
  return ageMs > followDays * DAY_MS ? null : moment.now + intervalMs;
}
