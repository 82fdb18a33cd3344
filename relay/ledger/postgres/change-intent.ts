/**
 * Changes an intent in PostgreSQL. Most pays need one request for a claim and one for an answer:
 * the relay applies the rule to the intent as it knows it, and one statement writes the result
 * unless another writer was faster.
 */
import {
  claimsOrder,
  mayClaim,
  newLookups,
  nextVersion,
  orderOf,
  usesTaken,
  type Intent,
  type IntentChange,
  type Rule,
} from '../intent.js';
import { GENERATION, GenerationError, LedgerBusyError } from '../ledger-errors.js';
import type { ChangeAlso, Changed, Ledger } from '../ledger.js';
import { linkOfIntent, type PayLinkClaim, type PayLinkRow } from '../pay-link-ledger.js';
import { LINK_BY_ID, takeUses } from '../tables/links.js';
import { first, type Program, type SqlValue } from '../tables/program.js';
import { readSetting } from '../tables/tables-ledger.js';
import { columnsOf, COLUMNS, intentOf, RECORD, type IntentRecord } from '../tables/record.js';
import { NEXT_POSITION, NEXT_SEQ } from './numbers.js';

/** How often a change is tried while other writers are faster; then it waits for its turn. */
const MAX_TRIES = 3;
/** A change that has locked its intent loses only to the insert of the same intent. */
const MAX_LOCKED_TRIES = 2;

export type Run = <T>(program: () => Program<T>) => Promise<T>;

/** `epoch`: of the ledger when it was read; a restored ledger gets another one. */
type Known = { readonly intent: Intent | null; readonly epoch: string };

/**
 * @param each runs a program, each statement for itself
 * @param transaction runs a program as one transaction
 */
export function createChange(each: Run, transaction: Run): Ledger['change'] {
  let epoch: string | null = null;
  return async (intentId, rule, also = {}) => {
    const inTurn = async (linkId: string | null): Promise<Changed> => {
      for (let tries = 0; tries < MAX_LOCKED_TRIES; tries++) {
        const change = (): Program<Changed | null> => changeInTurn(intentId, linkId, rule, also);
        const changed = await transaction(change).catch(lostClaim);
        if (changed) return changed;
      }
      throw new LedgerBusyError('other relays change the same intent all the time');
    };
    const { known: given, payLink } = also;
    const linkId = payLink?.pay_link_id ?? linkOfIntent(intentId);
    /** @param known what the caller knows, which may be old; null: read */
    const tryOnce = async (known: Known | null): Promise<Changed | 'again' | 'in turn'> => {
      // one statement claims by a link only when the intent is known to be new
      if (payLink && known?.intent !== null) return 'in turn';
      const current = known ?? (await each(() => readKnown(intentId)));
      epoch = current.epoch;
      let change: IntentChange | null;
      try {
        change = rule(current.intent, epoch);
      } catch (error) {
        // the epoch may be one from before a restore
        if (known) return 'again';
        throw error;
      }
      if (!change) return known ? 'again' : { result: 'unchanged', intent: current.intent };
      if (!payLink && usesTaken(current.intent, change.intent) !== 0) return 'in turn';
      const written = change;
      const intent = await each(() => write(written, current, payLink)).catch(lostClaim);
      return intent ? { result: 'written', intent } : 'again';
    };
    const known = given === undefined || epoch === null ? null : { intent: given, epoch };
    let tried = await tryOnce(known);
    for (let tries = 1; tried === 'again' && tries < MAX_TRIES; tries++)
      tried = await tryOnce(null);
    return tried === 'again' || tried === 'in turn' ? inTurn(linkId) : tried;
  };
}

/** PostgreSQL's code for a value that exists already, from its manual, appendix A. */
const UNIQUE_VIOLATION = '23505';

/** The request_id of a new order belongs to another intent: the claim is lost. */
function lostClaim(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return null;
  throw error;
}

function* readKnown(intentId: string): Program<Known> {
  const found = yield* first<{ epoch: string | null } & (IntentRecord | { body: null })>(
    `select ${RECORD}, (select value from settings where name = 'epoch') as epoch
      from (select 1) as one left join intents on intents.intent_id = $1`,
    intentId,
  );
  const intent = found && found.body !== null ? intentOf(found) : null;
  return { intent, epoch: found?.epoch ?? '' };
}

/** Locks the intent, and before it the link, so that no other writer is faster. */
function* changeInTurn(
  intentId: string,
  linkId: string | null,
  rule: Rule,
  { payLink }: ChangeAlso,
): Program<Changed | null> {
  // the link is locked first, everywhere: two locks in another order would deadlock
  const link =
    linkId === null ? null : yield* first<PayLinkRow>(`${LINK_BY_ID} for update`, linkId);
  yield* first('select version from intents where intent_id = $1 for update', intentId);
  const known = yield* readKnown(intentId);
  const { intent: before } = known;
  if (!mayClaim(payLink, link, before)) return { result: 'link_closed', intent: before };
  const change = rule(before, known.epoch);
  if (!change) return { result: 'unchanged', intent: before };
  const intent = yield* write(change, known);
  if (!intent) return null;
  if (link) yield* takeUses(link, usesTaken(before, intent));
  return { result: 'written', intent };
}

/** The values that every write has first; `$6` is the version, `$7` the intent_id. */
const SET = COLUMNS.map((name, index) => `${name} = $${index + 1}`).join();
const UPDATED = `update intents
  set ${SET}, version = $6, leased_at = null, position = ${NEXT_POSITION}
  where intent_id = $7 and version = $6::bigint - 1`;
const INSERTED = `insert into intents
    (${COLUMNS.join()}, version, intent_id, created_at, position)
  select $1::text, $2::bigint, $3::bigint, $4::text, $5::bigint, $6::bigint, $7::text, $12::bigint,
    ${NEXT_POSITION}`;

/** What is written beside the intent, each from a JSON list; nothing when another was faster. */
const statement = (change: string, before = ''): string => `
  with ${before}changed as (${change} returning intent_id), asked as (
    insert into requests (request_id, intent_id)
    select value, intent_id from changed, json_array_elements_text($8::json)
  ), found as (
    insert into lookups (kind, text, intent_id)
    select list.kind, list.text, intent_id
    from changed, json_to_recordset($9::json) as list (kind text, text text)
    on conflict do nothing
  ), noted as (
    insert into events
      (event_id, intent_id, sequence, type, body, created_at, next_try_at, tries, traceparent, seq)
    select list.event_id, changed.intent_id, list.sequence, list.type, list.body, list.created_at,
      list.next_try_at, 0, list.traceparent, ${NEXT_SEQ}
    from changed, json_to_recordset($10::json) as list (event_id text, sequence integer, type text,
      body text, created_at bigint, next_try_at bigint, traceparent text)
  )
  select intent_id from changed`;

/** As `mayClaim` decides for an intent that is new; `$15` is the time. */
const MAY_CLAIM = 'revoked_at is null and (uses = 1 or (expires_at > $15 and used < uses))';

/** Every write is of the epoch that was read; one that claims an order, of this generation too. */
const WHEN = {
  any: `exists (select 1 from settings where name = 'epoch' and value = $11)`,
  claims: `exists (select 1 from settings where name = 'epoch' and value = $11)
    and exists (select 1 from settings where name = 'generation' and value = '${GENERATION}')`,
};
const UPDATE = {
  any: statement(`${UPDATED} and ${WHEN.any}`),
  claims: statement(`${UPDATED} and ${WHEN.claims}`),
};
const INSERT = {
  any: statement(`${INSERTED} where ${WHEN.any} on conflict do nothing`),
  claims: statement(`${INSERTED} where ${WHEN.claims} on conflict do nothing`),
};
/**
 * Takes a use of a link and inserts the intent, or does neither: a link is asked by many customers
 * at once, and each of them waits while another one holds its lock. An insert of the same intent
 * meanwhile fails this statement as a whole.
 */
const INSERT_BY_LINK = statement(
  `${INSERTED} from link`,
  `link as (
    update pay_links set used = used + $13
    where pay_link_id = $14 and ${MAY_CLAIM} and ${WHEN.claims}
      and not exists (select 1 from intents where intent_id = $7)
    returning pay_link_id
  ), `,
);

/**
 * @param payLink the link that a new intent is claimed by
 * @returns the intent as stored; null when another writer was faster, or the link is closed
 * @throws GenerationError
 */
function* write(
  { events = [], intent: changed }: IntentChange,
  { epoch, intent: before }: Known,
  payLink?: PayLinkClaim,
): Program<Intent | null> {
  const intent = { ...changed, version: nextVersion(before, changed) };
  const added = intent.orders.filter(({ request_id }) => !orderOf(before, request_id));
  const values: SqlValue[] = [
    ...columnsOf(intent),
    intent.version,
    intent.intent_id,
    JSON.stringify(added.map(({ request_id }) => request_id)),
    JSON.stringify(newLookups(before, intent).map(([kind, text]) => ({ kind, text }))),
    JSON.stringify(events),
    epoch,
  ];
  const claims = claimsOrder(before, changed);
  const when = claims ? 'claims' : 'any';
  if (!before) values.push(intent.created_at);
  if (payLink) values.push(usesTaken(before, intent), payLink.pay_link_id, payLink.now);
  const text = payLink ? INSERT_BY_LINK : (before ? UPDATE : INSERT)[when];
  const found = yield* first<object>(text, ...values);
  const generation = found || !claims ? null : yield* readSetting('generation');
  if (generation !== null && generation !== String(GENERATION))
    throw new GenerationError(generation);
  return found && intent;
}
