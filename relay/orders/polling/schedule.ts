/** When an order is asked about again: often while it is young, slowly as long as it is watched. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** [age below which the step holds, interval], both in milliseconds. */
const STEPS: readonly (readonly [number, number])[] = [
  [MINUTE, 2 * SECOND],
  [10 * MINUTE, 5 * SECOND],
  [HOUR, 15 * SECOND],
  [DAY, 5 * MINUTE],
];
/**
 * Of an order from the future: the clock stepped back since it was made, and its age is unknown.
 */
const UNKNOWN_AGE = 15 * SECOND;

/**
 * `now`: the ledger's time. `ageAt`: the time by which orders grow old; it lags behind after a
 * step forward of the clock.
 */
export type Moment = { now: number; ageAt: number };

/** Milliseconds between two questions. */
export function interval(createdAt: number, { ageAt, now }: Moment): number {
  // an order of before a step forward is as old as `ageAt` says, one of after it as `now` says
  const ages = [now - createdAt, ageAt - createdAt].filter((age) => age >= 0);
  if (ages.length === 0) return UNKNOWN_AGE;
  const age = Math.min(...ages);
  return STEPS.find(([below]) => age < below)?.[1] ?? HOUR;
}

/** @returns null when the order has been followed for `followDays` */
export function nextCheck(createdAt: number, moment: Moment, followDays: number): number | null {
  const pause = interval(createdAt, moment);
  const age = moment.ageAt + pause - createdAt;
  return age > followDays * DAY ? null : moment.now + pause;
}
