/** Which order of an intent a page sees, and which one in review holds up the others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { paidInReview, shownOrder } from '../../../../relay/ledger/shown-order.js';
import { fresh, rules } from '../orders/fresh-order.js';

const paid: OrderRow = { ...fresh, outcome: 'review', review_reason: 'by_table', status: 20 };

describe('an order in review that the service calls paid', () => {
  const later: OrderRow = { ...fresh, request_id: 'r2', ordinal: 2, sending: 'answered' };

  for (const [what, order] of [
    ['is in review', paid],
    ['got an answer about another order', { ...paid, review_reason: 'request_id_mismatch' }],
    [
      'is called paid after a person called it failed',
      { ...paid, outcome: 'failed', review_reason: 'paid_before_answer' },
    ],
  ] satisfies [string, OrderRow][])
    it(`is found among others, and shown before a later one, when it ${what}`, () => {
      const orders = [{ ...paid, status: 30 }, order, later];
      assert.equal(paidInReview(rules, { orders }), order);
      assert.equal(shownOrder(rules, { orders, paid_request_id: null }), order);
    });

  for (const [what, order] of [
    ['was resolved as failed', { ...paid, outcome: 'failed', review_reason: null }],
    [
      'was resolved as failed, and got an answer about another order since',
      {
        ...paid,
        outcome: 'failed',
        resolved_as: 'failed',
        review_reason: 'request_id_mismatch',
      },
    ],
    ['is not called paid', { ...paid, status: 30 }],
    ['is paid', { ...paid, outcome: 'succeeded', review_reason: 'status_after_success' }],
  ] satisfies [string, OrderRow][])
    it(`is not found when the order ${what}`, () =>
      assert.equal(paidInReview(rules, { orders: [order] }), null));

  it('is not found when the intent has no order', () =>
    assert.equal(paidInReview(rules, { orders: [] }), null));

  it('is not shown when another order has paid the intent', () => {
    const succeeded: OrderRow = { ...later, outcome: 'succeeded' };
    const orders = [paid, succeeded];
    assert.equal(shownOrder(rules, { orders, paid_request_id: 'r2' }), succeeded);
  });
});
