/** Deletes old intents and links in small steps, so that no step delays a customer. */
import type { OnDamage } from '../damage.js';
import { isPurged, lookupsOf, type Intent } from '../intent.js';
import type { Ledger } from '../ledger.js';
import { uncount } from './counts.js';
import type { Engine } from './engine.js';
import { all, run, type Program } from './program.js';
import { intentOf, readable, RECORD, type IntentRecord } from './record.js';

/** An intent that cannot be read stays: nobody knows whether it is over. */
export function retentionIn(
  engine: Engine,
  onDamage: OnDamage,
): Pick<Ledger, 'purge' | 'purgePayLinks' | 'purgeUnsent'> {
  const { isAmong, skipLocked, write } = engine;
  // The oldest come first; without `order by`, PostgreSQL would scan the rows that earlier steps
  // deleted, at every step. The rows stay locked: an unsent order may be claimed at this moment.
  return {
    // the second condition stands beside the range, so that the index finds where the step begins
    purge: (before, limit, after) =>
      write(function* () {
        const rows = yield* all<IntentRecord & { readonly created_at: number }>(
          `select ${RECORD}, created_at from intents where created_at >= $1 and created_at < $2
              and (created_at > $1 or intents.intent_id > $3)
            order by created_at, intents.intent_id limit $4 ${skipLocked}`,
          after?.at ?? 0,
          before,
          after?.id ?? '',
          limit,
        );
        const last = rows[limit - 1];
        const old = readable(rows, intentOf, onDamage).filter((intent) => isPurged(intent, before));
        return {
          deleted: yield* deleteIntents(engine, old, before),
          next: last ? { at: last.created_at, id: last.intent_id } : null,
        };
      }),
    purgeUnsent: (before, limit, after) =>
      write(function* () {
        // the next purge finds those that one step leaves of the same millisecond
        const rows = yield* all<IntentRecord & { readonly open_since: number }>(
          `select ${RECORD}, open_since from intents
            where open_as = 'unsent' and open_since > $1 and open_since < $2
            order by open_since limit $3 ${skipLocked}`,
          after,
          before,
          limit,
        );
        const old = readable(rows, intentOf, onDamage);
        return {
          deleted: yield* deleteIntents(engine, old, before),
          next: rows[limit - 1]?.open_since ?? null,
        };
      }),
    purgePayLinks: (before, limit) =>
      write(() =>
        run(
          `delete from pay_links where ${isAmong(
            'pay_link_id',
            `select pay_link_id from pay_links where expires_at < $1
              order by expires_at limit $2 ${skipLocked}`,
          )}`,
          before,
          limit,
        ),
      ),
  };
}

/**
 * In SQLite the next change gets the number after the highest one in the table, so the intent with
 * that number stays: two changes with one number would hide one of them from a list.
 */
function* deleteIntents(
  engine: Engine,
  intents: readonly Intent[],
  before: number,
): Program<number> {
  const { isAmong, keepsNewest, textsIn } = engine;
  const isOneOf = (column: string): string => isAmong(column, textsIn(1));
  // a young event that the shop has not heard of may be that of a payment
  const kept = yield* all<{ intent_id: string }>(
    `select intent_id from events
      where ${isOneOf('intent_id')} and next_try_at is not null and created_at >= $2`,
    JSON.stringify(intents.map(({ intent_id }) => intent_id)),
    before,
  );
  if (keepsNewest)
    kept.push(
      ...(yield* all<{ intent_id: string }>(
        'select intent_id from intents where position = (select max(position) from intents)',
      )),
    );
  const deleted = intents.filter((each) => !kept.some((row) => row.intent_id === each.intent_id));
  if (deleted.length === 0) return 0;
  const intentIds = deleted.map(({ intent_id }) => intent_id);
  yield* uncount(engine, intentIds);
  const ids = JSON.stringify(intentIds);
  const requests = deleted.flatMap(({ orders }) => orders.map(({ request_id }) => request_id));
  yield* run(`delete from requests where ${isOneOf('request_id')}`, JSON.stringify(requests));
  for (const intent of deleted)
    for (const [kind, text] of lookupsOf(intent))
      yield* run(
        'delete from lookups where kind = $1 and text = $2 and intent_id = $3',
        kind,
        text,
        intent.intent_id,
      );
  yield* run(`delete from events where ${isOneOf('intent_id')}`, ids);
  yield* run(`delete from intents where ${isOneOf('intent_id')}`, ids);
  return deleted.length;
}
