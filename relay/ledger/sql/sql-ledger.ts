/** The ledger as SQL, over any dialect of the SQL builder. */
import { Kysely, Migrator } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { OrderRow } from '../rows.js';
import type { Engine } from './engine.js';
import { migrations } from './migrations.js';
import { sqlFollowing } from './sql-following.js';
import { sqlOutbox } from './sql-outbox.js';
import { fromTable, toTable } from './order-table.js';
import type { Tables } from './tables.js';

/** Opens the ledger and brings its schema up to date. */
export async function sqlLedger(engine: Engine): Promise<Ledger> {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const { error } = await new Migrator({ db, provider: migrations(engine) }).migrateToLatest();
  const forgetful = engine.forgetful ? new Kysely<Tables>({ dialect: engine.forgetful }) : db;
  if (error) throw new Error('the ledger could not be brought up to date', { cause: error });

  const order = async (requestId: string): Promise<OrderRow | null> => {
    const row = await db
      .selectFrom('orders')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirst();
    return row ? fromTable(row) : null;
  };

  return {
    openIntent: async (intent) => {
      await db
        .insertInto('intents')
        .values(intent)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return db
        .selectFrom('intents')
        .selectAll()
        .where('intent_id', '=', intent.intent_id)
        .executeTakeFirstOrThrow();
    },
    intent: async (intentId) =>
      (await db
        .selectFrom('intents')
        .selectAll()
        .where('intent_id', '=', intentId)
        .executeTakeFirst()) ?? null,
    claimOrder: async (claim, after) => {
      const claimed = await db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('intents')
          .set({ current_request_id: claim.request_id })
          .where('intent_id', '=', claim.intent_id)
          .where('current_request_id', after === null ? 'is' : '=', after)
          .where('paid_request_id', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await transaction
          .insertInto('orders')
          .values({ ...toTable(claim), seq: engine.stamp })
          .execute();
        return true;
      });
      if (claimed) return { claimed, order: claim };
      const row = await db
        .selectFrom('orders')
        .innerJoin('intents', 'intents.current_request_id', 'orders.request_id')
        .selectAll('orders')
        .where('intents.intent_id', '=', claim.intent_id)
        .executeTakeFirstOrThrow();
      return { claimed, order: fromTable(row) };
    },
    order,
    ordersOf: async (intentId) =>
      (
        await db
          .selectFrom('orders')
          .selectAll()
          .where('intent_id', '=', intentId)
          .orderBy('ordinal')
          .execute()
      ).map(fromTable),
    replaceOrder: (row, eventsFor = () => []) =>
      db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('orders')
          .set({ ...toTable(row), seq: engine.stamp })
          .where('request_id', '=', row.request_id)
          .where('version', '=', row.version - 1)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        if (row.outcome === 'succeeded')
          await transaction
            .updateTable('intents')
            .set({ paid_request_id: row.request_id })
            .where('intent_id', '=', row.intent_id)
            .where('paid_request_id', 'is', null)
            .execute();
        // held until the commit, so that events of one intent are counted in the order of their commits
        const intent = await engine
          .lock(
            transaction
              .selectFrom('intents')
              .select('paid_request_id')
              .where('intent_id', '=', row.intent_id),
          )
          .executeTakeFirst();
        const events = eventsFor(intent?.paid_request_id ?? null);
        const written = events.map((event) => ({
          ...event,
          tries: 0,
          next_try_at: event.created_at,
          delivered_at: null,
        }));
        if (written.length > 0)
          await transaction.insertInto('shop_events').values(written).execute();
        return true;
      }),
    ...sqlOutbox(db),
    ...sqlFollowing(db, forgetful, engine),
    depositAddress: async (customerRefId, currency) =>
      (await db
        .selectFrom('deposit_addresses')
        .selectAll()
        .where('customer_ref_id', '=', customerRefId)
        .where('currency', '=', currency)
        .executeTakeFirst()) ?? null,
    keepDepositAddress: async (row) => {
      await db
        .insertInto('deposit_addresses')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return db
        .selectFrom('deposit_addresses')
        .selectAll()
        .where('customer_ref_id', '=', row.customer_ref_id)
        .where('currency', '=', row.currency)
        .executeTakeFirstOrThrow();
    },
    keepSetting: async (name, value) => {
      await db
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (
        await db
          .selectFrom('settings')
          .select('value')
          .where('name', '=', name)
          .executeTakeFirstOrThrow()
      ).value;
    },
    close: async () => {
      await db.destroy();
      if (forgetful !== db) await forgetful.destroy();
    },
  };
}
