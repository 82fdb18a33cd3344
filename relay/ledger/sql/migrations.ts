/** The ledger's tables, as the list of migrations that creates them. */
import { sql, type Kysely, type MigrationProvider } from 'kysely';
import { GENERATION } from '../ledger.js';
import { openOutcomes } from '../rows.js';
import type { Engine } from './engine.js';
import { createMonthsAhead, PARTITIONED } from './months.js';
import { SEQUENCES } from './postgres-numbers.js';

export const migrations = (engine: Engine): MigrationProvider => ({
  getMigrations: async () => ({
    '001_ledger': { up: (db: Kysely<unknown>) => createTables(db, engine) },
  }),
});

async function createTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const orders = engine.hasMonths ? ORDERS_BY_MONTH : ORDERS;
  for (const text of [...TABLES, ...orders, ...INDEXES]) await sql.raw(text).execute(db);
  await createMonthsAhead(db, engine);
  await sql`insert into settings (name, value)
    values ('generation', ${String(GENERATION)}), ('epoch', ${crypto.randomUUID()})`.execute(db);
}

const TABLES = [
  `create table intents (
    intent_id text primary key,
    mode text not null,
    content text not null,
    amount text not null,
    currency text not null,
    product_name text not null,
    customer_ref_id text not null,
    pay_currency text,
    remark text,
    return_url text,
    created_at bigint not null,
    current_request_id text,
    paid_request_id text,
    sku text,
    quantity integer,
    event_count integer not null,
    metadata text,
    close_reason text,
    closed_at bigint,
    unpaid_due_at bigint)`,
  `create table resolutions (
    request_id text primary key,
    resolved_as text not null,
    resolved_by text not null,
    note text not null,
    review_reason text not null,
    resolved_at bigint not null)`,
  `create table deposit_addresses (
    customer_ref_id text not null,
    currency text not null,
    network text not null,
    address text not null,
    tag text not null,
    created_at bigint not null,
    primary key (customer_ref_id, currency, network))`,
  `create table pay_links (
    pay_link_id text primary key,
    token_digest text not null unique,
    terms text not null,
    uses integer not null,
    used integer not null,
    created_at bigint not null,
    expires_at bigint not null,
    revoked_at bigint)`,
  `create table heartbeats (
    instance text primary key,
    beat bigint not null,
    orders_settled bigint not null,
    events_settled bigint not null)`,
  'create table settings (name text primary key, value text not null)',
];

const ORDER_COLUMNS = `
  request_id text not null,
  intent_id text not null,
  ordinal integer not null,
  option text not null,
  amount text not null,
  currency text not null,
  open_amount integer not null,
  had_customer integer not null,
  sending text not null,
  order_no text,
  first_status integer,
  status integer,
  outcome text not null,
  review_reason text,
  next_action text,
  late integer not null,
  created_at bigint not null,
  checked_at bigint,
  expires_at bigint,
  next_check_at bigint,
  version integer not null,
  asked_at bigint,
  changed_in bigint not null,
  lost_at bigint,
  resolved_as text,
  echoed_amount text,
  echoed_currency text,
  pay_currency text not null`;

const EVENT_COLUMNS = `
  event_id text not null,
  intent_id text not null,
  type text not null,
  body text not null,
  created_at bigint not null,
  tries integer not null,
  next_try_at bigint,
  delivered_at bigint,
  sequence integer not null`;

const ORDERS = [
  `create table orders (${ORDER_COLUMNS},
    primary key (request_id),
    foreign key (intent_id) references intents (intent_id),
    unique (intent_id, ordinal))`,
  `create table shop_events (
    seq integer primary key autoincrement, ${EVENT_COLUMNS},
    unique (event_id))`,
];

/**
 * Unique constraints of a partitioned table must include the month, so the identity of each order
 * is in `order_places`, a table of its own.
 */
const ORDERS_BY_MONTH = [
  `create table order_places (
    request_id text primary key,
    intent_id text not null references intents (intent_id),
    ordinal integer not null,
    intent_created_at bigint not null,
    unique (intent_id, ordinal))`,
  `create table orders (${ORDER_COLUMNS},
    intent_created_at bigint not null,
    primary key (request_id, intent_created_at)) partition by range (intent_created_at)`,
  `create table shop_events (
    seq bigint not null, ${EVENT_COLUMNS},
    intent_created_at bigint not null,
    primary key (seq, intent_created_at),
    unique (event_id, intent_created_at)) partition by range (intent_created_at)`,
  'create index orders_of_intent on orders (intent_id, ordinal)',
  ...SEQUENCES,
  ...PARTITIONED.map((table) => `create table ${table}_other partition of ${table} default`),
];

const INDEXES = [
  'create index intents_old on intents (created_at)',
  // a closed intent is kept until its retention ends: without it, its token could pay again
  `create index intents_without_order on intents (created_at)
    where current_request_id is null and closed_at is null`,
  'create index intents_unpaid on intents (unpaid_due_at) where unpaid_due_at is not null',
  'create index orders_due on orders (next_check_at) where next_check_at is not null',
  'create index orders_changed on orders (changed_in, request_id)',
  `create index orders_open on orders (outcome, created_at)
    where outcome in (${openOutcomes.map((outcome) => `'${outcome}'`).join()})`,
  `create index orders_unsent on orders (created_at) where sending = 'unsent' and ordinal = 1`,
  // an event is due at its creation, until it is leased, tried or resent; created_at makes the age
  // of the oldest waiting event readable from the index alone
  `create index shop_events_due on shop_events
    ((next_try_at > created_at), next_try_at, created_at) where next_try_at is not null`,
  'create index shop_events_of_intent on shop_events (intent_id, seq)',
  'create index shop_events_since on shop_events (created_at, seq)',
  'create index pay_links_old on pay_links (expires_at)',
];
