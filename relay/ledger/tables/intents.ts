/** Reads and changes of intents with their orders. */
import { orderOf, type Intent } from '../intent.js';
import type { Ledger } from '../ledger.js';
import {
  addingLost,
  asNew,
  claiming,
  closing,
  reclaiming,
  replacing,
  settlingUnpaid,
} from '../rules.js';
import type { Engine } from './engine.js';
import { all, first } from './program.js';
import { intentOf, OF_ORDER, RECORD, type IntentRecord } from './record.js';

type Intents = Pick<
  Ledger,
  | 'addLostOrder'
  | 'claimOrder'
  | 'closeIntent'
  | 'dueUnpaid'
  | 'intent'
  | 'openOrders'
  | 'order'
  | 'orderInIntent'
  | 'ordersOf'
  | 'reclaimOrder'
  | 'replaceOrder'
  | 'settleUnpaid'
>;

export function intentsIn({ change, read }: Engine): Intents {
  const find = (text: string, id: string): Promise<Intent | null> =>
    read(function* () {
      const found = yield* first<IntentRecord>(text, id);
      return found && intentOf(found);
    });
  const intent = (id: string): Promise<Intent | null> =>
    find(`select ${RECORD} from intents where intent_id = $1`, id);
  const intentOfOrder = (requestId: string): Promise<Intent | null> => find(OF_ORDER, requestId);
  return {
    claimOrder: async ({ after, intent: opened, order, payLink }) => {
      const known = after === null ? null : undefined;
      const rule = claiming({ after, intent: opened, order });
      const changed = await change(opened.intent_id, rule, { known, payLink, places: true });
      if (changed.result === 'link_closed')
        return { claimed: false, intent: asNew(opened), order: null, refused: changed.result };
      const stored = changed.intent ?? asNew(opened);
      if (changed.result === 'written') return { claimed: true, intent: stored, order };
      const current = orderOf(changed.intent, stored.current_request_id ?? '');
      return { claimed: false, intent: stored, order: current };
    },
    addLostOrder: async (order, closed) =>
      (await change(order.intent_id, addingLost(order, closed))).result === 'written',
    reclaimOrder: async (order, payLink) => {
      const also = { payLink, places: true };
      const { result } = await change(order.intent_id, reclaiming(order), also);
      return result === 'link_closed' ? result : result === 'written';
    },
    replaceOrder: async (order, eventsFor, { claimedIn, resolution } = {}) => {
      const rule = replacing(order, eventsFor, resolution);
      const also = { known: claimedIn ?? undefined };
      return (await change(order.intent_id, rule, also)).result === 'written';
    },
    closeIntent: async (newRow, closed) =>
      (await change(newRow.intent_id, closing(newRow, closed))).intent ?? newRow,
    settleUnpaid: async (intentId, now, decide) =>
      void (await change(intentId, settlingUnpaid(now, decide))),
    dueUnpaid: (now, limit) =>
      read(function* () {
        const due = yield* all<IntentRecord>(
          `select ${RECORD} from intents where unpaid_due_at <= $1
            order by unpaid_due_at limit $2`,
          now,
          limit,
        );
        return due.map(intentOf);
      }),
    openOrders: () =>
      read(() =>
        all(
          `select open_as as outcome, count(*) as count, min(open_since) as oldest from intents
            where open_as in ('review', 'unmapped', 'confirming', 'pending') group by open_as`,
        ),
      ),
    intent,
    order: async (requestId) => orderOf(await intentOfOrder(requestId), requestId),
    orderInIntent: async (requestId) => {
      const found = await intentOfOrder(requestId);
      const order = orderOf(found, requestId);
      if (!found || !order) return null;
      const others = found.orders.filter((other) => other !== order);
      return { order, others, closed_at: found.closed_at, paid_request_id: found.paid_request_id };
    },
    ordersOf: async (intentId) => [...((await intent(intentId))?.orders ?? [])],
  };
}
