/** Follow: whoever waits for an order, and the sweep for those that nobody waits for (design §7). */
import type { OrderRow } from '../ledger/rows.js';
import { readOrder, type Changes } from './apply.js';
import { CLOSEST, createAsk } from './ask.js';
import type { Context } from './context.js';

/** How long a due order is kept from the other relays, in milliseconds; taken anew while it still stands in the queue. */
const DUE_LEASE = 10_000;
/** How soon a waiting request looks again at an order that is another's to ask about. */
const LOOK_AGAIN = 500;
/** Above so many waiting requests their ends are spread, by up to this part of the wait: after a restart all come back at once. */
const CROWD = 200;
const SPREAD = 0.4;
/** Multiples of it, without their whole part, fall evenly between 0 and 1. */
const GOLDEN = 0.618033988749895;

export type Follow = {
  /** Asks the service unless it was asked within the last second; what is known after `ms`, if the answer takes longer. */
  check(order: OrderRow, ms: number): Promise<OrderRow>;
  /** Asks the service even so: after a lost answer, and when the doorbell rings. */
  ask(order: OrderRow): Promise<OrderRow>;
  /** The order once its status differs from `knownStatus`, or after `seconds`, whichever is first. */
  wait(
    order: OrderRow,
    knownStatus: number | null,
    seconds: number,
    signal: AbortSignal,
  ): Promise<OrderRow>;
  /** Orders whose check is due, whether somebody waits or not. */
  sweep(limit: number): Promise<void>;
  /** Orders whose turn to be asked about has not come. */
  queued(): number;
  /** Whoever waits gets what is known, now and from now on. */
  drain(): void;
};

/** @param perSecond queries that fall to this relay */
export function createFollow(context: Context, changes: Changes, perSecond: () => number): Follow {
  const { breaker, clock, ledger, log, metrics } = context;
  const { ask, attend, isUnderWay, queued } = createAsk(context, changes, perSecond);
  const waiting = new Set<() => void>();
  let draining = false;
  let waits = 0;

  const spread = (ms: number): number =>
    waiting.size < CROWD ? ms : ms * (1 - SPREAD * ((++waits * GOLDEN) % 1));

  /** A sleep that a change of the order, the request's end or a drain cuts short; a change between two sleeps cuts the next one. */
  const listen = (
    intentId: string,
    gone: AbortSignal,
  ): { sleep(ms: number): Promise<void>; stop(): void } => {
    let changed = false;
    let rest: AbortController | null = null;
    const end = (): void => {
      changed = true;
      // a reason of its own: without one each abort makes an exception with its stack
      rest?.abort('changed');
    };
    const stop = changes.onChange(intentId, end);
    waiting.add(end);
    gone.addEventListener('abort', end, { once: true });
    return {
      sleep: async (ms) => {
        rest = new AbortController();
        if (!changed) await clock.sleep(ms, rest.signal);
        rest = null;
        changed = false;
      },
      stop: () => {
        gone.removeEventListener('abort', end);
        waiting.delete(end);
        stop();
      },
    };
  };

  const inBackground = (work: Promise<unknown>, requestId: string): void =>
    void work.catch((error: unknown) =>
      log('error', 'query', { request_id: requestId, error: String(error) }),
    );

  return {
    ask: (order) => ask(order, 'urgent'),
    check: async (order, ms) => {
      if (order.sending === 'claimed' || order.sending === 'unsent' || breaker.isOpen())
        return order;
      if (order.checked_at !== null && clock.now() - order.checked_at < CLOSEST) return order;
      // in a crowd the turn comes later than anybody waits: the answer is for those who follow the order
      if (queued() > perSecond()) ms = 0;
      const asking = ask(order, 'asked');
      inBackground(asking, order.request_id);
      const rest = new AbortController();
      const late = clock.sleep(ms, rest.signal).then(() => order);
      return Promise.race([asking, late]).finally(() => rest.abort());
    },
    wait: async ({ intent_id, outcome, request_id }, knownStatus, seconds, gone) => {
      const until = clock.now() + spread(seconds * 1000);
      const ears = listen(intent_id, gone);
      metrics.add('waiting_checkouts', 1);
      /** Asks about the order when it is due. @returns it when there is something to tell, else the milliseconds to sleep */
      const look = async (): Promise<OrderRow | number> => {
        const latest = await readOrder(ledger, request_id);
        const now = clock.now();
        if (
          latest.status !== knownStatus ||
          latest.outcome !== outcome ||
          (await changes.paidBy(latest)) !== null
        )
          return latest;
        if (until <= now || gone.aborted || draining) return latest;
        const due = latest.next_check_at ?? Infinity;
        if (due <= now) inBackground(attend(latest), request_id);
        return Math.min(
          until - now,
          due > now ? due - now : isUnderWay(request_id) ? Infinity : LOOK_AGAIN,
        );
      };
      try {
        // no row is kept over a sleep: thousands may wait
        for (;;) {
          const seen = await look();
          if (typeof seen !== 'number') return seen;
          await ears.sleep(seen);
        }
      } finally {
        ears.stop();
        metrics.add('waiting_checkouts', -1);
      }
    },
    sweep: async (limit) => {
      if (breaker.isOpen()) return;
      const now = clock.now();
      await Promise.all((await ledger.takeDue(now, now + DUE_LEASE, limit)).map(attend));
    },
    queued,
    drain: () => {
      draining = true;
      for (const end of waiting) end();
    },
  };
}
