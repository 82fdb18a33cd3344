/**
 * Asks about an order when its turn comes, once for all who want to know, and settles lost answers.
 *
 * A signal from the service is answered at once, but no order is asked about by signals more often
 * than once a second: a flood of signals for one order must not use up the turns of the others.
 */
import type { OrderRow } from '../../ledger/rows.js';
import { queryAndCarryOut } from '../carry-out.js';
import type { Context } from '../context.js';
import { createQueryQueue, type Urgency } from './query-queue.js';
import { claimMs, readOrder, type OrderStore } from '../order-store.js';
import { interval } from './schedule.js';

/** Between two questions about one order, however many ask by hand or by signal. */
export const MIN_QUERY_INTERVAL_MS = 1000;

/** `again`: a signal came after the question had left, so its answer may be too old. */
type UnderWay = {
  readonly asking: Promise<OrderRow>;
  raise(urgency: Urgency): void;
  sent: boolean;
  again: Promise<OrderRow> | null;
};
type Named = Pick<OrderRow, 'request_id' | 'created_at'>;

export type QueryOrder = {
  query(order: Named, urgency: Urgency): Promise<OrderRow>;
  /** Asks about an order that is due. A claim that outlived its request first counts as lost. */
  queryDue(order: OrderRow): Promise<unknown>;
  isUnderWay(requestId: string): boolean;
  /** Orders whose turn has not come. */
  queued(): number;
};

/** @param perSecond queries that fall to this relay */
export function createQueryOrder(
  context: Context,
  store: OrderStore,
  perSecond: () => number,
): QueryOrder {
  const { breaker, clock, ledger, time } = context;
  const underWay = new Map<string, UnderWay>();
  /** When an urgent question about an order last left, by elapsed time; of the last second. */
  const urgentAt = new Map<string, number>();
  const budget = createQueryQueue(perSecond, clock);

  // what waits for its turn keeps no row: there may be thousands
  const query = (order: Named, urgency: Urgency): Promise<OrderRow> => {
    const already = underWay.get(order.request_id);
    if (already?.sent && urgency === 'urgent') {
      already.again ??= already.asking.then((latest) => query(latest, urgency));
      return already.again;
    }
    if (already) {
      already.raise(urgency);
      return already.asking;
    }
    if (breaker.isOpen()) return readOrder(ledger, order.request_id);
    return urgency === 'urgent' ? queryUrgently(order) : enqueue(order, urgency);
  };

  const queryUrgently = (order: Named): Promise<OrderRow> => {
    const now = clock.elapsed();
    const pause = (urgentAt.get(order.request_id) ?? -Infinity) + MIN_QUERY_INTERVAL_MS - now;
    if (pause <= 0) return enqueue(order, 'urgent');
    const asking = clock.sleep(pause).then(() => {
      underWay.delete(order.request_id);
      return query(order, 'urgent');
    });
    underWay.set(order.request_id, { asking, raise: () => {}, sent: false, again: null });
    return asking;
  };

  const enqueue = ({ created_at, request_id }: Named, urgency: Urgency): Promise<OrderRow> => {
    const turn = budget.querySlot(created_at, urgency);
    const ask = async (): Promise<OrderRow> => {
      await turn.ready;
      const closest = closestMs(created_at, turn.urgency());
      const checkedAt = await ledger.claimQuerySlot(request_id, time.now(), closest);
      if (checkedAt === undefined) {
        budget.release();
        return readOrder(ledger, request_id);
      }
      entry.sent = true;
      if (turn.urgency() === 'urgent') remember(request_id);
      return queryAndCarryOut(context, store, request_id, checkedAt);
    };
    const asking = ask().finally(() => underWay.delete(request_id));
    const entry: UnderWay = { asking, raise: turn.raise, sent: false, again: null };
    underWay.set(request_id, entry);
    return asking;
  };

  const remember = (requestId: string): void => {
    const now = clock.elapsed();
    // the map keeps the order of insertion: the oldest stand first
    urgentAt.delete(requestId);
    urgentAt.set(requestId, now);
    for (const [id, at] of urgentAt) {
      if (now - at < MIN_QUERY_INTERVAL_MS) break;
      urgentAt.delete(id);
    }
  };

  /** A fifth less than the schedule, whose checks may come a little early. */
  const closestMs = (createdAt: number, urgency: Urgency): number => {
    if (urgency === 'urgent') return 0;
    if (urgency === 'asked') return MIN_QUERY_INTERVAL_MS;
    return 0.8 * interval(createdAt, { now: time.now(), ageAt: time.ageNow() });
  };

  async function queryDue(order: OrderRow): Promise<unknown> {
    if (breaker.isOpen()) return;
    if (order.sending !== 'claimed') return query(order, 'scheduled');
    // after a step of the clock a deadline says nothing until a whole claim has passed
    if (time.steadyMs() < claimMs(context)) return;
    const event = { type: 'pay_lost', at: time.now(), claim: order.version } as const;
    return query((await store.apply(order.request_id, event)).order, 'urgent');
  }

  return {
    query,
    queryDue,
    isUnderWay: (requestId) => underWay.has(requestId),
    queued: () => budget.waiting(),
  };
}
