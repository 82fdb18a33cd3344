/** Which orders in review keep their intent open, because the service calls them paid. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { isPaidInReview } from '../../../../relay/orders/checks.js';
import { fresh, rules } from './fresh-order.js';

const paid: OrderRow = { ...fresh, outcome: 'review', review_reason: 'by_table', status: 20 };

describe('an order in review that the service calls paid', () => {
  it('finds such an order among others', () =>
    assert.equal(isPaidInReview(rules, [{ ...paid, status: 30 }, paid]), true));

  for (const [what, order] of [
    ['is not in review', { ...paid, outcome: 'failed' }],
    ['is not called paid', { ...paid, status: 30 }],
    ['got an answer about another order', { ...paid, review_reason: 'request_id_mismatch' }],
  ] satisfies [string, OrderRow][])
    it(`finds none when the order ${what}`, () =>
      assert.equal(isPaidInReview(rules, [order]), false));

  it('finds none when the intent has no order', () =>
    assert.equal(isPaidInReview(rules, []), false));
});
