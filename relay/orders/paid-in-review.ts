/** Finds an order in review that the service calls paid. */
import { isCalledPaid } from '../config/statuses.js';
import type { Config } from '../config/schema.js';
import type { OrderRow } from '../ledger/rows.js';

/**
 * A person decides what such an order counts as. Until then its intent must not be closed:
 * the customer has probably paid, and would pay again.
 */
export const isPaidInReview = (
  { statuses }: Pick<Config, 'statuses'>,
  orders: readonly OrderRow[],
): boolean =>
  orders.some(
    (order) =>
      order.outcome === 'review' &&
      // its answer was about another order
      order.review_reason !== 'request_id_mismatch' &&
      isCalledPaid(statuses, order),
  );
