/** The ledger as SQL, over any dialect of the SQL builder. */
import { Kysely, Migrator, sql } from 'kysely';
import { GENERATION, type Ledger } from '../ledger.js';
import { GenerationError } from '../ledger-errors.js';
import type { Engine } from './engine.js';
import { addMonthsAhead } from './months.js';
import { migrations } from './migrations.js';
import { findSetting, settingRow } from './setting-table.js';
import { sqlClosing } from './sql-closing.js';
import { sqlFollowing } from './sql-following.js';
import { sqlLists } from './sql-lists.js';
import { sqlOpenOrders } from './sql-open-orders.js';
import { sqlOrders } from './sql-orders.js';
import { sqlOutbox } from './sql-outbox.js';
import { sqlPayLinks } from './sql-pay-links.js';
import { sqlRetention } from './sql-retention.js';
import { sqlUnpaid } from './sql-unpaid.js';
import { sqlVerify } from './sql-verify.js';
import type { Tables } from './tables.js';

/**
 * What to do with the schema of an opened ledger. `migrate` makes the tables of a new ledger.
 * `check` refuses a new ledger. Both refuse a generation other than this relay's. `leave` neither
 * changes nor checks the schema, for a backup.
 */
export type SchemaUse = 'migrate' | 'check' | 'leave';

/**
 * Opens the ledger.
 *
 * @throws GenerationError when a relay of another generation has used this ledger
 */
export async function sqlLedger(engine: Engine, schema: SchemaUse = 'migrate'): Promise<Ledger> {
  const db = new Kysely<Tables>({ dialect: engine.dialect });
  const others = [engine.reader, engine.relaxedDurability].filter((dialect) => dialect !== null);
  const opened = new Map(others.map((dialect) => [dialect, new Kysely<Tables>({ dialect })]));
  const read = (engine.reader && opened.get(engine.reader)) ?? db;
  const relaxed = (engine.relaxedDurability && opened.get(engine.relaxedDurability)) ?? db;
  const close = async (): Promise<void> => {
    for (const database of [...opened.values(), db]) await database.destroy();
    engine.release();
  };
  try {
    if (schema !== 'leave') await refuseOtherGeneration(db, { isNewAllowed: schema === 'migrate' });
    if (schema === 'migrate') {
      await migrate(db, engine);
      // an order needs no month, and the purge tries again and reports the error
      await addMonthsAhead(db, engine).catch(() => {});
      await engine.migrated(db);
    }
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }

  const setting = (name: string): Promise<string | null> => findSetting(read, name);

  return {
    ...sqlOrders(db, read, engine),
    ...sqlOpenOrders(read),
    ...sqlOutbox({ db, read, relaxed }, engine),
    ...sqlClosing(db, engine),
    ...sqlLists(read, engine),
    ...sqlUnpaid(db, read, engine),
    ...sqlPayLinks(db, read, engine),
    ...sqlFollowing(read, relaxed, engine),
    ...sqlRetention(db, engine),
    ...sqlVerify(read, engine),
    depositAddress: async (customerRefId, currency, network) =>
      (await read
        .selectFrom('deposit_addresses')
        .selectAll()
        .where('customer_ref_id', '=', customerRefId)
        .where('currency', '=', currency)
        .where('network', '=', network)
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
        .where('network', '=', row.network)
        .executeTakeFirstOrThrow();
    },
    setting,
    keepSetting: async (name, value) => {
      const kept = await setting(name);
      if (kept !== null) return kept;
      await db
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return settingRow(db, name);
    },
    writeSetting: async (name, value) => {
      await db
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
    now: () => {
      const { now } = engine;
      if (now === null) return null;
      return sql<{ now: number }>`select ${now} as now`
        .execute(db)
        .then(({ rows: [row] }) => Number(row?.now));
    },
    ping: async () => {
      engine.checkFile();
      const generation = await setting('generation');
      if (generation !== String(GENERATION)) throw new GenerationError(generation);
    },
    close,
  };
}

/**
 * Reads the ledger's generation before the schema is changed, so that an unknown ledger is left as
 * it is.
 *
 * @throws GenerationError when the ledger has another generation, or is new and must not be
 */
async function refuseOtherGeneration(
  db: Kysely<Tables>,
  { isNewAllowed }: { isNewAllowed: boolean },
): Promise<void> {
  const tables = await db.introspection.getTables();
  const isNew = !tables.some(({ name }) => name === 'settings');
  if (isNew && isNewAllowed) return;
  const found = isNew ? null : await findSetting(db, 'generation');
  if (found !== String(GENERATION)) throw new GenerationError(found);
}

async function migrate(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrations(engine) }).migrateToLatest();
  if (error) throw new Error('the ledger could not be brought up to date', { cause: error });
}
