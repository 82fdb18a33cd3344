/** The tables of a ledger in PostgreSQL. */
import { SEQUENCES } from './numbers.js';

/**
 * Three tenths of each page stay free for new versions of its rows, so that most changes write no
 * index of a column that did not change.
 */
const FILLED = 'with (fillfactor = 70)';

/**
 * Compared byte by byte: an index in the order of a language finds no beginning of a text, and is
 * wrong after the database has moved to a system that orders this language otherwise.
 */
const TEXT = 'text collate "C"';

export const SCHEMA: readonly string[] = [
  `create table intents (
    intent_id ${TEXT} primary key,
    version bigint not null,
    body ${TEXT} not null,
    created_at bigint not null,
    due_at bigint,
    leased_at bigint,
    unpaid_due_at bigint,
    open_as ${TEXT},
    open_since bigint,
    position bigint not null) ${FILLED}`,
  'create index intents_due on intents (due_at) where due_at is not null',
  'create index intents_unpaid on intents (unpaid_due_at) where unpaid_due_at is not null',
  'create index intents_open on intents (open_as, open_since) where open_as is not null',
  'create unique index intents_position on intents (position)',
  'create index intents_old on intents (created_at)',
  `create table requests (
    request_id ${TEXT} primary key,
    intent_id ${TEXT} not null,
    asked_at bigint,
    first_signal_at bigint,
    last_signal_at bigint,
    signals integer not null default 0) ${FILLED}`,
  `create table lookups (
    kind ${TEXT} not null,
    text ${TEXT} not null,
    intent_id ${TEXT} not null,
    primary key (kind, text, intent_id))`,
  `create table events (
    seq bigint primary key,
    event_id ${TEXT} not null unique,
    intent_id ${TEXT} not null,
    sequence integer not null,
    type ${TEXT} not null,
    body ${TEXT} not null,
    created_at bigint not null,
    tries integer not null,
    next_try_at bigint,
    delivered_at bigint,
    first_delivered_at bigint,
    last_failure ${TEXT},
    answers ${TEXT} not null default '[]',
    resent_at bigint,
    resent_by ${TEXT},
    erased_at bigint,
    traceparent ${TEXT}) ${FILLED}`,
  `create index events_due on events ((next_try_at > created_at), next_try_at, created_at)
    where next_try_at is not null`,
  'create index events_of_intent on events (intent_id, seq)',
  'create index events_since on events (created_at, seq)',
  `create index events_undelivered on events (seq)
    where next_try_at is null and delivered_at is null`,
  `create table pay_links (
    pay_link_id ${TEXT} primary key,
    token_digest ${TEXT} not null unique,
    terms ${TEXT} not null,
    uses integer not null,
    used integer not null,
    created_at bigint not null,
    expires_at bigint not null,
    revoked_at bigint,
    revoked_by ${TEXT},
    erased_at bigint,
    erased_by ${TEXT})`,
  'create index pay_links_old on pay_links (expires_at)',
  `create table deposit_addresses (
    customer_ref_id ${TEXT} not null,
    currency ${TEXT} not null,
    network ${TEXT} not null,
    address ${TEXT} not null,
    tag ${TEXT} not null,
    created_at bigint not null,
    primary key (customer_ref_id, currency, network))`,
  'create index deposit_addresses_found on deposit_addresses (address)',
  `create table hour_counts (
    hour bigint not null,
    option ${TEXT} not null,
    currency ${TEXT} not null,
    outcome ${TEXT} not null,
    orders bigint not null,
    amount ${TEXT} not null,
    paid_after ${TEXT} not null,
    primary key (hour, option, currency, outcome)) ${FILLED}`,
  `create table counted (
    intent_id ${TEXT} primary key,
    orders ${TEXT} not null) ${FILLED}`,
  `create table heartbeats (
    instance ${TEXT} primary key,
    beat bigint not null,
    orders_settled bigint not null,
    events_settled bigint not null)`,
  `create table settings (name ${TEXT} primary key, value text not null)`,
  ...SEQUENCES,
];
