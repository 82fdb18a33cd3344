/** Tells which orders of an intent are open: the customer may pay them, and is in time. */
import type { Outcome } from '../contract/order.js';
import { openOutcomes, type OrderRow } from './rows.js';

const PAYABLE: readonly Outcome[] = openOutcomes;

/** Whether a customer may still pay this order. */
export const isPayable = ({ outcome, sending }: Pick<OrderRow, 'outcome' | 'sending'>): boolean =>
  sending !== 'unsent' && PAYABLE.includes(outcome);

/**
 * How long the order stays open unless an answer of the service ends it, in milliseconds; Infinity
 * when its code has no end, and 0 or less when it is not open.
 *
 * @param ageMs of the order; null when it is not known, and then its code counts as expired
 */
export function openForMs(order: OrderRow, ageMs: number | null): number {
  if (!isPayable(order)) return 0;
  if (order.expires_at === null) return Infinity;
  if (order.has_expired || ageMs === null) return 0;
  return order.expires_at - order.created_at - ageMs;
}

/**
 * Whether the order holds a use of its pay link: it is paid, or it was open when it was last
 * written. The time does not decide, so that the ledger counts each use once.
 */
export const holdsUse = (order: Pick<OrderRow, 'has_expired' | 'outcome' | 'sending'>): boolean =>
  order.outcome === 'succeeded' || (isPayable(order) && !order.has_expired);
