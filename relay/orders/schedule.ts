/** When an order is asked about again (design §7): often while it is young, slowly for as long as it is watched. */
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

export const interval = (age: number): number => STEPS.find(([below]) => age < below)?.[1] ?? HOUR;

/** @returns null when the order has been followed for `followDays` */
export function nextCheck(createdAt: number, now: number, followDays: number): number | null {
  const at = now + interval(now - createdAt);
  return at - createdAt > followDays * DAY ? null : at;
}
