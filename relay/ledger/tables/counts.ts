/**
 * Adds up changed intents by hour. What each intent was counted as stands in a table of its own, so
 * that a change is a difference, and a pay writes nothing for it.
 *
 * Who changes the counts has locked the row of the cursor first. So no two relays count a change
 * twice, and no intent is counted after it was deleted.
 */
import { z } from 'zod';
import {
  changedCount,
  countChanges,
  countedOrders,
  readCounted,
  type CountChange,
  type CountedOrder,
  type CountLedger,
  type HourCount,
} from '../counts.js';
import type { OnDamage } from '../damage.js';
import type { Intent } from '../intent.js';
import type { Reach } from '../shop-ledger.js';
import type { Engine } from './engine.js';
import { all, first, run, type Program } from './program.js';
import { bodyOf, readable, type IntentRecord } from './record.js';

/** The setting that says how far the list of changes is counted. */
const CURSOR = 'counted';
/** Its value while the counts are emptied: they are of another history, or a person asked. */
const EMPTYING = '';

/** The ledger's epoch, the last position that is counted, and the one where a rebuild ends. */
const cursorText = z.tuple([z.string(), z.int(), z.int()]);
type Cursor = z.infer<typeof cursorText>;

type State = Omit<Reach, 'is_standby'> & {
  readonly is_standby: boolean | number;
  readonly epoch: string;
  /** The text of the cursor; null when nothing was ever counted. */
  readonly text: string | null;
};

const stateOf = ({ reach }: Engine): string => `select last, settled, is_standby,
    (select value from settings where name = 'epoch') as epoch,
    (select value from settings where name = '${CURSOR}') as text
  from (${reach.orders}) as reach`;

/** @returns null when the counts are not of this history of the ledger */
function cursorOf({ epoch, last, text }: State): Cursor | null {
  if (text === null || text === EMPTYING) return null;
  const cursor = cursorText.parse(JSON.parse(text));
  return cursor[0] === epoch && cursor[1] <= last ? cursor : null;
}

export function countsIn(engine: Engine, onDamage: OnDamage): CountLedger {
  const { read, rebuildable, write } = engine;
  const countNext = async (limit: number): Promise<'emptied' | 'more' | 'done'> => {
    const step = await read(() => nextStep(engine, limit));
    if (step === null) return 'done';
    return rebuildable(() =>
      'start' in step ? empty(engine, step, limit) : add(engine, step, onDamage),
    );
  };
  return {
    countChanges: async (limit) => {
      for (;;) {
        const next = await countNext(limit);
        if (next !== 'emptied') return next === 'more';
      }
    },
    recount: () => write(() => lockCursor(EMPTYING)),
    hourCounts: ({ since, until }) =>
      read(function* () {
        const cursor = yield* first<State>(stateOf(engine));
        const [, position, end] = (cursor && cursorOf(cursor)) ?? ['', -1, 0];
        const rows = yield* all<StoredCount & Omit<HourCount, 'paid_after'>>(
          `select hour, option, currency, outcome, orders, amount, paid_after from hour_counts
            where hour >= $1 and hour <= $2 order by hour`,
          since,
          until,
        );
        return { counts: rows.map(countOf), isComplete: position >= end };
      }),
  };
}

/** Empties a part of the counts: they begin at `start`. */
type Emptying = { readonly from: string | null; readonly start: Cursor };
/** Counts what lies between the cursor and the next one. */
type Adding = {
  readonly from: string;
  readonly after: number;
  readonly next: Cursor;
  readonly isMore: boolean;
};

/** @returns null when nothing changed */
function* nextStep(engine: Engine, limit: number): Program<Emptying | Adding | null> {
  const state = yield* first<State>(stateOf(engine));
  if (state === null || state.is_standby) return null;
  const { epoch, settled, text } = state;
  const cursor = cursorOf(state);
  if (cursor === null || text === null) return { from: text, start: [epoch, 0, settled] };
  const [, after, end] = cursor;
  if (after >= settled) return null;
  const rows = yield* all<{ position: number }>(
    `select position from intents where position > $1 and position <= $2
      order by position limit $3`,
    after,
    settled,
    limit,
  );
  const reached = rows.length < limit ? undefined : rows.at(-1)?.position;
  const next: Cursor = [epoch, reached ?? settled, end];
  return { from: text, after, next, isMore: reached !== undefined };
}

/** @returns whether the cursor was still `from`: no other relay was faster */
function* moveCursor(from: string | null, to: string): Program<boolean> {
  const moved = yield* from === null
    ? run('insert into settings (name, value) values ($1, $2) on conflict do nothing', CURSOR, to)
    : run('update settings set value = $1 where name = $2 and value = $3', to, CURSOR, from);
  return moved > 0;
}

/** Locks the cursor, whatever it is, and replaces it when a value is given. */
function* lockCursor(value: string | null): Program<void> {
  yield* run(
    `insert into settings (name, value) values ($1, $2)
      on conflict (name) do update set value = coalesce($3, settings.value)`,
    CURSOR,
    EMPTYING,
    value,
  );
}

function* empty(
  { isAmong }: Engine,
  { from, start }: Emptying,
  limit: number,
): Program<'emptied' | 'more' | 'done'> {
  if (!(yield* moveCursor(from, EMPTYING))) return 'done';
  const intents = yield* run(
    `delete from counted where ${isAmong(
      'intent_id',
      `select intent_id from counted where intent_id >= '' order by intent_id limit $1`,
    )}`,
    limit,
  );
  const hours = yield* run(
    `delete from hour_counts where ${isAmong(
      'hour',
      'select hour from hour_counts where hour >= 0 order by hour limit $1',
    )}`,
    limit,
  );
  if (intents + hours > 0) return 'more';
  yield* moveCursor(EMPTYING, JSON.stringify(start));
  return 'emptied';
}

/** Where a rebuild ends that no position reaches, so that the counts are never called complete. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** An intent that cannot be read stays as it was counted before, until somebody counts anew. */
function* add(
  engine: Engine,
  { after, from, isMore, next }: Adding,
  onDamage: OnDamage,
): Program<'more' | 'done'> {
  if (!(yield* moveCursor(from, JSON.stringify(next)))) return 'done';
  const rows = yield* all<Pick<IntentRecord, 'body' | 'intent_id'>>(
    `select intent_id, body from intents where position > $1 and position <= $2
      order by position`,
    after,
    next[1],
  );
  const intents = readable(rows, bodyOf, onDamage);
  yield* countAgain(engine, intents);
  if (intents.length < rows.length)
    yield* moveCursor(JSON.stringify(next), JSON.stringify([next[0], next[1], NEVER]));
  return isMore ? 'more' : 'done';
}

/** Puts what the intents count as in the place of what they counted as. */
function* countAgain(engine: Engine, intents: readonly Intent[]): Program<void> {
  const before = yield* readCountedOf(
    engine,
    intents.map(({ intent_id }) => intent_id),
  );
  const [added, removed]: [CountedOrder[], CountedOrder[]] = [[], []];
  const texts: [intentId: string, text: string][] = [];
  for (const intent of intents) {
    const now = countedOrders(intent);
    const [text, was] = [JSON.stringify(now), before.get(intent.intent_id) ?? '[]'];
    if (text === was) continue;
    added.push(...now);
    removed.push(...readCounted(was));
    texts.push([intent.intent_id, text]);
  }
  if (texts.length === 0) return;
  yield* run(
    `insert into counted (intent_id, orders) ${engine.pairsIn(1)}
      on conflict (intent_id) do update set orders = excluded.orders`,
    JSON.stringify(Object.fromEntries(texts)),
  );
  yield* writeCounts(countChanges(added, removed));
}

/** Takes intents out of the counts, in the transaction that deletes them. */
export function* uncount(engine: Engine, intentIds: readonly string[]): Program<void> {
  yield* lockCursor(null);
  const before = yield* readCountedOf(engine, intentIds);
  yield* run(`delete from counted where ${isOneOf(engine)}`, JSON.stringify(intentIds));
  yield* writeCounts(countChanges([], [...before.values()].flatMap(readCounted)));
}

const isOneOf = ({ isAmong, textsIn }: Engine): string => isAmong('intent_id', textsIn(1));

function* readCountedOf(
  engine: Engine,
  intentIds: readonly string[],
): Program<ReadonlyMap<string, string>> {
  const rows = yield* all<{ intent_id: string; orders: string }>(
    `select intent_id, orders from counted where ${isOneOf(engine)}`,
    JSON.stringify(intentIds),
  );
  return new Map(rows.map(({ intent_id, orders }) => [intent_id, orders]));
}

type StoredCount = { orders: number; amount: string; paid_after: string };

const paidAfter = z.record(z.string(), z.int());
const countOf = <T extends StoredCount>(
  row: T,
): Omit<T, 'paid_after'> & Pick<HourCount, 'paid_after'> => ({
  ...row,
  paid_after: paidAfter.parse(JSON.parse(row.paid_after)),
});

function* writeCounts(changes: readonly CountChange[]): Program<void> {
  for (const change of changes) {
    const { currency, hour, option, outcome } = change.cell;
    const cell = [hour, option, currency, outcome] as const;
    const before = yield* first<StoredCount>(
      `select orders, amount, paid_after from hour_counts
        where hour = $1 and option = $2 and currency = $3 and outcome = $4`,
      ...cell,
    );
    const count = changedCount(before && countOf(before), change);
    if (count === null)
      yield* run(
        `delete from hour_counts
          where hour = $1 and option = $2 and currency = $3 and outcome = $4`,
        ...cell,
      );
    else
      yield* run(
        `insert into hour_counts (hour, option, currency, outcome, orders, amount, paid_after)
          values ($1, $2, $3, $4, $5, $6, $7) on conflict (hour, option, currency, outcome)
          do update set orders = $5, amount = $6, paid_after = $7`,
        ...cell,
        count.orders,
        count.amount,
        JSON.stringify(count.paid_after),
      );
  }
}
