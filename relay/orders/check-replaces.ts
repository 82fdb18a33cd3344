/** Checks the order that a pay request wants to replace. */
import { Failure } from '../contract/failure.js';
import type { Resume } from '../contract/requests.js';
import type { OrderRow } from '../ledger/rows.js';
import type { Context } from './context.js';

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
