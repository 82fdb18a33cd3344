/** The ledger's schema, step by step; a step that was released is never changed. */
import { sql, type Kysely, type Migration, type MigrationProvider } from 'kysely';
import type { Engine } from './engine.js';

const steps = ({ counts }: Engine): Record<string, Migration> => ({
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
        .addColumn('seq', ...counts)
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
});

export const migrations = (engine: Engine): MigrationProvider => ({
  getMigrations: async () => steps(engine),
});
