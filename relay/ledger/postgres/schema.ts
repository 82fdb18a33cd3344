/** The tables of a ledger in PostgreSQL. */
import { SEQUENCES } from './numbers.js';

/**
 * Three tenths of each page stay free for new versions of its rows, so that most changes write no
 * index of a column that did not change.
 */
const FILLED = 'with (fillfactor = 70)';

export const SCHEMA: readonly string[] = [
  `create table intents (
    intent_id text primary key,
    version bigint not null,
    body text not null,
    created_at bigint not null,
    due_at bigint,
    leased_at bigint,
    unpaid_due_at bigint,
    open_as text,
    open_since bigint,
    position bigint not null) ${FILLED}`,
  'create index intents_due on intents (due_at) where due_at is not null',
  'create index intents_unpaid on intents (unpaid_due_at) where unpaid_due_at is not null',
  'create index intents_open on intents (open_as, open_since) where open_as is not null',
  'create unique index intents_position on intents (position)',
  'create index intents_old on intents (created_at)',
  `create table requests (
    request_id text primary key,
    intent_id text not null,
    asked_at bigint) ${FILLED}`,
  `create table lookups (
    kind text not null,
    text text not null,
    intent_id text not null,
    primary key (kind, text, intent_id))`,
  `create table events (
    seq bigint primary key,
    event_id text not null unique,
    intent_id text not null,
    sequence integer not null,
    type text not null,
    body text not null,
    created_at bigint not null,
    tries integer not null,
    next_try_at bigint,
    delivered_at bigint) ${FILLED}`,
  `create index events_due on events ((next_try_at > created_at), next_try_at, created_at)
    where next_try_at is not null`,
  'create index events_of_intent on events (intent_id, seq)',
  'create index events_since on events (created_at, seq)',
  `create table pay_links (
    pay_link_id text primary key,
    token_digest text not null unique,
    terms text not null,
    uses integer not null,
    used integer not null,
    created_at bigint not null,
    expires_at bigint not null,
    revoked_at bigint)`,
  'create index pay_links_old on pay_links (expires_at)',
  `create table deposit_addresses (
    customer_ref_id text not null,
    currency text not null,
    network text not null,
    address text not null,
    tag text not null,
    created_at bigint not null,
    primary key (customer_ref_id, currency, network))`,
  `create table heartbeats (
    instance text primary key,
    beat bigint not null,
    orders_settled bigint not null,
    events_settled bigint not null)`,
  'create table settings (name text primary key, value text not null)',
  ...SEQUENCES,
];
