/** Claims, reads and writes of intents and their orders. */
import type { Kysely, Transaction } from 'kysely';
import { GENERATION, GenerationError, type Ledger } from '../ledger.js';
import type { CloseRefusal } from '../shop-ledger.js';
import type { IntentRow, OrderRow } from '../rows.js';
import type { Engine } from './engine.js';
import { intentRow } from './intent-table.js';
import { fromTable, toTable } from './order-table.js';
import { settingRow } from './setting-table.js';
import { insertIntent, KnownIntent, NotSuperseded, openSuperseding } from './sql-closing.js';
import { writeEvents } from './sql-events.js';
import type { Tables } from './tables.js';

type Orders = Pick<
  Ledger,
  | 'addLostOrder'
  | 'claimOrder'
  | 'intent'
  | 'intentOf'
  | 'order'
  | 'ordersOf'
  | 'reclaimOrder'
  | 'replaceOrder'
>;

/** Thrown to roll back a claim. */
class NotClaimable extends Error {}

/** @param read for reads outside a transaction */
export function sqlOrders(db: Kysely<Tables>, read: Kysely<Tables>, engine: Engine): Orders {
  const order = async (requestId: string): Promise<OrderRow | null> => {
    const row = await read
      .selectFrom('orders')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirst();
    return row ? fromTable(row) : null;
  };

  /** @returns false when the stored row does not have the version before `row.version` */
  const writeRow = async (transaction: Transaction<Tables>, row: OrderRow): Promise<boolean> => {
    const { numUpdatedRows } = await transaction
      .updateTable('orders')
      .set({ ...toTable(row), changed_in: engine.nextSequence })
      .where('request_id', '=', row.request_id)
      .where('version', '=', row.version - 1)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  return {
    claimOrder: async ({ intent, order: claim, after, attempt, supersedes = [] }) => {
      // a new intent is inserted with its order's request_id, which saves an update and keeps the
      // index of intents without an order empty
      const isFirst = after === null;
      const first = isFirst ? { ...intent, current_request_id: claim.request_id } : intent;
      const claimSuperseding = (formers: readonly IntentRow[]): Promise<IntentRow | null> =>
        db.transaction().execute(async (transaction) => {
          await checkGeneration(transaction);
          engine.checkFile();
          const opened =
            formers.length === 0
              ? await insertIntent(transaction, first)
              : await openSuperseding(transaction, first, formers, engine);
          if (attempt !== undefined)
            await transaction
              .insertInto('attempts')
              .values({ attempt, intent_id: intent.intent_id })
              .onConflict((conflict) => conflict.doNothing())
              .execute();
          const row =
            opened && isFirst
              ? opened
              : await replaceCurrent(transaction, intent, claim.request_id, after);
          if (!row) return null;
          await transaction
            .insertInto('orders')
            .values({ ...toTable(claim), changed_in: engine.nextSequence })
            .execute();
          return row;
        });
      let refused: CloseRefusal | undefined;
      const claimed = await claimSuperseding(isFirst ? supersedes : []).catch((error: unknown) => {
        if (error instanceof KnownIntent) return claimSuperseding([]);
        if (!(error instanceof NotSuperseded)) throw error;
        refused = error.reason;
        return null;
      });
      if (refused) return { claimed: false, intent, order: null, refused };
      if (claimed) return { claimed: true, intent: claimed, order: claim };
      const standing = await intentRow(db, intent.intent_id);
      const current = standing.current_request_id;
      return {
        claimed: false,
        intent: standing,
        order: current === null ? null : await order(current),
      };
    },
    addLostOrder: (lost, closed) =>
      db.transaction().execute(async (transaction) => {
        if (closed) await insertIntent(transaction, closed);
        const added = await transaction
          .insertInto('orders')
          .values({ ...toTable(lost), changed_in: engine.nextSequence })
          .onConflict((conflict) => conflict.doNothing())
          .returning('request_id')
          .executeTakeFirst();
        return added !== undefined;
      }),
    intent: async (intentId) =>
      (await read
        .selectFrom('intents')
        .selectAll()
        .where('intent_id', '=', intentId)
        .executeTakeFirst()) ?? null,
    intentOf: async (attempt) => {
      const row = await read
        .selectFrom('attempts')
        .select('intent_id')
        .where('attempt', '=', attempt)
        .executeTakeFirst();
      return row?.intent_id ?? null;
    },
    order,
    ordersOf: async (intentId) =>
      (
        await read
          .selectFrom('orders')
          .selectAll()
          .where('intent_id', '=', intentId)
          .orderBy('ordinal')
          .execute()
      ).map(fromTable),
    reclaimOrder: async (row) => {
      const reclaim = db.transaction().execute(async (transaction) => {
        await checkGeneration(transaction);
        engine.checkFile();
        // locks the order before its intent, as replaceOrder does, so that the two cannot deadlock
        if (!(await writeRow(transaction, row))) throw new NotClaimable();
        const intent = await engine
          .lock(
            transaction.selectFrom('intents').selectAll().where('intent_id', '=', row.intent_id),
          )
          .executeTakeFirst();
        const isCurrent = intent?.current_request_id === row.request_id;
        if (!isCurrent || intent.paid_request_id !== null || intent.closed_at !== null)
          throw new NotClaimable();
      });
      return reclaim.then(
        () => true,
        (error: unknown) => {
          if (error instanceof NotClaimable) return false;
          throw error;
        },
      );
    },
    replaceOrder: (row, eventsFor, resolution) =>
      db.transaction().execute(async (transaction) => {
        if (!(await writeRow(transaction, row))) return false;
        if (row.outcome === 'succeeded')
          await transaction
            .updateTable('intents')
            .set({ paid_request_id: row.request_id })
            .where('intent_id', '=', row.intent_id)
            .where('paid_request_id', 'is', null)
            .execute();
        if (resolution) await transaction.insertInto('resolutions').values(resolution).execute();
        if (!eventsFor) return true;
        // locked until the commit, so that events are numbered in the order of their commits
        const intent = await engine
          .lock(
            transaction.selectFrom('intents').selectAll().where('intent_id', '=', row.intent_id),
          )
          .executeTakeFirst();
        if (intent) await writeEvents(transaction, intent, engine, eventsFor);
        return true;
      }),
  };
}

/** Makes another order the current one, if the current one is still `after`. */
const replaceCurrent = (
  transaction: Transaction<Tables>,
  { content, intent_id }: IntentRow,
  requestId: string,
  after: string | null,
): Promise<IntentRow | undefined> =>
  transaction
    .updateTable('intents')
    .set({ current_request_id: requestId })
    .where('intent_id', '=', intent_id)
    .where('content', '=', content)
    .where('current_request_id', after === null ? 'is' : '=', after)
    .where('paid_request_id', 'is', null)
    .where('closed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

/**
 * A newer relay may have migrated the ledger while this one ran.
 *
 * @throws GenerationError
 */
async function checkGeneration(transaction: Transaction<Tables>): Promise<void> {
  const found = await settingRow(transaction, 'generation');
  if (found !== String(GENERATION)) throw new GenerationError(found);
}
