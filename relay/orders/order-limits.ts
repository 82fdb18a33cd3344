/**
 * How many orders an intent may have. Without a limit, a page could make the service reserve
 * payment after payment. Orders that have ended do not count, because a customer who comes back
 * after each code has expired must still be able to pay. Pure.
 */
import type { LedgerClock } from '../ledger/ledger-clock.js';
import { openForMs } from '../ledger/open-orders.js';
import type { OrderRow } from '../ledger/rows.js';
import { HOUR_MS } from '../contract/durations.js';

/** All orders of an intent, replacements included: a search after a restore asks about each. */
export const MAX_ORDERS = 20;
/** Orders that are open at once. */
const MAX_OPEN = 5;
const MAX_PER_HOUR = 5;

/**
 * How long the intent takes no further order, in milliseconds: 0 when it takes one now, Infinity
 * when waiting does not help.
 *
 * @param orders of the intent, the first one first
 */
export function waitForOrderMs(orders: readonly OrderRow[], ageOf: LedgerClock['ageOf']): number {
  // compares the ordinal, not the number of orders: after a restore the ledger may lack orders that
  // the service never received
  if ((orders.at(-1)?.ordinal ?? 0) >= MAX_ORDERS) return Infinity;
  const newFor = orders.map((order) => HOUR_MS - (ageOf(order) ?? HOUR_MS));
  const openFor = orders.map((order) => openForMs(order, ageOf(order)));
  return Math.max(waitUntilBelow(MAX_PER_HOUR, newFor), waitUntilBelow(MAX_OPEN, openFor));
}

/** @param lastsMs how long each order still counts; 0 or less when it does not count */
const waitUntilBelow = (limit: number, lastsMs: readonly number[]): number =>
  Math.max(0, [...lastsMs].sort((one, other) => other - one)[limit - 1] ?? 0);
