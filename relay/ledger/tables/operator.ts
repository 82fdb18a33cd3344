/** What an operator reads and erases. Each statement reads by an index. */
import type { OnDamage } from '../damage.js';
import type { Intent } from '../intent.js';
import {
  MAX_FOUND,
  MAX_UNDELIVERED,
  prefixed,
  type LookupKind,
  type OperatorLedger,
  type Place,
  type WalkBy,
} from '../operator-ledger.js';
import type { PayLinkRow } from '../pay-link-ledger.js';
import type { DepositAddressRow, ShopEventHead, ShopEventRow } from '../rows.js';
import type { Signals } from '../signals.js';
import type { Engine } from './engine.js';
import { EVENT, EVENT_HEAD, FIRST_OF_WAITING } from './events.js';
import { ADDRESS, LINK, LINK_BY_ID } from './links.js';
import { all, first, run, type Program } from './program.js';
import { allIntents, intentOf, readable, RECORD, type IntentRecord } from './record.js';

/** Selects the intents with such a text. `order by` makes PostgreSQL read by the index. */
const found: Readonly<Record<LookupKind, string>> = {
  request_id: inOrder('requests', 'request_id'),
  intent_id: inOrder('intents', 'intent_id'),
  order_no: inOrder('lookups', 'text', "kind = 'order_no' and "),
  customer_ref_id: inOrder('lookups', 'text', "kind = 'customer_ref_id' and "),
  pay_link_id: inOrder('lookups', 'text', "kind = 'pay_link_id' and "),
};

function inOrder(table: string, column: string, where = ''): string {
  return `select intent_id from ${table}
    where ${where}${column} >= $1 and ${column} <= $2 order by ${column} limit $3`;
}

/** The second condition stands beside the range, so that the index finds where the walk begins. */
const walk = (where: string, column: string): string => `select ${RECORD}, ${column} as at
  from intents where ${where}${column} >= $1 and ${column} <= $2
    and (${column} < $2 or intents.intent_id < $3)
  order by ${column} desc, intents.intent_id desc limit $4`;

/** After every id, in the order of bytes. */
const AFTER_ALL = '\u{10ffff}';

type Walked = IntentRecord & { readonly at: number };

const walksBy = (by: WalkBy): readonly string[] =>
  by === 'created'
    ? [walk('', 'created_at')]
    : by.map((outcome) => walk(`open_as = '${outcome}' and `, 'open_since'));

/** One step of a walk, the newest first. */
function* step(by: WalkBy, since: number, { at, id }: Place, limit: number): Program<Walked[]> {
  const rows: Walked[] = [];
  for (const text of walksBy(by)) rows.push(...(yield* all<Walked>(text, since, at, id, limit)));
  return rows.sort(newestFirst).slice(0, limit);
}

const newestFirst = (one: Walked, other: Walked): number =>
  other.at - one.at || (one.intent_id < other.intent_id ? 1 : -1);
const walked = (row: Walked): { at: number; intent: Intent } => ({
  at: row.at,
  intent: intentOf(row),
});

export function operatorIn(
  { isAmong, read, textsIn, write }: Engine,
  onDamage: OnDamage,
): OperatorLedger {
  return {
    search: (kind, { from, to }, limit) =>
      read(() =>
        allIntents(
          `select ${RECORD} from (select distinct intent_id from (${found[kind]}) as texts) as found
            join intents on intents.intent_id = found.intent_id
            order by intents.created_at desc, intents.intent_id desc limit $4`,
          from,
          to,
          MAX_FOUND,
          limit,
        ),
      ),
    intentsOfCustomer: (customerRefId, after, limit) =>
      read(() =>
        allIntents(
          `select ${RECORD} from lookups join intents on intents.intent_id = lookups.intent_id
            where lookups.kind = 'customer_ref_id' and lookups.text = $1 and lookups.intent_id > $2
            order by lookups.intent_id limit $3`,
          customerRefId,
          after,
          limit,
        ),
      ),
    signalsOf: (requestIds) =>
      read(function* () {
        const rows = yield* all<Signals & { readonly request_id: string }>(
          `select request_id, first_signal_at as first, last_signal_at as last, signals as count
            from requests where signals > 0 and ${isAmong('request_id', textsIn(1))}`,
          JSON.stringify(requestIds),
        );
        return new Map(rows.map(({ request_id, ...signals }) => [request_id, signals]));
      }),
    searchAddresses: ({ from, to }, limit) =>
      read(() =>
        all<DepositAddressRow>(
          `select ${ADDRESS} from deposit_addresses
            where address >= $1 and address <= $2 order by address limit $3`,
          from,
          to,
          limit,
        ),
      ),
    walkIntents: (by, { since, until }, after, limit) =>
      read(function* () {
        const found: { at: number; intent: Intent }[] = [];
        // a page that is not full ends the walk of the caller
        for (let from: Place | null = after ?? { at: until, id: AFTER_ALL }; from;) {
          const rows: Walked[] = yield* step(by, since, from, limit);
          found.push(...readable(rows, walked, onDamage));
          const last = found.length < limit ? rows[limit - 1] : undefined;
          from = last ? { at: last.at, id: last.intent_id } : null;
        }
        return found.slice(0, limit);
      }),
    oldestOpen: (outcome, until, limit) =>
      read(function* () {
        const rows = yield* all<IntentRecord>(
          `select ${RECORD} from intents where open_as = '${outcome}' and open_since <= $1
            order by open_since limit $2`,
          until,
          limit,
        );
        return readable(rows, intentOf, onDamage);
      }),
    walkEvents: ({ since, until }, after, limit) =>
      read(() =>
        all<ShopEventHead>(
          `select ${EVENT_HEAD} from events where created_at >= $1 and created_at <= $2
              and (created_at < $2 or seq < $3)
            order by created_at desc, seq desc limit $4`,
          since,
          after?.at ?? until,
          after ? Number(after.id) : Number.MAX_SAFE_INTEGER,
          limit,
        ),
      ),
    undelivered: () =>
      read(function* () {
        const waiting = yield* all<ShopEventHead>(
          `select ${EVENT_HEAD} from events where next_try_at is not null and delivered_at is null
            order by ${FIRST_OF_WAITING} limit $1`,
          MAX_UNDELIVERED,
        );
        const notSent = yield* all<ShopEventHead>(
          `select ${EVENT_HEAD} from events where next_try_at is null and delivered_at is null
            order by seq desc limit $1`,
          MAX_UNDELIVERED,
        );
        return [...waiting, ...notSent]
          .sort((one, other) => other.seq - one.seq)
          .slice(0, MAX_UNDELIVERED);
      }),
    eventsBefore: (since) =>
      read(function* () {
        // an event with a lower number may be a little younger, by the clock of another relay
        const row = yield* first<{ seq: number | null }>(
          `select min(seq) as seq from (select seq from events where created_at >= $1
            order by created_at, seq limit $2) as first`,
          since,
          MAX_FOUND,
        );
        return (row?.seq ?? Number.MAX_SAFE_INTEGER) - 1;
      }),
    event: (eventId) =>
      read(() => first<ShopEventRow>(`select ${EVENT} from events where event_id = $1`, eventId)),
    walkPayLinks: (after, limit) =>
      read(() =>
        all<PayLinkRow>(
          `select ${LINK} from pay_links
            where expires_at >= 0 and expires_at <= $1 and (expires_at < $1 or pay_link_id < $2)
            order by expires_at desc, pay_link_id desc limit $3`,
          after?.at ?? Number.MAX_SAFE_INTEGER,
          after?.id ?? AFTER_ALL,
          limit,
        ),
      ),
    payLinkById: (id) => read(() => first<PayLinkRow>(LINK_BY_ID, id)),
    settingsFrom: (prefix) =>
      read(function* () {
        const { from, to } = prefixed(prefix);
        const rows = yield* all<{ name: string; value: string }>(
          'select name, value from settings where name >= $1 and name <= $2',
          from,
          to,
        );
        return new Map(rows.map(({ name, value }) => [name, value]));
      }),
    eraseEvent: (eventId, body, at, hasReceiver) =>
      write(function* () {
        const written = yield* run(
          `update events set body = $1, erased_at = $2
            where event_id = $3 ${hasReceiver ? 'and next_try_at is null' : ''}`,
          body,
          at,
          eventId,
        );
        return written > 0;
      }),
    eraseLink: (id, terms, { at, by }) =>
      write(function* () {
        yield* run(
          `update pay_links set terms = $1, erased_at = $2, erased_by = $3
            where pay_link_id = $4`,
          ...[terms, at, by, id],
        );
      }),
    forgetCustomer: (customerRefId, intentIds) =>
      write(function* () {
        const lookups = yield* run(
          `delete from lookups where kind = 'customer_ref_id' and text = $1
            and (${isAmong('intent_id', textsIn(2))} or not exists (
              select 1 from intents where intents.intent_id = lookups.intent_id))`,
          customerRefId,
          JSON.stringify(intentIds),
        );
        const addresses = yield* run(
          'delete from deposit_addresses where customer_ref_id = $1',
          customerRefId,
        );
        return lookups + addresses > 0;
      }),
  };
}
