/** The checks before an order is placed, replaced, or its intent is closed. */
import { compareDecimals } from '../contract/decimal.js';
import { Failure } from '../contract/failure.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import type { Resume } from '../contract/requests.js';
import type { Context } from './context.js';
import { checkSameItem } from './current-order.js';
import type { IdentifiedIntent } from './new-order.js';

export type Amount = { amount: string; currency: string };

/** @throws Failure `not_as_expected` naming the field */
export function checkAmount(charged: Amount, expect: Amount): void {
  const differs = (field: string): Failure =>
    new Failure('not_as_expected', `the order's ${field} is not the expected one`, field);
  if (charged.currency !== expect.currency) throw differs('currency');
  if (compareDecimals(charged.amount, expect.amount) !== 0) throw differs('amount');
}

/**
 * Checks, before anything is written, whether a new order may be placed.
 *
 * @throws Failure `not_as_expected`, `intent_conflict`, or `service_unavailable` while the breaker
 *   is open
 */
export function checkClaim(
  { breaker }: Pick<Context, 'breaker'>,
  intent: IdentifiedIntent,
  known: IntentRow | null,
  expect: Amount | undefined,
): void {
  if (expect) checkAmount(intent, expect);
  if (known) checkSameItem(known, intent);
  if (breaker.isOpen())
    throw new Failure(
      'service_unavailable',
      'the order service does not answer; nothing was placed',
    );
}

/**
 * An order of another intent is refused, because it would stay payable beside the new one. An order
 * that the ledger does not have may have been lost by a restore, so it is no reason to refuse.
 *
 * @param orders of the intent that is to be paid
 * @throws Failure `order_unknown`
 */
export async function checkReplaces(
  { capabilities, ledger }: Pick<Context, 'capabilities' | 'ledger'>,
  orders: readonly OrderRow[],
  { order_key, request_id }: Resume,
): Promise<void> {
  const isOfIntent = orders.some((order) => order.request_id === request_id);
  const isOfAnother = !isOfIntent && (await ledger.find(request_id)) !== null;
  if (orders.length === 0 && !isOfAnother) return;
  if (isOfAnother || !(await capabilities.verify('order', request_id, order_key)))
    throw new Failure('order_unknown', 'replaces names no order of this intent', 'replaces');
}
