/** The failures of a request to place an order. */
import { Failure } from '../contract/failure.js';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import { isUnusable, LedgerBusyError, LedgerLostError } from '../ledger/ledger-errors.js';
import type { OrderRow } from '../ledger/rows.js';
import { OrderServiceError, whyUnsent } from '../order-service/errors.js';
import { openForMs } from '../ledger/open-orders.js';
import type { Decision } from './decide.js';

export const refusal = (code: 'already_paid' | 'intent_closed'): Failure =>
  code === 'already_paid'
    ? new Failure(code, 'the intent is paid', 'replaces')
    : new Failure(code, 'the shop closed the intent; no other order was placed');

/**
 * The failure of a pay that `decide` refuses. The outcome is that of the last sent order, and
 * `expired` when the time to pay that order is over, so that a page leads back only to an order
 * that can be paid.
 */
export function refusalOf(
  refused: Extract<Decision, { do: 'refuse' }>,
  ageOf: LedgerClock['ageOf'],
): Failure {
  if (refused.code !== 'too_many_replacements') return refusal(refused.code);
  const { code, lastSent, waitMs } = refused;
  const isOpen = openForMs(lastSent, ageOf(lastSent)) > 0;
  const outcome = isOpen || lastSent.outcome === 'failed' ? lastSent.outcome : 'expired';
  if (!Number.isFinite(waitMs))
    return new Failure(code, 'the intent takes no further order', 'replaces', { outcome });
  const retry_after_s = Math.ceil(waitMs / 1000);
  const message = 'the intent has had too many orders; it takes another one later';
  return new Failure(code, message, 'replaces', { outcome, retry_after_s });
}

export const linkClosed = (): Failure =>
  new Failure('intent_closed', 'the link is revoked, or was used as often as it may be');

/** An intent of which nothing was sent is deleted after a day. The next try places it anew. */
export const deletedMeanwhile = (): Failure =>
  new Failure('service_unavailable', 'the intent was deleted meanwhile; nothing was placed');

const isOfLedger = (cause: unknown): cause is Error =>
  cause instanceof LedgerBusyError || cause instanceof LedgerLostError || isUnusable(cause);

/** The error that a page reads when the ledger failed, and an order may have been placed. */
export const asLedgerFailure = (cause: unknown): unknown =>
  isOfLedger(cause)
    ? new Failure('ledger_unavailable', ledgerMessage(cause), undefined, { cause })
    : cause;

/** An anonymous page must not learn the path of the ledger; the log has the cause. */
const ledgerMessage = (cause: Error): string =>
  cause instanceof LedgerBusyError ? cause.message : 'the ledger cannot be used';

/** The error that a page reads when nothing was placed. */
export function asPlaceFailure(cause: unknown): unknown {
  // the order may be stored, so that the next try shows it or sends it
  if (cause instanceof LedgerLostError) return asLedgerFailure(cause);
  if (isOfLedger(cause)) {
    const message = `${ledgerMessage(cause)}; nothing was placed`;
    return new Failure('service_unavailable', message, undefined, { cause });
  }
  if (!(cause instanceof OrderServiceError)) return cause;
  return unsent(whyUnsent(cause));
}

const unsent = (why: string): Failure =>
  new Failure('service_unreachable', `${why}; nothing was placed`);

/**
 * @param isLate whether the ledger was too slow to send the order
 * @param why the relay's own reason for sending nothing
 * @throws Failure `service_unreachable` when nothing of the order was sent, and
 *   `service_unavailable` when the ledger was too slow
 */
export function checkReached(order: OrderRow, isLate = false, why?: string): OrderRow {
  if (order.sending !== 'unsent') return order;
  if (isLate)
    throw new Failure('service_unavailable', 'the ledger was too slow; nothing was placed');
  throw unsent(why ?? 'the order could not be sent to the order service');
}
