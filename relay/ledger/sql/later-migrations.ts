/** The later part of the list of migrations; a released step never changes. */
import { sql, type Kysely, type Migration } from 'kysely';
import { GENERATION } from '../ledger.js';
import { partitionByMonth } from './month-migration.js';

export const laterSteps = (hasMonths: boolean): Record<string, Migration> => ({
  '006_shop_contract': {
    up: async (db: Kysely<unknown>) => {
      const addTo = (table: string, column: string, type: 'text' | 'bigint'): Promise<void> =>
        db.schema.alterTable(table).addColumn(column, type).execute();
      for (const column of ['metadata', 'close_reason', 'superseded_by'])
        await addTo('intents', column, 'text');
      for (const column of ['closed_at', 'unpaid_due_at']) await addTo('intents', column, 'bigint');
      await db.schema.dropIndex('intents_without_order').execute();
      // a closed intent is kept until its retention ends: without it, its token could pay again
      await db.schema
        .createIndex('intents_without_order')
        .on('intents')
        .column('created_at')
        .where(sql<boolean>`current_request_id is null and closed_at is null`)
        .execute();
      await db.schema
        .createIndex('intents_unpaid')
        .on('intents')
        .column('unpaid_due_at')
        .where(sql.ref('unpaid_due_at'), 'is not', null)
        .execute();
      await db.schema
        .alterTable('shop_events')
        .addColumn('written_in', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      const index = (name: string, columns: string[]): Promise<void> =>
        db.schema.createIndex(name).on('shop_events').columns(columns).execute();
      await index('shop_events_written', ['written_in', 'seq']);
      await index('shop_events_since', ['created_at', 'seq']);
      // a relay of the second generation would place orders on closed intents
      await setGeneration(db, 3);
    },
  },
  '007_pay_currency': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('orders').addColumn('pay_currency', 'text').execute();
      // only a watched order is shown with its code; where the option set the currency, the relay
      // takes it from the option
      await sql`update orders
        set pay_currency =
          (select pay_currency from intents where intents.intent_id = orders.intent_id)
        where next_check_at is not null`.execute(db);
    },
  },
  '008_pay_links': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('pay_links')
        .addColumn('pay_link_id', 'text', (column) => column.primaryKey())
        .addColumn('token_digest', 'text', (column) => column.notNull().unique())
        .addColumn('terms', 'text', (column) => column.notNull())
        .addColumn('uses', 'integer', (column) => column.notNull())
        .addColumn('used', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .execute();
      await db.schema.createIndex('pay_links_old').on('pay_links').column('expires_at').execute();
      await db.schema
        .createTable('pay_link_uses')
        .addColumn('pay_link_id', 'text', (column) =>
          column.notNull().references('pay_links.pay_link_id'),
        )
        .addColumn('attempt', 'text', (column) => column.notNull())
        .addColumn('number', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_number_per_browser', ['pay_link_id', 'attempt'])
        .addUniqueConstraint('one_browser_per_number', ['pay_link_id', 'number'])
        .execute();
    },
  },
  '009_pay_link_browsers': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('pay_link_browsers')
        .addColumn('pay_link_id', 'text', (column) =>
          column.notNull().references('pay_links.pay_link_id'),
        )
        .addColumn('attempt', 'text', (column) => column.notNull())
        .addColumn('intent_id', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_intent_per_browser', ['pay_link_id', 'attempt'])
        .execute();
      // browsers that paid before keep their intents, which were named by numbers
      await sql`insert into pay_link_browsers (pay_link_id, attempt, intent_id)
        select pay_link_id, attempt, pay_link_id || '-' || number from pay_link_uses`.execute(db);
      await db.schema.dropTable('pay_link_uses').execute();
    },
  },
  '010_months': {
    up: async (db: Kysely<unknown>) => {
      if (hasMonths) await partitionByMonth(db);
      // a relay of the third generation would write orders without their places
      await setGeneration(db, GENERATION);
    },
  },
});

const setGeneration = async (db: Kysely<unknown>, generation: number): Promise<void> => {
  await sql`update settings set value = ${String(generation)} where name = 'generation'`.execute(
    db,
  );
};
