/** The order that an intent shows. */
import { Failure } from '../contract/failure.js';
import { contentDigest, type OrderIntent } from '../intent/order-intent.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import type { Context } from './context.js';

/** The failure of a request that gives an intent other content. */
export const conflict = (): Failure =>
  new Failure('intent_conflict', 'the same identity was used with other content');

/** @throws Failure `intent_conflict` when the intent was stored with other content */
export function checkContent(row: IntentRow, intent: OrderIntent): void {
  if (row.content !== contentDigest(intent)) throw conflict();
}

/**
 * The shop is told of an intent's orders with what the intent first sold, so an item that was
 * renamed since takes no further order. Its price may change.
 *
 * @throws Failure `intent_conflict` when the catalogue's item has become another one
 */
export function checkPurchase(row: IntentRow, intent: OrderIntent): void {
  if (row.mode !== 'catalogue') return;
  const metadata = intent.metadata === null ? null : JSON.stringify(intent.metadata);
  const isSame =
    row.product_name === intent.product_name &&
    row.currency === intent.currency &&
    row.metadata === metadata;
  if (!isSame) throw conflict();
}

/**
 * Finds the order to show for an intent: the paid one if there is one, else the current one.
 *
 * @throws Failure `intent_conflict` or `intent_closed`
 */
export async function currentOrder(
  { ledger }: Pick<Context, 'ledger'>,
  intent: OrderIntent,
): Promise<OrderRow | null> {
  const row = intent.intent_id === null ? null : await ledger.intent(intent.intent_id);
  if (!row) return null;
  // closed before any order: there is nothing to show and nothing to pay
  if (row.closed_at !== null && row.current_request_id === null)
    throw new Failure('intent_closed', 'the shop closed the intent');
  checkContent(row, intent);
  const orders = await ledger.ordersOf(row.intent_id);
  const shown =
    orders.find(({ outcome }) => outcome === 'succeeded') ??
    orders.find(({ request_id }) => request_id === row.current_request_id);
  return shown && shown.sending !== 'unsent' ? shown : null;
}

/**
 * Finds the order of an expired token, which may resume its order and not create or replace one. A
 * day after its expiry it reads the outcome only.
 *
 * @throws Failure `token_expired`
 */
export async function resumeExpired(
  context: Pick<Context, 'ledger'>,
  intent: OrderIntent,
  replaces: boolean,
): Promise<OrderRow> {
  const known = await currentOrder(context, intent);
  if (known && !intent.stale && !replaces) return known;
  throw new Failure('token_expired', 'the order token has expired', 'order_token', {
    outcome: known?.outcome,
  });
}

/** The id of the intent that a page's attempt leads to; an older ledger may have another id. */
export const pageIntentId = async (
  { identity, ledger }: Pick<Context, 'identity' | 'ledger'>,
  attempt: string,
): Promise<string> => (await ledger.intentOf(attempt)) ?? identity.intentIdOf(attempt);
