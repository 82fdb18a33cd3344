/** Follow and resolve: asks `query` about an order, once for all who wait, and settles lost answers (design §6.2, §7). */
import type { OrderRow } from '../ledger/rows.js';
import { OrderServiceError } from '../order-service/errors.js';
import type { Changes } from './apply.js';
import type { Context } from './context.js';
import type { Fact } from './order-flow.js';
import { createQueryBudget } from './query-budget.js';
import { interval } from './schedule.js';
import { sendPay } from './send-pay.js';

/** Milliseconds between two questions about one order, however many ask. */
const CLOSEST = 1000;

export type Follow = {
  /** Asks the service now, unless it was asked within the last second. */
  check(order: OrderRow): Promise<OrderRow>;
  /** Asks the service even so: after a lost answer, and when the doorbell rings. */
  ask(order: OrderRow, urgent?: boolean): Promise<OrderRow>;
  /** The order once its status differs from `knownStatus`, or after `seconds`, whichever is first. */
  wait(order: OrderRow, knownStatus: number | null, seconds: number, signal: AbortSignal): Promise<OrderRow>;
  /** Orders whose check is due, whether somebody waits or not. */
  sweep(limit: number): Promise<void>;
};

export function createFollow(context: Context, changes: Changes): Follow {
  const { breaker, clock, config, ledger, log, service } = context;
  const underWay = new Map<string, Promise<OrderRow>>();
  const askedAt = new Map<string, number>();
  const budget = createQueryBudget(config.service.queries_per_second, clock);

  const ask = (order: OrderRow, urgent = false): Promise<OrderRow> => {
    const { request_id } = order;
    const already = underWay.get(request_id);
    if (already) return already;
    if (breaker.isOpen()) return Promise.resolve(order);
    if (askedAt.size > 10_000) askedAt.clear();
    askedAt.set(request_id, clock.now());
    const asking = budget
      .turn(order.created_at, urgent)
      .then(() => settle(request_id))
      .finally(() => underWay.delete(request_id));
    underWay.set(request_id, asking);
    return asking;
  };

  const check = async (order: OrderRow): Promise<OrderRow> => {
    if (order.sending === 'claimed' || order.sending === 'unsent') return order;
    const since = clock.now() - Math.max(askedAt.get(order.request_id) ?? 0, order.checked_at ?? 0);
    if (breaker.isOpen() || (since < CLOSEST && !underWay.has(order.request_id))) return order;
    if (budget.free()) return ask(order);
    // beyond the budget the ledger answers, and the order stands in the queue
    void ask(order).catch((error: unknown) => log('error', 'query', { request_id: order.request_id, error: String(error) }));
    return order;
  };

  /** `work`, or `otherwise` after `ms`; leaves no timer behind. */
  async function within(work: Promise<OrderRow>, otherwise: OrderRow, ms: number, signal: AbortSignal): Promise<OrderRow> {
    const rest = new AbortController();
    const late = clock.sleep(Math.max(0, ms), AbortSignal.any([signal, rest.signal])).then(() => otherwise);
    return Promise.race([work, late]).finally(() => rest.abort());
  }

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
      if (!notFound) log('warn', 'query', { request_id: requestId, kind: error.kind, code: error.code });
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
    ask,
    check,
    wait: async (order, knownStatus, seconds, signal) => {
      const until = clock.now() + seconds * 1000;
      const { outcome } = order;
      for (let latest = order; ;) {
        const left = until - clock.now();
        if (latest.status !== knownStatus || latest.outcome !== outcome || left <= 0 || signal.aborted) return latest;
        const next = Math.max(0, (askedAt.get(latest.request_id) ?? 0) + interval(clock.now() - latest.created_at) - clock.now());
        const rest = new AbortController();
        const ends = AbortSignal.any([signal, rest.signal]);
        await Promise.race([clock.sleep(Math.min(next, left), ends), changes.changed(latest.request_id, ends)]);
        rest.abort();
        latest = (await ledger.order(latest.request_id)) ?? latest;
        const due = (askedAt.get(latest.request_id) ?? 0) + interval(clock.now() - latest.created_at) <= clock.now();
        if (due && latest.status === knownStatus && latest.sending !== 'claimed')
          latest = await within(ask(latest), latest, until - clock.now(), signal);
        if (due && latest.sending === 'claimed') await clock.sleep(Math.min(250, Math.max(0, until - clock.now())), signal);
      }
    },
    sweep: async (limit) => {
      if (breaker.isOpen()) return;
      const due = await ledger.due(clock.now(), limit);
      await Promise.all(
        due.map(async (order) => {
          // a claim that outlived its request: its process died, or never wrote the answer
          if (order.sending === 'claimed') await changes.apply(order.request_id, { type: 'pay_lost', at: clock.now() });
          await ask(order);
        }),
      );
    },
  };
}
