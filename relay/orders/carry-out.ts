/**
 * The exchange with the order service about one order: a pay or a query, and then every query and
 * resend that the answers require.
 */
import type { OrderRow } from '../ledger/rows.js';
import { askStatus } from './ask-status.js';
import type { Context } from './context.js';
import type { OrderStore, Written } from './order-store.js';
import { ClaimLost, NothingSent, sendPay, type PayOrder } from './send-pay.js';

/** Asks the service about an order at once, and writes the answer to the ledger. */
type AskNow = (order: OrderRow) => Promise<Written>;

/**
 * Claims and sends a pay, and carries out what follows from its answer.
 *
 * @param queryNow asks within the budget of queries, and carries out what follows from that answer
 * @returns the last write
 * @throws NothingSent when the claim or what comes before it failed
 */
export async function payAndCarryOut(
  context: Context,
  store: OrderStore,
  pay: PayOrder,
  queryNow: (order: OrderRow) => Promise<OrderRow>,
): Promise<Written> {
  const askNow: AskNow = async (order) => written(await queryNow(order));
  return carryOut(context, store, await sendPay(context, store, pay), askNow);
}

/**
 * Asks about an order, and carries out what follows from the answer. The caller holds a slot of the
 * budget of queries; the query after a resend uses the same slot.
 *
 * @param slotOwner the order as read when the slot was claimed
 * @returns the order as written last
 */
export async function queryAndCarryOut(
  context: Context,
  store: OrderStore,
  slotOwner: OrderRow,
): Promise<OrderRow> {
  const askNow: AskNow = async (order) => {
    const event = await askStatus(context, order);
    // a repair of the schedules changes a claim's deadline without a new version of its order, and
    // a write of the known row would undo that repair
    return order.sending === 'claimed'
      ? store.apply(order.request_id, event)
      : store.applyTo(order, event);
  };
  const { order } = await carryOut(context, store, await askNow(slotOwner), askNow);
  return order;
}

/** An order that was not written here. */
const written = (order: OrderRow): Written => ({ order, effects: [], intent: null });

/** Carries out effects until an answer has none. */
async function carryOut(
  context: Context,
  store: OrderStore,
  first: Written,
  askNow: AskNow,
): Promise<Written> {
  for (let last = first; ;) {
    const { effects, order } = last;
    if (effects.includes('query_now')) last = await askNow(order);
    else if (effects.includes('resend')) last = await resend(context, store, order);
    else return last;
  }
}

/**
 * Claims a lost order again, and sends the same request under the same `request_id`. Whoever wins
 * the claim sends; the others leave the order as it is.
 */
async function resend(context: Context, store: OrderStore, lost: OrderRow): Promise<Written> {
  const { config, ledger } = context;
  const unchanged = written(lost);
  const intent = await ledger.intent(lost.intent_id);
  const option = config.options.find(({ id }) => id === lost.option);
  if (!intent || !option) return unchanged;
  const order: OrderRow = { ...lost, sending: 'claimed', version: lost.version + 1 };
  const claim = async (claimed: OrderRow): Promise<null> => {
    if (!(await ledger.reclaimOrder(claimed))) throw new ClaimLost();
    return null;
  };
  try {
    return await sendPay(context, store, { intent, order, option, claim });
  } catch (error) {
    if (error instanceof NothingSent) return unchanged;
    throw error;
  }
}
