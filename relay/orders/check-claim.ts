/** The check before a new order is claimed. */
import { Failure } from '../contract/failure.js';
import type { IntentRow } from '../ledger/rows.js';
import { checkAmount, type Amount } from './check-amount.js';
import type { Context } from './context.js';
import { checkSameItem } from './current-order.js';
import type { IdentifiedIntent } from './new-order.js';

/**
 * Checks, before anything is written, whether a new order may be placed.
 *
 * @throws Failure `not_as_expected`, `intent_conflict`, or `service_unavailable` while the breaker
 *   is open
 */
export function checkClaim(
  { breaker }: Pick<Context, 'breaker'>,
  intent: IdentifiedIntent,
  known: IntentRow | null,
  expect: Amount | undefined,
): void {
  if (expect) checkAmount(intent, expect);
  if (known) checkSameItem(known, intent);
  if (breaker.isOpen())
    throw new Failure(
      'service_unavailable',
      'the order service does not answer; nothing was placed',
    );
}
