/** The ledger in the tables of a database. */
import { failOnDamage, type OnDamage } from '../damage.js';
import { orderInIntent, type Intent } from '../intent.js';
import { GENERATION, GenerationError } from '../ledger-errors.js';
import type { Ledger } from '../ledger.js';
import { countsIn } from './counts.js';
import type { Engine } from './engine.js';
import { outboxIn } from './events.js';
import { followingIn } from './following.js';
import { linksIn } from './links.js';
import { listsIn } from './lists.js';
import { operatorIn } from './operator.js';
import { all, first, run, type Program } from './program.js';
import { allIntents, intentOf, OF_ORDER, readable, RECORD, type IntentRecord } from './record.js';
import { retentionIn } from './retention.js';
import { verifyIn } from './verify.js';

/** @param onDamage by default, a list with an intent that cannot be read fails */
export function tablesLedger(engine: Engine, onDamage: OnDamage = failOnDamage): Ledger {
  const { backup, change, checkFile, close, now, read, write } = engine;
  const intent = async (text: string, id: string): Promise<Intent | null> =>
    (await read(() => allIntents(text, id)))[0] ?? null;
  const setting = (name: string): Promise<string | null> => read(() => readSetting(name));
  return {
    ...outboxIn(engine),
    ...followingIn(engine, onDamage),
    ...listsIn(engine),
    ...retentionIn(engine, onDamage),
    ...linksIn(engine),
    ...operatorIn(engine, onDamage),
    ...countsIn(engine, onDamage),
    change,
    intent: (id) => intent(`select ${RECORD} from intents where intent_id = $1`, id),
    find: async (requestId) => orderInIntent(await intent(OF_ORDER, requestId), requestId),
    dueUnpaid: (at, limit) =>
      read(function* () {
        // a page that cannot be read stays due, and must not hide those after it
        for (let skipped = 0; ; skipped += limit) {
          const rows = yield* all<IntentRecord>(
            `select ${RECORD} from intents where unpaid_due_at <= $1
              order by unpaid_due_at limit $2 offset $3`,
            at,
            limit,
            skipped,
          );
          const due = readable(rows, intentOf, onDamage);
          if (due.length > 0 || rows.length < limit) return due;
        }
      }),
    openOrders: () =>
      read(() =>
        all(
          `select open_as as outcome, count(*) as count, min(open_since) as oldest from intents
            where open_as in ('review', 'unmapped', 'confirming', 'pending') group by open_as`,
        ),
      ),
    setting,
    keepSetting: async (name, value) =>
      (await setting(name)) ??
      write(function* () {
        yield* run(
          'insert into settings (name, value) values ($1, $2) on conflict do nothing',
          name,
          value,
        );
        return (yield* readSetting(name)) ?? value;
      }),
    writeSetting: (name, value) =>
      write(function* () {
        yield* run(
          `insert into settings (name, value) values ($1, $2)
            on conflict (name) do update set value = $2`,
          name,
          value,
        );
      }),
    now: () => (now === null ? null : read(now)),
    ping: async () => {
      checkFile();
      const generation = await setting('generation');
      if (generation !== String(GENERATION)) throw new GenerationError(generation);
    },
    verify: () => read(() => verifyIn(engine)),
    backup,
    close,
  };
}

export function* readSetting(name: string): Program<string | null> {
  const found = yield* first<{ value: string }>('select value from settings where name = $1', name);
  return found?.value ?? null;
}
