/** Leases, query slots, changes and heartbeats: with these, several relays share one ledger. */
import type { OnDamage } from '../damage.js';
import { orderInIntent } from '../intent.js';
import type { Ledger, SeenChange } from '../ledger.js';
import { repairing } from '../rules.js';
import type { Engine } from './engine.js';
import { repairEvents } from './events.js';
import { readReach } from './lists.js';
import { all, first, run } from './program.js';
import { allIntents, bodyOf, readable, RECORD_OF_REQUEST, type IntentRecord } from './record.js';

/** Rows that one call of `changes` returns; one step of `repairSchedules` repairs as many. */
const MAX_ROWS_PER_STEP = 1000;

type Following = Pick<
  Ledger,
  | 'changes'
  | 'claimQuerySlot'
  | 'forgetInstance'
  | 'heartbeat'
  | 'leaseDueOrders'
  | 'postpone'
  | 'repairSchedules'
>;

export function followingIn(engine: Engine, onDamage: OnDamage): Following {
  const { change, isAmong, read, relaxed, skipLocked } = engine;
  return {
    leaseDueOrders: async (now, until, limit) => {
      const isDue = await read(() =>
        first('select due_at from intents where due_at <= $1 order by due_at limit 1', now),
      );
      // most calls find nothing, and a read without a transaction delays no writer
      if (!isDue) return [];
      const rows = await relaxed(() =>
        // the body stays as it is; `asLeased` reads the two columns
        all<Pick<IntentRecord, 'body' | 'intent_id'>>(
          `update intents set due_at = $1, leased_at = $2 where ${isAmong(
            'intent_id',
            `select intent_id from intents where due_at <= $2
              order by due_at limit $3 ${skipLocked}`,
          )} returning intent_id, body`,
          until,
          now,
          limit,
        ),
      );
      return readable(rows, bodyOf, onDamage)
        .flatMap(({ orders }) => orders)
        .filter(({ next_check_at: at }) => at !== null && at <= now);
    },
    claimQuerySlot: (requestId, now, minGapMs, signals = null) =>
      relaxed(function* () {
        const [asked = null] = yield* allIntents(
          // a time in the future: the clock stepped back after it was written
          `update requests set asked_at = $1, signals = signals + $4,
              first_signal_at = case when first_signal_at <= $5 then first_signal_at
                else coalesce($5, first_signal_at) end,
              last_signal_at = case when last_signal_at >= $6 then last_signal_at
                else coalesce($6, last_signal_at) end
            where (asked_at is null or asked_at <= $2 or asked_at > $1) and request_id = $3
            returning ${RECORD_OF_REQUEST}`,
          now,
          now - minGapMs,
          requestId,
          signals?.count ?? 0,
          signals?.first ?? null,
          signals?.last ?? null,
        );
        return orderInIntent(asked, requestId);
      }),
    postpone: ({ intent_id, version = 0 }, until, now) =>
      relaxed(function* () {
        // as a lease, which `asLeased` reads
        const written = yield* run(
          'update intents set due_at = $1, leased_at = $2 where intent_id = $3 and version = $4',
          until,
          now,
          intent_id,
          version,
        );
        return written > 0;
      }),
    changes: async (cursor) => {
      const { last, settled } = await read(() => readReach(engine, 'orders'));
      const after = Number(cursor ?? settled);
      // a ledger restored from a backup may number its writes lower than the cursor
      if (cursor === null || after > last) return { cursor: String(settled), last, changed: [] };
      const rows = await read(() =>
        all<SeenChange & { position: number }>(
          `select intent_id, version, position from intents
            where position > $1 and position <= $2
            order by position limit $3`,
          after,
          settled,
          MAX_ROWS_PER_STEP,
        ),
      );
      const changed = rows.map(({ intent_id, version }) => ({ intent_id, version }));
      const reached = rows[MAX_ROWS_PER_STEP - 1]?.position ?? Math.max(after, settled);
      return { cursor: String(reached), last, changed };
    },
    heartbeat: async (instance) => {
      const orders = await read(() => readReach(engine, 'orders'));
      const events = await read(() => readReach(engine, 'events'));
      const beats = await relaxed(function* () {
        yield* run(
          `insert into heartbeats (instance, beat, orders_settled, events_settled)
            values ($1, 1, $2, $3) on conflict (instance) do update
            set beat = heartbeats.beat + 1, orders_settled = $2, events_settled = $3`,
          instance,
          orders.settled,
          events.settled,
        );
        return yield* all<{ instance: string; beat: number }>(
          'select instance, beat from heartbeats',
        );
      });
      return new Map(beats.map((row) => [row.instance, row.beat]));
    },
    forgetInstance: (instance, beat) =>
      relaxed(function* () {
        yield* run('delete from heartbeats where instance = $1 and beat = $2', instance, beat);
      }),
    repairSchedules: async (now, longest, from) => {
      if (from === null) await relaxed(() => repairEvents(now, longest.retryMs));
      const { ids, until } = await read(() => scheduledAfter(from ?? 0));
      for (const id of ids) {
        const asked = await read(() => askedIn(engine, id, onDamage));
        if (asked) await change(id, repairing(now, longest, asked));
      }
      return until;
    },
  };
}

/** @returns when each order of the intent was last queried; null when it cannot be read */
function* askedIn({ isAmong, textsIn }: Engine, intentId: string, onDamage: OnDamage) {
  const found = yield* all<Pick<IntentRecord, 'body' | 'intent_id'>>(
    'select intent_id, body from intents where intent_id = $1',
    intentId,
  );
  const [intent] = readable(found, bodyOf, onDamage);
  if (!intent) return null;
  const rows = yield* all<{ request_id: string; asked_at: number }>(
    `select request_id, asked_at from requests
      where asked_at is not null and ${isAmong('request_id', textsIn(1))}`,
    JSON.stringify(intent.orders.map(({ request_id }) => request_id)),
  );
  return new Map(rows.map(({ asked_at, request_id }) => [request_id, asked_at]));
}

type Scheduled = { intent_id: string; due_at: number };

/**
 * The column says when the first order of an intent is due. Another order of it may be scheduled
 * for later, so a repair begins with the intents that are due already.
 *
 * @returns `until`: where the next step begins, or null at the end
 */
function* scheduledAfter(from: number) {
  const rows = yield* all<Scheduled>(
    'select intent_id, due_at from intents where due_at > $1 order by due_at limit $2',
    from,
    MAX_ROWS_PER_STEP,
  );
  const until = rows[MAX_ROWS_PER_STEP - 1]?.due_at ?? null;
  // the next step begins after this time, so all intents of this time belong to this step
  const ofEnd =
    until === null
      ? []
      : yield* all<Scheduled>('select intent_id, due_at from intents where due_at = $1', until);
  return { ids: new Set([...rows, ...ofEnd].map(({ intent_id }) => intent_id)), until };
}
