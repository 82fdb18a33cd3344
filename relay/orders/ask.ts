/** Asks `query` about an order when its turn comes, once for all who want to know, and settles lost answers (design §6.2, §7). */
import type { OrderRow } from '../ledger/rows.js';
import { codeForLog, OrderServiceError } from '../order-service/errors.js';
import { readOrder, type Changes } from './apply.js';
import type { Context } from './context.js';
import type { Fact } from './order-flow.js';
import { createQueryBudget, type Turn, type Urgency } from './query-budget.js';
import { interval } from './schedule.js';
import { sendPay } from './send-pay.js';

/** Milliseconds between two questions about one order, however many ask by hand. */
export const CLOSEST = 1000;

type UnderWay = { readonly asking: Promise<OrderRow>; readonly turn: Turn; sent: boolean };
type Named = Pick<OrderRow, 'request_id' | 'created_at'>;

export type Ask = {
  ask(order: Named, urgency: Urgency): Promise<OrderRow>;
  /** Asks about an order that is due. A claim that outlived its request first counts as lost: its process died, or never wrote the answer. */
  attend(order: OrderRow): Promise<unknown>;
  isUnderWay(requestId: string): boolean;
  /** Orders whose turn to be asked about has not come. */
  queued(): number;
};

/** @param perSecond queries that fall to this relay */
export function createAsk(context: Context, changes: Changes, perSecond: () => number): Ask {
  const { breaker, clock, config, ledger, log, service } = context;
  const underWay = new Map<string, UnderWay>();
  const budget = createQueryBudget(perSecond, clock);

  // what waits for its turn keeps no row: there may be thousands
  const ask = ({ created_at, request_id }: Named, urgency: Urgency): Promise<OrderRow> => {
    const already = underWay.get(request_id);
    // a doorbell may ring for a change that the answer under way was too early for
    if (already?.sent && urgency === 'urgent')
      return already.asking.then((latest) => ask(latest, urgency));
    if (already) {
      already.turn.raise(urgency);
      return already.asking;
    }
    if (breaker.isOpen()) return readOrder(ledger, request_id);
    const turn = budget.turn(created_at, urgency);
    const asking = turn.come
      .then(async () => {
        if (await ledger.takeTurn(request_id, clock.now(), closest(created_at, turn.urgency()))) {
          entry.sent = true;
          return settle(request_id);
        }
        budget.giveBack();
        return readOrder(ledger, request_id);
      })
      .finally(() => underWay.delete(request_id));
    const entry: UnderWay = { asking, turn, sent: false };
    underWay.set(request_id, entry);
    return asking;
  };

  /** A fifth less than the schedule, whose checks may come a little early. */
  const closest = (createdAt: number, urgency: Urgency): number =>
    urgency === 'urgent'
      ? 0
      : urgency === 'asked'
        ? CLOSEST
        : 0.8 * interval(clock.now() - createdAt);

  async function settle(requestId: string): Promise<OrderRow> {
    const { order, work } = await changes.apply(requestId, await query(requestId));
    return work.includes('send_again') ? sendAgain(order) : order;
  }

  async function query(requestId: string): Promise<Fact> {
    const asked = clock.now();
    try {
      return {
        type: 'query_answered',
        asked,
        said: await service.query({ request_id: requestId }),
        at: clock.now(),
      };
    } catch (error) {
      if (!(error instanceof OrderServiceError)) throw error;
      const notFound =
        error.kind === 'refused' && config.service.not_found_codes.includes(error.code ?? '');
      if (!notFound)
        log('warn', 'query', {
          request_id: requestId,
          kind: error.kind,
          code: codeForLog(error.code),
        });
      return { type: notFound ? 'query_not_found' : 'query_missed', at: clock.now() };
    }
  }

  async function sendAgain(order: OrderRow): Promise<OrderRow> {
    const intent = await ledger.intent(order.intent_id);
    const option = config.options.find(({ id }) => id === order.option);
    if (!intent || !option) return order;
    const sent = await sendPay(context, changes, { intent, order, option });
    return sent.work.includes('query_now')
      ? (await changes.apply(order.request_id, await query(order.request_id))).order
      : sent.order;
  }

  return {
    ask,
    attend: async (order) => {
      if (breaker.isOpen()) return;
      if (order.sending !== 'claimed') return ask(order, 'scheduled');
      return ask(
        (
          await changes.apply(order.request_id, {
            type: 'pay_lost',
            at: clock.now(),
            claim: order.version,
          })
        ).order,
        'urgent',
      );
    },
    isUnderWay: (requestId) => underWay.has(requestId),
    queued: () => budget.waiting(),
  };
}
