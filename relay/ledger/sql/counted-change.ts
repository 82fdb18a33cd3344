/**
 * Changes an order and counts its event in one statement. PostgreSQL then has one request to answer
 * and not three.
 */
import { sql, type Transaction } from 'kysely';
import type { IntentRow, OrderRow } from '../rows.js';
import type { Engine } from './engine.js';
import { inMonthOfOrder } from './order-places.js';
import { changeOf, type OrderChange } from './order-table.js';
import { firstOf, ofEngine, prepared } from './prepared.js';
import { changesOf } from './row-parts.js';
import type { CountedIntent } from './sql-events.js';
import type { Tables } from './tables.js';

/** Does what `writeAndCount` does, and returns the same. */
export async function writeAndCountAtOnce(
  transaction: Transaction<Tables>,
  engine: Engine,
  order: OrderRow,
): Promise<CountedIntent | null | false> {
  const { intent_id: intentId, outcome, request_id: requestId, version } = order;
  const found = firstOf(
    await changeAndCount(engine)(transaction, {
      row: changeOf(order),
      requestId,
      intentId,
      before: version - 1,
      paidBy: outcome === 'succeeded' ? requestId : null,
    }),
  );
  if (!found?.is_written) return false;
  const { is_written: _, ...counted } = found;
  return counted.intent_id === null ? null : counted;
}

type Change = {
  row: OrderChange;
  requestId: string;
  intentId: string;
  before: number;
  paidBy: string | null;
};
type Counted = { is_written: boolean } & (CountedIntent | Record<keyof IntentRow, null>);

/**
 * The order is written before its intent, as in all transactions, so that two cannot deadlock. A
 * join with `written` in place of the identifier could read all intents.
 */
const changeAndCount = ofEngine((engine) =>
  prepared((db, { before, intentId, paidBy, requestId, row }: Change) => {
    return {
      compile: () =>
        sql<Counted>`
          with written as (
            update orders set ${changesOf(row)}, changed_in = ${engine.nextOrder}
            where request_id = ${requestId} and version = ${before}
              and ${inMonthOfOrder(requestId)}
            returning 1
          ), counted as (
            update intents set event_count = event_count + 1,
              paid_request_id = coalesce(paid_request_id, ${paidBy})
            where intent_id = ${intentId} and exists (select 1 from written)
            returning intents.*, (select value from settings where name = 'epoch') as epoch
          )
          select exists (select 1 from written) as is_written, counted.*
          from (select 1) as one left join counted on true`.compile(db),
    };
  }),
);
