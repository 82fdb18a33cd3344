/**
 * Decides what a pay request of a page does, from the intent in the ledger. Has no side effects.
 */
import type { Config } from '../config/schema.js';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import { orderOf, type Intent, type OrderInIntent } from '../ledger/intent.js';
import type { OrderRow } from '../ledger/rows.js';
import { lastSentOrder, paidInReview, paidOrder } from '../ledger/shown-order.js';
import { waitForOrderMs } from './order-limits.js';

/** What a pay request does. */
export type Decision =
  /** Show this order; send nothing. */
  | ({ do: 'show' } & OrderInIntent)
  /** Claim this order again, with the option of this request: nothing of it reached the service. */
  | { do: 'claim_again'; unsent: OrderRow }
  /** Claim a new order. `after`: the request_id of the order that it replaces. */
  | { do: 'claim'; ordinal: number; after: string | null }
  | { do: 'refuse'; code: 'already_paid' | 'intent_closed' }
  /** `waitMs`: how long the intent takes no further order. `lastSent`: the order to pay instead. */
  | { do: 'refuse'; code: 'too_many_replacements'; waitMs: number; lastSent: OrderRow };

/**
 * @param replaces the request_id of the order that the customer named, with its key
 */
export function decide(
  config: Pick<Config, 'statuses'>,
  intent: Intent | null,
  replaces: string | undefined,
  ageOf: LedgerClock['ageOf'],
): Decision {
  // a page may still show an order of a closed intent, but a pay request gets no order
  if (intent && intent.closed_at !== null) return { do: 'refuse', code: 'intent_closed' };
  const current = orderOf(intent, intent?.current_request_id ?? '');
  const paid = intent && paidOrder(intent);
  if (paid && replaces !== undefined) return { do: 'refuse', code: 'already_paid' };
  const standing = paid ?? (intent && paidInReview(config, intent));
  if (intent && standing) return { do: 'show', intent, order: standing };
  if (!intent || !current) return { do: 'claim', ordinal: 1, after: null };
  const lastSent = lastSentOrder(intent);
  if (lastSent && replaces !== lastSent.request_id) return { do: 'show', intent, order: lastSent };
  if (current.sending === 'unsent') return { do: 'claim_again', unsent: current };
  const waitMs = waitForOrderMs(intent.orders, ageOf);
  if (waitMs > 0) return { do: 'refuse', code: 'too_many_replacements', waitMs, lastSent: current };
  return { do: 'claim', ordinal: current.ordinal + 1, after: current.request_id };
}
