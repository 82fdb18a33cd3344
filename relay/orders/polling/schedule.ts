/** The schedule of an order's queries: the older the order, the rarer they are. */
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
/** Interval of an order of unknown age, which every clock dates into the future. */
const UNKNOWN_AGE_INTERVAL_MS = 15 * SECOND_MS;

/** @param ageMs of the order; null when it is not known */
export function interval(ageMs: number | null): number {
  if (ageMs === null) return UNKNOWN_AGE_INTERVAL_MS;
  return STEPS_MS.find(([below]) => ageMs < below)?.[1] ?? LAST_INTERVAL_MS;
}

/**
 * @param fromMs the age at which the days of following began again; null: they did not
 * @returns when to ask next; null when the order has been followed for `followDays` by then
 */
export function nextCheck(
  ageMs: number | null,
  now: number,
  followDays: number,
  fromMs: number | null = null,
): number | null {
  const intervalMs = interval(ageMs);
  return (ageMs ?? 0) + intervalMs > (fromMs ?? 0) + followDays * DAY_MS ? null : now + intervalMs;
}
