/** The tables of a ledger, for both databases, and the generation that they have. */
import { GENERATION, GenerationError, NOT_OURS } from '../ledger-errors.js';
import { IS_REPEATED } from './events.js';
import { run, type Program } from './program.js';
import { readSetting } from './tables-ledger.js';

/** What the databases write differently. */
export type Dialect = {
  readonly text: string;
  /** A number of 64 bits. */
  readonly int: string;
  /** The place of an event, which the database gives or the sequencer. */
  readonly seq: string;
  /** Ends a table that is read by its primary key only. */
  readonly keyed: string;
  /** Ends a table whose rows change. */
  readonly changing: string;
};

/** The statements that make the tables. */
export const tablesOf = ({ changing, int, keyed, seq, text }: Dialect): readonly string[] =>
  `
create table intents (
  intent_id ${text} primary key not null,
  version ${int} not null,
  body ${text} not null,
  created_at ${int} not null,
  due_at ${int},
  leased_at ${int},
  unpaid_due_at ${int},
  open_as ${text},
  open_since ${int},
  position ${int} not null)${changing};
create index intents_due on intents (due_at) where due_at is not null;
create index intents_unpaid on intents (unpaid_due_at) where unpaid_due_at is not null;
create index intents_open on intents (open_as, open_since) where open_as is not null;
create unique index intents_position on intents (position);
create index intents_old on intents (created_at);

create table requests (
  request_id ${text} primary key,
  intent_id ${text} not null,
  asked_at ${int},
  first_signal_at ${int},
  last_signal_at ${int},
  signals integer not null default 0)${keyed}${changing};

create table lookups (
  kind ${text} not null,
  text ${text} not null,
  intent_id ${text} not null,
  primary key (kind, text, intent_id))${keyed};

create table events (
  seq ${seq},
  event_id ${text} not null unique,
  intent_id ${text} not null,
  sequence integer not null,
  type ${text} not null,
  body ${text} not null,
  created_at ${int} not null,
  tries integer not null,
  next_try_at ${int},
  delivered_at ${int},
  first_delivered_at ${int},
  last_failure ${text},
  answers ${text} not null default '[]',
  resent_at ${int},
  resent_by ${text},
  erased_at ${int},
  traceparent ${text})${changing};
create index events_due on events (${IS_REPEATED}, next_try_at, created_at)
  where next_try_at is not null;
create index events_of_intent on events (intent_id, seq);
create index events_since on events (created_at, seq);
create index events_undelivered on events (seq)
  where next_try_at is null and delivered_at is null;

create table pay_links (
  pay_link_id ${text} primary key,
  token_digest ${text} not null unique,
  terms ${text} not null,
  uses integer not null,
  used integer not null,
  created_at ${int} not null,
  expires_at ${int} not null,
  revoked_at ${int},
  revoked_by ${text},
  erased_at ${int},
  erased_by ${text})${keyed};
create index pay_links_old on pay_links (expires_at);

create table deposit_addresses (
  customer_ref_id ${text} not null,
  currency ${text} not null,
  network ${text} not null,
  address ${text} not null,
  tag ${text} not null,
  created_at ${int} not null,
  primary key (customer_ref_id, currency, network))${keyed};
create index deposit_addresses_found on deposit_addresses (address);

create table hour_counts (
  hour ${int} not null,
  option ${text} not null,
  currency ${text} not null,
  outcome ${text} not null,
  orders ${int} not null,
  amount ${text} not null,
  paid_after ${text} not null,
  primary key (hour, option, currency, outcome))${keyed}${changing};
create table counted (
  intent_id ${text} primary key,
  orders ${text} not null)${keyed}${changing};

create table heartbeats (
  instance ${text} primary key,
  beat ${int} not null,
  orders_settled ${int} not null,
  events_settled ${int} not null)${keyed};
create table settings (name ${text} primary key, value ${text} not null)${keyed}`.split(';');

type IsNew = () => Program<boolean>;

/**
 * @throws GenerationError when the ledger has another generation, or is new
 * @throws Error when the tables are of another program
 */
export function* checkGeneration(isNew: IsNew): Program<void> {
  if (yield* isNew()) throw new GenerationError(null);
  const found = yield* readSetting('generation');
  if (found === null) throw new Error(`ledger: ${NOT_OURS}`);
  if (found !== String(GENERATION)) throw new GenerationError(found);
}

/** @throws Error when another process made tables of another generation, or another program */
export function* makeTables(isNew: IsNew, statements: readonly string[]): Program<void> {
  if (!(yield* isNew())) return yield* checkGeneration(isNew);
  for (const statement of statements) yield* run(statement);
  for (const [name, value] of [
    ['generation', String(GENERATION)],
    ['epoch', crypto.randomUUID()],
  ] as const)
    yield* run('insert into settings (name, value) values ($1, $2)', name, value);
}
