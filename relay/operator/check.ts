/** Asks the service about one order now, and says what the answer changed. */
import type { z } from 'zod';
import type { OrderInIntent } from '../ledger/intent.js';
import { isBeingSent } from '../ledger/open-orders.js';
import type { OrderRow } from '../ledger/rows.js';
import { askStatus, type AskContext } from '../orders/ask-status.js';
import { createOrderStore, readOrder, type StoreContext } from '../orders/order-store.js';
import type { OrderEvent } from '../orders/order-event.js';
import type { InBudget } from '../orders/polling/query-order.js';
import type { Restored } from '../orders/restored/restored.js';
import { orderById } from './by-id.js';
import type { checkShape } from './shapes.js';
import { asOperatorOrder } from './operator-order.js';
import { ofOrder } from './timeline.js';

export type CheckContext = StoreContext &
  AskContext & {
    /** The budget of the relay that asks; a command has none, and asks at once. */
    readonly inBudget?: InBudget;
    /** Finds the orders of an intent that a restored ledger lost. */
    readonly restored?: Pick<Restored, 'adoptSuccessors'>;
  };
type Checked = Omit<z.infer<typeof checkShape>, 'others'>;

/**
 * Sends a query, outside the schedule and inside the budget; the relays count it to the order as
 * one of their own. The queries for the lost orders of a restored ledger are outside the budget. An
 * intent names each of its orders that may still be paid: the customer may have paid one that was
 * replaced.
 *
 * @throws Refusal when the ledger has no order with this id, or several
 * @throws Failure `service_unavailable` when a restored ledger may lack orders of the intent, and
 *   the service does not say so
 */
export async function check(
  context: CheckContext,
  id: string,
): Promise<z.infer<typeof checkShape>> {
  await context.restored?.adoptSuccessors(id);
  const found = await orderById(context, id);
  const { intent, order } = found;
  const answer = await checkOrder(context, found);
  const others: Checked[] = [];
  for (const other of intent.intent_id === id ? intent.orders : []) {
    const isAsked = other.outcome !== 'succeeded' && whyNotAsked(context, other) === null;
    if (isAsked && other.request_id !== order.request_id)
      others.push(await checkOrder(context, await readOrder(context.ledger, other.request_id)));
  }
  return { ...answer, others };
}

export async function checkOrder(context: CheckContext, found: OrderInIntent): Promise<Checked> {
  // nothing is asked, so this takes no slot of the budget
  const why = whyNotAsked(context, found.order);
  if (why !== null) return answerOf(context, found, { answer: 'not_asked', message: why });
  const { inBudget } = context;
  return inBudget ? inBudget(found.order, () => ask(context, found)) : ask(context, found);
}

async function ask(
  context: CheckContext,
  { order: { request_id } }: OrderInIntent,
): Promise<Checked> {
  const { ledger, ledgerClock } = context;
  // it may have changed during the wait for the budget, and an answer to an old state is not news
  const found =
    (await ledger.claimQuerySlot(request_id, ledgerClock.now(), 0)) ??
    (await readOrder(ledger, request_id));
  const { intent, order } = found;
  const why = whyNotAsked(context, order);
  if (why !== null) return answerOf(context, found, { answer: 'not_asked', message: why });
  let message: string | null = null;
  const event = await askStatus(context, order, undefined, (failure) => {
    const { cause, code, http_status, kind, reason, service_message } = failure;
    const http = http_status === undefined ? undefined : `HTTP ${http_status}`;
    const parts = [ENDS[String(kind)], reason, code, http, service_message, cause];
    message = parts.filter((part) => part !== undefined).join(', ');
  });
  const after = await createOrderStore(context).apply(order, event, { known: intent });
  const said = { answer: ANSWERS[event.type] ?? 'no_answer', message };
  const status = event.type === 'query_answered' ? event.answer.status : after.order.status;
  return { ...answerOf(context, after, said, event.at), status };
}

/** How a query ended that brought no usable answer, by the kind of its error. */
const ENDS: Readonly<Record<string, string>> = {
  refused: 'it refused',
  unreachable: 'nothing was sent',
  unreadable: 'its answer cannot be read',
  outcome_unknown: 'no answer came',
};

const ANSWERS: Partial<Record<OrderEvent['type'], Checked['answer']>> = {
  query_answered: 'answered',
  query_not_found: 'not_found',
};

/** A query about a request that is under way says nothing about the order. */
function whyNotAsked({ ledgerClock }: CheckContext, order: OrderRow): string | null {
  if (order.sending === 'unsent') return 'nothing of this order was sent to the service';
  const isSent = isBeingSent(order, ledgerClock.now());
  return isSent ? 'its request is being sent at this moment' : null;
}

/** @param askedAt when the answer came, which is the time of the facts that it brought */
const answerOf = (
  { config }: CheckContext,
  { intent, order }: OrderInIntent,
  said: Pick<Checked, 'answer' | 'message'>,
  askedAt: number | null = null,
): Checked => ({
  request_id: order.request_id,
  status: order.status,
  ...said,
  changed: ofOrder(intent, order).filter(({ at }) => Date.parse(at) === askedAt),
  order: asOperatorOrder(config, { intent, order }),
});
