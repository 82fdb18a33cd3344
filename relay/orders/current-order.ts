/**
 * Finds the order that a page sees for its intent, and refuses a request whose intent was stored
 * with other content.
 */
import { plainDecimal } from '../contract/decimal.js';
import { Failure } from '../contract/failure.js';
import type { Metadata } from '../contract/metadata.js';
import { guestOf, isPageIntent } from '../intent/identity.js';
import { contentDigest, type OrderIntent } from '../intent/order-intent.js';
import type { OrderInIntent } from '../ledger/intent.js';
import type { IntentRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import { show } from './projection.js';
import { shownOrder } from '../ledger/shown-order.js';

const closed = (): Failure => new Failure('intent_closed', 'the shop closed the intent');

/**
 * The failure of a request that gives an intent other content. It names the order token, which a
 * page cannot mend; a page without a token can begin another intent.
 *
 * @param fields that differ from those of the intent, as far as they are known
 */
export const conflict = (
  { mode }: Pick<OrderIntent, 'mode'>,
  fields: readonly string[] = [],
): Failure =>
  new Failure(
    'intent_conflict',
    `the same identity was used with other content${fields.length > 0 ? ': ' : ''}` +
      fields.join(', '),
    mode === 'token' ? 'order_token' : undefined,
  );

/** The fields of an intent that is not from the catalogue, where the entry decides most of them. */
const SALE = ['currency', 'product_name', 'customer_ref_id', 'pay_currency', 'remark'] as const;

function differences(row: IntentRow, intent: OrderIntent): string[] {
  if (row.mode !== intent.mode) return ['mode'];
  const ofPage = ['sku', 'quantity', 'customer_ref_id'] as const;
  const names = row.mode === 'catalogue' ? ofPage : SALE;
  const differing: string[] = names.filter((name) => row[name] !== intent[name]);
  if (row.mode === 'catalogue') return differing;
  if (plainDecimal(row.amount) !== plainDecimal(intent.amount)) differing.push('amount');
  const metadata = (of: Metadata): string => JSON.stringify(Object.entries(of).sort());
  const kept = row.metadata === null ? {} : (JSON.parse(row.metadata) as Metadata);
  if (metadata(kept) !== metadata(intent.metadata ?? {})) differing.push('metadata');
  return differing;
}

/**
 * The intent with the name under which its guest was stored: `guest_customer_prefix` may have
 * changed since, and the rest of the name says that it is the same guest.
 */
export function asStored<T extends OrderIntent>(row: IntentRow, intent: T): T {
  const { customer_ref_id, intent_id } = row;
  const isGuest = (name: string): boolean => name.endsWith(guestOf(intent_id));
  if (!isPageIntent(intent_id) || !isGuest(customer_ref_id) || !isGuest(intent.customer_ref_id))
    return intent;
  const identity_fields = intent.identity_fields.map((field) =>
    field === intent.customer_ref_id ? customer_ref_id : field,
  );
  return { ...intent, customer_ref_id, identity_fields };
}

/** @throws Failure `intent_conflict` when the intent was stored with other content */
export function checkContent(row: IntentRow, intent: OrderIntent): void {
  if (row.content !== contentDigest(intent)) throw conflict(intent, differences(row, intent));
}

/**
 * Refuses a further order of a catalogue item whose name, currency or metadata has changed, because
 * webhooks still name the item as it was first sold. A changed price is allowed.
 *
 * @throws Failure `intent_conflict`
 */
export function checkSameItem(row: IntentRow, intent: OrderIntent): void {
  if (row.mode !== 'catalogue') return;
  const metadata = intent.metadata === null ? null : JSON.stringify(intent.metadata);
  const isSame =
    row.product_name === intent.product_name &&
    row.currency === intent.currency &&
    row.metadata === metadata;
  if (!isSame) throw conflict(row);
}

/**
 * Finds the order to show for an intent.
 *
 * @throws Failure `intent_conflict` or `intent_closed`
 */
export async function currentOrder(
  { config, ledger }: Pick<Context, 'config' | 'ledger'>,
  intent: OrderIntent,
): Promise<OrderInIntent | null> {
  const row = intent.intent_id === null ? null : await ledger.intent(intent.intent_id);
  if (!row) return null;
  const isClosed = row.closed_at !== null;
  // It was closed before its first order, so it is stored without content. Without content the
  // relay cannot tell whether orders that were found later belong to this page.
  if (isClosed && row.current_request_id === null) throw closed();
  checkContent(row, asStored(row, intent));
  const order = shownOrder(config, row);
  if (order) return { intent: row, order };
  // there is nothing to show and nothing to pay
  if (isClosed) throw closed();
  return null;
}

/**
 * Finds the order of an expired token. Such a token may show its order, but not create or replace
 * one. From one day after its expiry it gets only the outcome, as a field of the failure.
 *
 * @throws Failure `token_expired`
 */
export async function resumeExpired(
  context: Pick<Context, 'config' | 'ledger'>,
  intent: OrderIntent,
  replaces: boolean,
): Promise<OrderInIntent> {
  const known = await currentOrder(context, intent);
  if (known && !intent.stale && !replaces) return known;
  throw new Failure('token_expired', 'the order token has expired', 'order_token', {
    outcome: known ? show(context.config, known).outcome : undefined,
  });
}
