/** Finds an order in review that the service calls paid. */
import { readStatus } from '../config/statuses.js';
import type { Config } from '../config/schema.js';
import type { OrderRow } from '../ledger/rows.js';

/**
 * A person decides what such an order counts as. Until then its intent must not be closed or
 * superseded: the customer has probably paid, and would pay again.
 */
export const isPaidInReview = (
  { statuses }: Pick<Config, 'statuses'>,
  orders: readonly OrderRow[],
): boolean =>
  orders.some(
    ({ first_status, outcome, review_reason, status }) =>
      outcome === 'review' &&
      // its answer was about another order
      review_reason !== 'request_id_mismatch' &&
      status !== null &&
      readStatus(statuses, status, first_status) === 'succeeded',
  );
