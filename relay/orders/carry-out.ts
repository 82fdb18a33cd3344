/** Carries out what the answer of the order service to a pay or a query requires. */
import type { Trace } from '../contract/trace.js';
import type { OrderInIntent } from '../ledger/intent.js';
import { reclaiming } from '../ledger/rules.js';
import { askStatus } from './ask-status.js';
import type { Context } from './context.js';
import type { OrderStore, Written } from './order-store.js';
import { mayBeReplaced } from './restored/restored-at.js';
import { claimPay } from './send-pay.js';

/** Asks the service about an order, and writes the answer to the ledger. */
type AskNow = (found: OrderInIntent) => Promise<Written>;

/**
 * Carries out effects until an answer has none.
 *
 * @param first the write of the first answer
 */
export async function carryOut(
  context: Context,
  store: OrderStore,
  first: Written,
  askNow: AskNow,
): Promise<OrderInIntent> {
  for (let last = first; ;) {
    const { effects } = last;
    if (effects.includes('query_now')) last = await askNow(last);
    else if (effects.includes('resend')) last = await resend(context, store, last);
    else return last;
  }
}

/**
 * Asks about an order, and carries out what follows from the answer. The caller holds a slot of the
 * budget of queries; the query after a resend uses the same slot.
 *
 * @param isScheduled read when the answer has come: somebody may have asked meanwhile
 */
export async function queryAndCarryOut(
  context: Context,
  store: OrderStore,
  found: OrderInIntent,
  isScheduled: () => boolean = () => false,
  trace?: Trace,
): Promise<OrderInIntent> {
  const askNow: AskNow = async ({ intent, order }) => {
    const event = await askStatus(context, order, trace);
    return store.apply(order, event, { known: intent, isScheduled: isScheduled(), trace });
  };
  return carryOut(context, store, await askNow(found), askNow);
}

/**
 * Claims a lost order again, and sends the same request under the same `request_id`. Whoever wins
 * the claim sends; the others leave the order as it is. A restored ledger may lack the order that
 * replaced this one and was paid, so an order from before the restore is never sent again.
 */
async function resend(
  context: Context,
  store: OrderStore,
  { intent, order: lost }: OrderInIntent,
): Promise<Written> {
  const unchanged: Written = { intent, order: lost, effects: [] };
  const { options } = context.offer();
  const option = options.find(({ enabled, id }) => id === lost.option && enabled);
  if (!option || (await mayBeReplaced(context, lost))) return unchanged;
  const order = { ...lost, sending: 'claimed', version: lost.version + 1 } as const;
  const pay = { intent, order, option, claim: reclaiming(lost), also: { known: intent } };
  const claimed = await claimPay(context, store, pay).catch(() => null);
  return claimed?.won ? claimed.send() : unchanged;
}
