/** Follow and resolve: asks `query` about an order, once for all who wait, and settles lost answers (design §6.2, §7). */
import type { OrderRow } from '../ledger/rows.js';
import { codeForLog, OrderServiceError } from '../order-service/errors.js';
import type { Changes } from './apply.js';
import type { Context } from './context.js';
import type { Fact } from './order-flow.js';
import { createQueryBudget, type Urgency } from './query-budget.js';
import { interval } from './schedule.js';
import { sendPay } from './send-pay.js';

/** Milliseconds between two questions about one order, however many ask by hand. */
const CLOSEST = 1000;
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
  wait(order: OrderRow, knownStatus: number | null, seconds: number, signal: AbortSignal): Promise<OrderRow>;
  /** Orders whose check is due, whether somebody waits or not. */
  sweep(limit: number): Promise<void>;
  /** Orders whose turn to be asked about has not come. */
  queued(): number;
  /** Whoever waits gets what is known, now and from now on. */
  drain(): void;
};

/** @param perSecond queries that fall to this relay */
export function createFollow(context: Context, changes: Changes, perSecond: () => number): Follow {
  const { breaker, clock, config, ledger, log, metrics, service } = context;
  const underWay = new Map<string, { asking: Promise<OrderRow>; sent: boolean }>();
  const budget = createQueryBudget(perSecond, clock);
  const waiting = new Set<() => void>();
  let draining = false;
  let waits = 0;

  const spread = (ms: number): number => (waiting.size < CROWD ? ms : ms * (1 - SPREAD * ((++waits * GOLDEN) % 1)));

  /** A sleep that a change of the order, the request's end or a drain cuts short; a change between two sleeps cuts the next one. */
  const listen = (order: OrderRow, gone: AbortSignal): { sleep(ms: number): Promise<void>; stop(): void } => {
    let changed = false;
    let rest: AbortController | null = null;
    const end = (): void => {
      changed = true;
      // a reason of its own: without one each abort makes an exception with its stack
      rest?.abort('changed');
    };
    const stop = changes.onChange(order, end);
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

  const ask = (order: OrderRow, urgency: Urgency): Promise<OrderRow> => {
    const { request_id } = order;
    const already = underWay.get(request_id);
    // a doorbell may ring for a change that the answer under way was too early for
    if (already?.sent && urgency === 'urgent') return already.asking.then((latest) => ask(latest, urgency));
    if (already) return already.asking;
    if (breaker.isOpen()) return Promise.resolve(order);
    const entry = { sent: false, asking: Promise.resolve(order) };
    entry.asking = budget
      .turn(order.created_at, urgency)
      .then(async () => {
        if (await ledger.takeTurn(request_id, clock.now(), closest(order, urgency))) {
          entry.sent = true;
          return settle(request_id);
        }
        budget.giveBack();
        return (await ledger.order(request_id)) ?? order;
      })
      .finally(() => underWay.delete(request_id));
    underWay.set(request_id, entry);
    return entry.asking;
  };

  /** A fifth less than the schedule, whose checks may come a little early. */
  const closest = (order: OrderRow, urgency: Urgency): number =>
    urgency === 'urgent' ? 0 : urgency === 'asked' ? CLOSEST : 0.8 * interval(clock.now() - order.created_at);

  const inBackground = (work: Promise<unknown>, requestId: string): void =>
    void work.catch((error: unknown) => log('error', 'query', { request_id: requestId, error: String(error) }));

  /** Asks about an order that is due. A claim that outlived its request first counts as lost: its process died, or never wrote the answer. */
  const attend = async (order: OrderRow): Promise<OrderRow> => {
    if (breaker.isOpen()) return order;
    if (order.sending !== 'claimed') return ask(order, 'scheduled');
    return ask((await changes.apply(order.request_id, { type: 'pay_lost', at: clock.now(), claim: order.version })).order, 'urgent');
  };

  async function settle(requestId: string): Promise<OrderRow> {
    const { order, work } = await changes.apply(requestId, await query(requestId));
    return work.includes('send_again') ? sendAgain(order) : order;
  }

  async function query(requestId: string): Promise<Fact> {
    try {
      return { type: 'query_answered', said: await service.query({ request_id: requestId }), at: clock.now() };
    } catch (error) {
      if (!(error instanceof OrderServiceError)) throw error;
      const notFound = error.kind === 'refused' && config.service.not_found_codes.includes(error.code ?? '');
      if (!notFound) log('warn', 'query', { request_id: requestId, kind: error.kind, code: codeForLog(error.code) });
      return { type: notFound ? 'query_not_found' : 'query_missed', at: clock.now() };
    }
  }

  async function sendAgain(order: OrderRow): Promise<OrderRow> {
    const intent = await ledger.intent(order.intent_id);
    const option = config.options.find(({ id }) => id === order.option);
    if (!intent || !option) return order;
    return (await sendPay(context, changes, { intent, order, option })).order;
  }

  return {
    ask: (order) => ask(order, 'urgent'),
    check: async (order, ms) => {
      if (order.sending === 'claimed' || order.sending === 'unsent' || breaker.isOpen()) return order;
      if (order.checked_at !== null && clock.now() - order.checked_at < CLOSEST) return order;
      const asking = ask(order, 'asked');
      inBackground(asking, order.request_id);
      const rest = new AbortController();
      const late = clock.sleep(ms, rest.signal).then(() => order);
      return Promise.race([asking, late]).finally(() => rest.abort());
    },
    wait: async (order, knownStatus, seconds, signal) => {
      const until = clock.now() + spread(seconds * 1000);
      const { outcome } = order;
      const ears = listen(order, signal);
      metrics.add('waiting_checkouts', 1);
      try {
        for (;;) {
          const latest = (await ledger.order(order.request_id)) ?? order;
          const now = clock.now();
          const left = until - now;
          const paid = await changes.paidBy(latest);
          if (latest.status !== knownStatus || latest.outcome !== outcome || paid !== null) return latest;
          if (left <= 0 || signal.aborted || draining) return latest;
          const due = latest.next_check_at ?? Infinity;
          if (due <= now) inBackground(attend(latest), latest.request_id);
          const rest = due > now ? due - now : underWay.has(latest.request_id) ? left : LOOK_AGAIN;
          await ears.sleep(Math.min(rest, left));
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
    queued: () => budget.waiting(),
    drain: () => {
      draining = true;
      for (const end of waiting) end();
    },
  };
}
