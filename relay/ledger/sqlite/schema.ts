/** The tables of a ledger in SQLite. */
import { GENERATION } from '../ledger-errors.js';

const SQL = `
create table intents (
  intent_id text not null unique,
  version integer not null,
  body text not null,
  created_at integer not null,
  due_at integer,
  leased_at integer,
  unpaid_due_at integer,
  open_as text,
  open_since integer,
  position integer not null);
create index intents_due on intents (due_at) where due_at is not null;
create index intents_unpaid on intents (unpaid_due_at) where unpaid_due_at is not null;
create index intents_open on intents (open_as, open_since) where open_as is not null;
create unique index intents_position on intents (position);
create index intents_old on intents (created_at);

create table requests (
  request_id text primary key,
  intent_id text not null,
  asked_at integer,
  first_signal_at integer,
  last_signal_at integer,
  signals integer not null default 0) without rowid;

create table lookups (
  kind text not null,
  text text not null,
  intent_id text not null,
  primary key (kind, text, intent_id)) without rowid;

create table events (
  seq integer primary key autoincrement,
  event_id text not null unique,
  intent_id text not null,
  sequence integer not null,
  type text not null,
  body text not null,
  created_at integer not null,
  tries integer not null,
  next_try_at integer,
  delivered_at integer,
  first_delivered_at integer,
  last_failure text,
  answers text not null default '[]',
  resent_at integer,
  resent_by text,
  erased_at integer,
  traceparent text);
create index events_due on events ((next_try_at > created_at), next_try_at, created_at)
  where next_try_at is not null;
create index events_of_intent on events (intent_id, seq);
create index events_since on events (created_at, seq);
create index events_undelivered on events (seq)
  where next_try_at is null and delivered_at is null;

create table pay_links (
  pay_link_id text primary key,
  token_digest text not null unique,
  terms text not null,
  uses integer not null,
  used integer not null,
  created_at integer not null,
  expires_at integer not null,
  revoked_at integer,
  revoked_by text,
  erased_at integer,
  erased_by text) without rowid;
create index pay_links_old on pay_links (expires_at);

create table deposit_addresses (
  customer_ref_id text not null,
  currency text not null,
  network text not null,
  address text not null,
  tag text not null,
  created_at integer not null,
  primary key (customer_ref_id, currency, network)) without rowid;
create index deposit_addresses_found on deposit_addresses (address);

create table hour_counts (
  hour integer not null,
  option text not null,
  currency text not null,
  outcome text not null,
  orders integer not null,
  amount text not null,
  paid_after text not null,
  primary key (hour, option, currency, outcome)) without rowid;
create table counted (intent_id text primary key, orders text not null) without rowid;

create table heartbeats (
  instance text primary key,
  beat integer not null,
  orders_settled integer not null,
  events_settled integer not null) without rowid;
create table settings (name text primary key, value text not null) without rowid;
`;

/** The statements that make the tables. */
export const SCHEMA: readonly string[] = SQL.split(';').filter((text) => text.trim() !== '');

/** The settings of a new ledger. */
export const newSettings = (): readonly (readonly [name: string, value: string])[] => [
  ['generation', String(GENERATION)],
  ['epoch', crypto.randomUUID()],
];
