/** The intent and the order that an operator names by a request_id, intent_id or order_no. */
import type { Ledger } from '../ledger/ledger.js';
import type { Intent, OrderInIntent } from '../ledger/intent.js';
import { orderOf } from '../ledger/intent.js';
import { shownOrder } from '../ledger/shown-order.js';
import type { Context } from '../orders/context.js';
import { Refusal } from './refusal.js';

/** `order`: the one that the id names; null when it names the intent. */
type ById = { readonly intent: Intent; readonly order: OrderInIntent['order'] | null };

type Reads = Pick<Ledger, 'find' | 'intent' | 'search'>;

/**
 * @returns null when the ledger has nothing with this id
 * @throws Refusal when it names several: the service makes an order_no, and the shop an intent_id
 */
export async function findById(ledger: Reads, id: string): Promise<ById | null> {
  // PostgreSQL refuses a text with U+0000
  if (id.includes('\0')) return null;
  const named = await ledger.intent(id);
  const found = await ledger.find(id);
  const numbered = (await ledger.search('order_no', { from: id, to: id }, 2)).flatMap((intent) =>
    intent.orders.filter(({ order_no }) => order_no === id).map((order) => ({ intent, order })),
  );
  const exact = found ?? (named && { intent: named, order: null });
  const intents = [named, found?.intent, ...numbered.map(({ intent }) => intent)];
  const ids = new Set(intents.flatMap((intent) => intent?.intent_id ?? []));
  if (ids.size > 1 || (!exact && numbered.length > 1))
    throw new Refusal(`several orders have the id ${id}: find tells their request_id`);
  return exact ?? numbered[0] ?? null;
}

/** @throws Refusal when the ledger has nothing with this id */
export async function byId(ledger: Reads, id: string): Promise<ById> {
  const found = await findById(ledger, id);
  if (!found) throw new Refusal(`no order or intent ${id} in this ledger`);
  return found;
}

/**
 * The order that the id names, else the one that a page shows.
 *
 * @throws Refusal when there is none, or the id names several
 */
export async function orderById(
  { config, ledger }: Pick<Context, 'config' | 'ledger'>,
  id: string,
): Promise<OrderInIntent> {
  const { intent, order } = await byId(ledger, id);
  const named =
    order ?? shownOrder(config, intent) ?? orderOf(intent, intent.current_request_id ?? '');
  if (!named) throw new Refusal(`the intent ${id} has no order`);
  return { intent, order: named };
}
