/** Tells which orders of an intent are open: the customer may pay them, and is in time. */
import type { Outcome } from '../contract/order.js';
import { openOutcomes, type OrderRow } from './rows.js';

const PAYABLE: readonly Outcome[] = openOutcomes;

/** Whether a customer may still pay this order. */
export const isPayable = ({ outcome, sending }: Pick<OrderRow, 'outcome' | 'sending'>): boolean =>
  sending !== 'unsent' && PAYABLE.includes(outcome);

/**
 * Whether the order's request may be under way: its claim has not ended. Until then a query says
 * nothing about the order. A claim that has ended was left by a relay that was killed.
 */
export const isBeingSent = (
  { next_check_at, sending }: Pick<OrderRow, 'next_check_at' | 'sending'>,
  now: number,
): boolean => sending === 'claimed' && (next_check_at ?? 0) > now;

/**
 * Whether the order counts for limits: it is payable, its code has not expired, and the relay still
 * asks about it, or a person must look at it. A service may never call an order expired, so what
 * its customer left long ago must not count for ever.
 */
const isOpen = (order: Pick<OrderRow, Counted>): boolean =>
  isPayable(order) && !order.has_expired && (order.next_check_at !== null || isForPerson(order));
type Counted = 'has_expired' | 'next_check_at' | 'outcome' | 'sending';
const isForPerson = ({ outcome }: Pick<OrderRow, 'outcome'>): boolean =>
  outcome === 'review' || outcome === 'unmapped';

/**
 * How long the order stays open unless an answer of the service ends it, in milliseconds; Infinity
 * when its code has no end, and 0 or less when it is not open.
 *
 * @param ageMs of the order; null when it is not known, and then its code counts as expired
 */
export function openForMs(order: OrderRow, ageMs: number | null): number {
  if (!isOpen(order)) return 0;
  if (order.expires_at === null) return Infinity;
  return ageMs === null ? 0 : order.expires_at - order.created_at - ageMs;
}

/**
 * Whether the order holds a use of its pay link: it is paid, or it was open when it was last
 * written. The time does not decide, so that the ledger counts each use once.
 */
export const holdsUse = (order: Pick<OrderRow, Counted>): boolean =>
  order.outcome === 'succeeded' || isOpen(order);
