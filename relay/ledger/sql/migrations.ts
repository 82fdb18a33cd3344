/** The ledger's schema as a list of migrations; a released step never changes. */
import { sql, type Kysely, type Migration, type MigrationProvider } from 'kysely';
import type { Engine } from './engine.js';
import { laterSteps } from './later-migrations.js';

const steps = ({ autoIncrement, hasMonths }: Engine): Record<string, Migration> => ({
  '001_ledger': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('intents')
        .addColumn('intent_id', 'text', (column) => column.primaryKey())
        .addColumn('mode', 'text', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addColumn('amount', 'text', (column) => column.notNull())
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('product_name', 'text', (column) => column.notNull())
        .addColumn('customer_ref_id', 'text', (column) => column.notNull())
        .addColumn('pay_currency', 'text')
        .addColumn('remark', 'text')
        .addColumn('return_url', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('current_request_id', 'text')
        .addColumn('paid_request_id', 'text')
        .execute();
      await db.schema
        .createTable('orders')
        .addColumn('request_id', 'text', (column) => column.primaryKey())
        .addColumn('intent_id', 'text', (column) =>
          column.notNull().references('intents.intent_id'),
        )
        .addColumn('ordinal', 'integer', (column) => column.notNull())
        .addColumn('option', 'text', (column) => column.notNull())
        .addColumn('amount', 'text', (column) => column.notNull())
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('open_amount', 'integer', (column) => column.notNull())
        .addColumn('had_customer', 'integer', (column) => column.notNull())
        .addColumn('sending', 'text', (column) => column.notNull())
        .addColumn('order_no', 'text')
        .addColumn('first_status', 'integer')
        .addColumn('status', 'integer')
        .addColumn('outcome', 'text', (column) => column.notNull())
        .addColumn('review_reason', 'text')
        .addColumn('next_action', 'text')
        .addColumn('late', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('checked_at', 'bigint')
        .addColumn('expires_at', 'bigint')
        .addColumn('next_check_at', 'bigint')
        .addColumn('version', 'integer', (column) => column.notNull())
        .addUniqueConstraint('one_order_per_ordinal', ['intent_id', 'ordinal'])
        .execute();
      await db.schema
        .createIndex('orders_due')
        .on('orders')
        .column('next_check_at')
        .where(sql.ref('next_check_at'), 'is not', null)
        .execute();
      await db.schema
        .createTable('shop_events')
        .addColumn('seq', ...autoIncrement)
        .addColumn('event_id', 'text', (column) => column.notNull().unique())
        .addColumn('intent_id', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('tries', 'integer', (column) => column.notNull())
        .addColumn('next_try_at', 'bigint')
        .addColumn('delivered_at', 'bigint')
        .execute();
      await db.schema
        .createIndex('shop_events_waiting')
        .on('shop_events')
        .columns(['intent_id', 'seq'])
        .where(sql.ref('next_try_at'), 'is not', null)
        .execute();
      await db.schema
        .createTable('deposit_addresses')
        .addColumn('customer_ref_id', 'text', (column) => column.notNull())
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('tag', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_address', ['customer_ref_id', 'currency'])
        .execute();
      await db.schema
        .createTable('settings')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '002_several_relays': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('orders').addColumn('asked_at', 'bigint').execute();
      await db.schema
        .alterTable('orders')
        .addColumn('seq', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .createIndex('orders_changed')
        .on('orders')
        .columns(['seq', 'request_id'])
        .execute();
      await db.schema.createIndex('orders_old').on('orders').column('created_at').execute();
      await db.schema
        .createTable('instances')
        .addColumn('instance', 'text', (column) => column.primaryKey())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '003_lost_at': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('orders').addColumn('lost_at', 'bigint').execute();
    },
  },
  '004_identity': {
    up: async (db: Kysely<unknown>) => {
      const addTo = (table: string, column: string, type: 'text' | 'integer'): Promise<void> =>
        db.schema.alterTable(table).addColumn(column, type).execute();
      await addTo('intents', 'sku', 'text');
      await addTo('intents', 'quantity', 'integer');
      await db.schema
        .alterTable('intents')
        .addColumn('event_count', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await addTo('orders', 'resolved_as', 'text');
      await addTo('orders', 'echoed_amount', 'text');
      await addTo('orders', 'echoed_currency', 'text');
      await db.schema
        .alterTable('shop_events')
        .addColumn('sequence', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .createTable('attempts')
        .addColumn('attempt', 'text', (column) => column.primaryKey())
        .addColumn('intent_id', 'text', (column) => column.notNull())
        .execute();
      // before this step the attempt was the intent_id: a browser that kept one finds its order
      await sql`insert into attempts (attempt, intent_id)
        select intent_id, intent_id from intents where mode <> 'token'`.execute(db);
      // the rows do not say which of the three echoes differed
      await sql`update orders set review_reason = 'amount_mismatch'
        where review_reason = 'echo_mismatch'`.execute(db);
      await db.schema
        .createTable('resolutions')
        .addColumn('request_id', 'text', (column) => column.primaryKey())
        .addColumn('resolved_as', 'text', (column) => column.notNull())
        .addColumn('resolved_by', 'text', (column) => column.notNull())
        .addColumn('note', 'text', (column) => column.notNull())
        .addColumn('review_reason', 'text', (column) => column.notNull())
        .addColumn('resolved_at', 'bigint', (column) => column.notNull())
        .execute();
      // older addresses stay in deposit_addresses: their network is unknown, so the relay requests
      // new ones
      await db.schema
        .createTable('deposit_addresses_by_network')
        .addColumn('customer_ref_id', 'text', (column) => column.notNull())
        .addColumn('currency', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('tag', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_address_per_network', [
          'customer_ref_id',
          'currency',
          'network',
        ])
        .execute();
      await db.schema
        .createTable('heartbeats')
        .addColumn('instance', 'text', (column) => column.primaryKey())
        .addColumn('beat', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.dropTable('instances').execute();
      // A relay of the first generation cannot write orders without this column. If it could, it
      // would place a second order of an intent under another request_id.
      await db.schema.alterTable('orders').renameColumn('seq', 'changed_in').execute();
      await db
        .insertInto('settings' as never)
        .values([
          { name: 'generation', value: '2' },
          { name: 'epoch', value: crypto.randomUUID() },
        ] as never)
        .execute();
    },
  },
  '005_indexes': {
    up: async (db: Kysely<unknown>) => {
      const indexOn = (name: string, table: string, columns: string[]) =>
        db.schema.createIndex(name).on(table).columns(columns);
      await db.schema.dropIndex('shop_events_waiting').execute();
      // created_at makes the age of the oldest waiting event readable from the index alone
      await indexOn('shop_events_due', 'shop_events', ['next_try_at', 'created_at'])
        .where(sql.ref('next_try_at'), 'is not', null)
        .execute();
      await indexOn('shop_events_of_intent', 'shop_events', ['intent_id', 'seq']).execute();
      await indexOn('intents_old', 'intents', ['created_at']).execute();
      await indexOn('attempts_of_intent', 'attempts', ['intent_id']).execute();
      await indexOn('orders_unsent', 'orders', ['created_at'])
        .where(sql<boolean>`sending = 'unsent' and ordinal = 1`)
        .execute();
      await indexOn('intents_without_order', 'intents', ['created_at'])
        .where(sql.ref('current_request_id'), 'is', null)
        .execute();
      await db.schema.dropIndex('orders_old').execute();
    },
  },
  ...laterSteps(hasMonths),
});

export const migrations = (engine: Engine): MigrationProvider => ({
  getMigrations: async () => steps(engine),
});
