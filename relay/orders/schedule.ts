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
/** Of an order from the future: the clock stepped back since it was made, and its age is unknown. */
const UNKNOWN_AGE = 15 * SECOND;

/** @param age in milliseconds */
export const interval = (age: number): number =>
  age < 0 ? UNKNOWN_AGE : (STEPS.find(([below]) => age < below)?.[1] ?? HOUR);

/**
 * @param now the ledger's time
 * @param ageAt the time by which the order grows old
 * @returns null when the order has been followed for `followDays`
 */
export function nextCheck(
  createdAt: number,
  now: number,
  { ageAt, followDays }: { ageAt: number; followDays: number },
): number | null {
  const pause = interval(now - createdAt);
  return ageAt + pause - createdAt > followDays * DAY ? null : now + pause;
}
