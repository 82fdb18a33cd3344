/** Changes an intent in SQLite, within the transaction of the caller. */
import {
  asLeased,
  claimsOrder,
  mayClaim,
  newLookups,
  nextVersion,
  orderOf,
  usesTaken,
  type Intent,
  type Rule,
} from '../intent.js';
import { GENERATION, GenerationError } from '../ledger-errors.js';
import type { ChangeAlso, Changed } from '../ledger.js';
import { linkOfIntent, type PayLinkRow } from '../pay-link-ledger.js';
import type { NewShopEvent } from '../rows.js';
import { LINK_BY_ID, takeUses } from '../tables/links.js';
import { first, run, type Program } from '../tables/program.js';
import { columnsOf, COLUMNS, intentOf, type IntentRecord } from '../tables/record.js';

/** Reads the intent, applies the rule, and writes the result. */
export function* changeIntent(
  intentId: string,
  rule: Rule,
  { known, payLink }: ChangeAlso,
): Program<Changed> {
  const { before, epoch, generation } = yield* readStored(intentId, known ?? null);
  const linkId = linkOfIntent(intentId) ?? payLink?.pay_link_id;
  const link = linkId === undefined ? null : yield* first<PayLinkRow>(LINK_BY_ID, linkId);
  if (!mayClaim(payLink, link, before)) return { result: 'link_closed', intent: before };
  const change = rule(before, epoch);
  if (!change) return { result: 'unchanged', intent: before };
  if (generation !== String(GENERATION) && claimsOrder(before, change.intent))
    throw new GenerationError(generation);
  const intent = { ...change.intent, version: nextVersion(before, change.intent) };
  // first, because nothing is written yet when another intent has the request_id
  for (const { request_id } of intent.orders)
    if (!orderOf(before, request_id) && !(yield* insertRequest(request_id, intentId)))
      return { result: 'unchanged', intent: before };
  yield* writeIntent(intent, before);
  for (const event of change.events ?? []) yield* insertEvent(event);
  if (link) yield* takeUses(link, usesTaken(before, intent));
  return { result: 'written', intent };
}

type Stored = { before: Intent | null; epoch: string; generation: string | null };
/** `body` is null when the ledger lacks the intent, or when the caller knows this version. */
type StoredRecord = Omit<Stored, 'before'> &
  Omit<IntentRecord, 'body' | 'intent_id'> & { readonly body: string | null };

/** @param known is not read and parsed again when it is the stored version */
function* readStored(intentId: string, known: Intent | null): Program<Stored> {
  const found = yield* first<StoredRecord>(
    `select case when intents.version = $1 then null else intents.body end as body,
        intents.due_at, intents.leased_at, intents.version,
        (select value from settings where name = 'generation') as generation,
        (select value from settings where name = 'epoch') as epoch
      from (select 1) as one left join intents on intents.intent_id = $2`,
    known?.version ?? null,
    intentId,
  );
  if (!found) return { before: null, epoch: '', generation: null };
  const { body, epoch, generation, ...columns } = found;
  if (body !== null) {
    const before = intentOf({ intent_id: intentId, body, ...columns });
    return { before, epoch, generation };
  }
  const isKnown = known !== null && columns.version === known.version;
  const before = isKnown ? asLeased(known, columns.due_at, columns.leased_at) : null;
  return { before, epoch, generation };
}

/** @returns 0 when another intent has the request_id */
const insertRequest = (requestId: string, intentId: string): Program<number> =>
  run(
    'insert into requests (request_id, intent_id) values ($1, $2) on conflict do nothing',
    requestId,
    intentId,
  );

/** SQLite has one writer at a time, so a simple counter misses no write. */
const NEXT_POSITION = '(select coalesce(max(position), 0) + 1 from intents)';

const UPDATE = `update intents
  set ${COLUMNS.map((name, index) => `${name} = $${index + 1}`).join()},
    version = $6, leased_at = null, position = ${NEXT_POSITION} where intent_id = $7`;
const INSERT = `insert into intents (${COLUMNS.join()}, version, intent_id, created_at, position)
  values ($1, $2, $3, $4, $5, $6, $7, $8, ${NEXT_POSITION})`;

function* writeIntent(intent: Intent, before: Intent | null): Program<void> {
  const { created_at, intent_id, version = 1 } = intent;
  const values = [...columnsOf(intent), version, intent_id] as const;
  if (before) yield* run(UPDATE, ...values);
  else yield* run(INSERT, ...values, created_at);
  for (const [kind, text] of newLookups(before, intent))
    yield* run(
      'insert into lookups (kind, text, intent_id) values ($1, $2, $3) on conflict do nothing',
      kind,
      text,
      intent_id,
    );
}

const insertEvent = (event: NewShopEvent): Program<number> =>
  run(
    `insert into events
      (event_id, intent_id, sequence, type, body, created_at, next_try_at, tries, traceparent)
      values ($1, $2, $3, $4, $5, $6, $7, 0, $8)`,
    event.event_id,
    event.intent_id,
    event.sequence,
    event.type,
    event.body,
    event.created_at,
    event.next_try_at,
    event.traceparent,
  );
