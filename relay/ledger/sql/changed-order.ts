/** Writes a changed order, and counts the event about the change in advance. */
import type { Kysely, Transaction } from 'kysely';
import type { OrderRow } from '../rows.js';
import { writeAndCountAtOnce } from './counted-change.js';
import type { Engine } from './engine.js';
import { orderStatements, setPaid } from './order-statements.js';
import { changeOf } from './order-table.js';
import { firstOf } from './prepared.js';
import { countOneEvent, type CountedIntent } from './sql-events.js';
import type { Tables } from './tables.js';

/**
 * Writes the order alone. The payment of an order that succeeded must be recorded in the same
 * transaction.
 *
 * @returns false when the stored row does not have the version before `order.version`
 */
export async function writeOrder(
  db: Kysely<Tables>,
  engine: Engine,
  order: OrderRow,
): Promise<boolean> {
  const { request_id: requestId, version } = order;
  const value = { row: changeOf(order), requestId, before: version - 1 };
  const { numAffectedRows = 0n } = await orderStatements(engine).updateOrder(db, value);
  return numAffectedRows > 0n;
}

/**
 * Writes the order, and records the intent's first payment when the order succeeded.
 *
 * @returns false when the stored row does not have the version before `order.version`
 */
export async function writeChanged(
  transaction: Transaction<Tables>,
  engine: Engine,
  order: OrderRow,
): Promise<boolean> {
  if (!(await writeOrder(transaction, engine, order))) return false;
  const { intent_id: intentId, outcome, request_id: requestId } = order;
  if (outcome === 'succeeded') await setPaid(transaction, { requestId, intentId });
  return true;
}

/**
 * Does the same, and counts one more event of the intent.
 *
 * @returns the intent, or null when it was deleted; false as `writeChanged` does
 */
export async function writeAndCount(
  transaction: Transaction<Tables>,
  engine: Engine,
  order: OrderRow,
): Promise<CountedIntent | null | false> {
  if (engine.hasMonths) return writeAndCountAtOnce(transaction, engine, order);
  if (!(await writeChanged(transaction, engine, order))) return false;
  return firstOf(await countOneEvent(transaction, { intentId: order.intent_id })) ?? null;
}
