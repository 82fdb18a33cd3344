/** The events for the shop: a relay leases each before it delivers it. */
import type { LeasedEvent, Ledger } from '../ledger.js';
import type { ShopEventRow } from '../rows.js';
import type { Asked } from '../shop-ledger.js';
import { createBatch } from './batch.js';
import type { Engine } from './engine.js';
import { all, first, run, type Program } from './program.js';

type Outbox = Pick<Ledger, 'leaseDueEvents' | 'recordDelivery' | 'outbox' | 'resend'>;

/** The columns of a `ShopEventHead`. */
export const EVENT_HEAD =
  'seq, event_id, intent_id, sequence, type, created_at, tries, next_try_at, ' +
  'delivered_at, first_delivered_at, last_failure, answers, resent_at, resent_by, erased_at, ' +
  'traceparent';
/** The columns of a `ShopEventRow`. */
export const EVENT = `${EVENT_HEAD}, body`;

/**
 * 1 when an event was leased, tried or resent; a fresh one is due at its creation. It is a number,
 * because PostgreSQL finds no index for a boolean that must be false.
 */
export const IS_REPEATED = '(case when next_try_at > created_at then 1 else 0 end)';

/** The order of the index of waiting events, by which they are all read. */
export const FIRST_OF_WAITING = `${IS_REPEATED}, next_try_at, created_at`;

type Delivered = LeasedEvent & { at: number; answers: string | undefined };

/** How long a delivered event waits for others before it is recorded. */
const COLLECT_DELIVERED_MS = 10;

/** A power cut may undo leases and results of tries; then an event is delivered again. */
export function outboxIn(engine: Engine): Outbox {
  const { read, relaxed, write } = engine;
  const recordDelivered = createBatch(
    (delivered: readonly Delivered[]) => relaxed(() => setDelivered(engine, delivered)),
    COLLECT_DELIVERED_MS,
  );
  return {
    leaseDueEvents: async (now, until, limit) => {
      // most calls find nothing, and a read without a transaction delays no writer
      if (!(await read(() => someDue(now)))) return [];
      const leased = await relaxed(() => lease(engine, now, until, limit));
      // the longest due are leased, and returned in the order in which they were written
      return leased.sort((one, other) => one.seq - other.seq);
    },
    recordDelivery: async (event, outcome, answers) => {
      if ('deliveredAt' in outcome)
        return recordDelivered({ ...event, at: outcome.deliveredAt, answers });
      const { event_id, next_try_at, tries } = event;
      await relaxed(() =>
        run(
          `update events set next_try_at = $1, tries = $2, last_failure = $3,
              answers = coalesce($6, answers)
            where event_id = $4 and next_try_at = $5`,
          outcome.nextTryAt,
          tries + 1,
          outcome.failure,
          event_id,
          next_try_at,
          answers ?? null,
        ),
      );
    },
    resend: (eventIds, now, asked) => write(() => makeDue(engine, eventIds, now, asked)),
    outbox: () =>
      read(function* () {
        const found = yield* first<{ waiting: number; oldest: number | null; stopped: number }>(
          `select count(*) as waiting, min(created_at) as oldest,
              (select count(*) from events where next_try_at is null and delivered_at is null
                and tries > 0 and erased_at is null) as stopped
            from events where next_try_at is not null and delivered_at is null`,
        );
        return found ?? { waiting: 0, oldest: null, stopped: 0 };
      }),
  };
}

const FIRST_DUE = [0, 1].map(
  (isRepeated) => `(select seq from events
      where ${IS_REPEATED} = ${isRepeated} and next_try_at <= $1 order by next_try_at limit 1)`,
);

function* someDue(now: number): Program<boolean> {
  const found = yield* first<{ seq: number | null }>(
    `select coalesce(${FIRST_DUE.join()}) as seq`,
    now,
  );
  return (found?.seq ?? null) !== null;
}

/** Those that were never tried come first, and of both the longest due. */
function lease(
  { isAmong, skipLocked }: Engine,
  now: number,
  until: number,
  limit: number,
): Program<ShopEventRow[]> {
  const due = (isRepeated: 0 | 1): string => `select seq from (
      select seq from events where ${IS_REPEATED} = ${isRepeated} and next_try_at <= $2
      order by next_try_at limit $3 ${skipLocked}) as due`;
  const seqs = `${due(0)} union all ${due(1)} limit $3`;
  return all(
    `update events set next_try_at = $1 where ${isAmong('seq', seqs)} returning ${EVENT}`,
    until,
    now,
    limit,
  );
}

/**
 * Events that were delivered together get the time of the last one. While an event is leased, its
 * `next_try_at` is the end of the lease. With another value somebody has made it due or leased it
 * again during the delivery, and it keeps its next try.
 */
function* setDelivered(
  { isAmong, pairsIn, textsIn }: Engine,
  delivered: readonly Delivered[],
): Program<void> {
  const at = Math.max(...delivered.map((event) => event.at));
  for (const leasedUntil of new Set(delivered.map(({ next_try_at }) => next_try_at))) {
    const events = delivered.filter(({ next_try_at }) => next_try_at === leasedUntil);
    yield* run(
      `update events set delivered_at = $1, next_try_at = nullif(next_try_at, $2),
          first_delivered_at = coalesce(first_delivered_at, $1),
          answers = coalesce(
            (select value from (${pairsIn(4)}) as told where told.key = event_id), answers)
        where ${isAmong('event_id', textsIn(3))}`,
      at,
      leasedUntil,
      JSON.stringify(events.map(({ event_id }) => event_id)),
      JSON.stringify(Object.fromEntries(events.map((event) => [event.event_id, event.answers]))),
    );
  }
}

/**
 * Makes events due, unless they are fresh or erased, or were delivered or leased since the request.
 */
function* makeDue(
  { isAmong, textsIn }: Engine,
  eventIds: readonly string[],
  now: number,
  { at, by, leaseEnd }: Asked,
): Program<void> {
  yield* run(
    `update events set next_try_at = $1, tries = 0, resent_at = $1, resent_by = $5
      where erased_at is null and not (tries = 0 and next_try_at is not null
          and ((next_try_at <= created_at and next_try_at <= $1)
            or next_try_at > $2))
        and not (delivered_at is not null and delivered_at > $3 and delivered_at <= $1)
        and ${isAmong('event_id', textsIn(4))}`,
    now,
    leaseEnd,
    at,
    JSON.stringify(eventIds),
    by,
  );
}

/** Shortens waits that became too long because the clock stepped back. */
export function* repairEvents(now: number, retryMs: readonly number[]): Program<void> {
  yield* run('update events set next_try_at = $1 where next_try_at > $1 and created_at > $1', now);
  for (const [tries, longest] of retryMs.entries())
    yield* run(
      'update events set next_try_at = $1 where next_try_at > $1 and tries = $2',
      now + longest,
      tries,
    );
}
