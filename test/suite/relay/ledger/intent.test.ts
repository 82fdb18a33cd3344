/** What an intent waits for, and since when: what gauges, alerts and the to-do list count. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openAs, openSince, type Intent } from '../../../../relay/ledger/intent.js';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

const pending: OrderRow = { ...fresh, sending: 'answered' };
const lost: OrderRow = { ...pending, sending: 'lost', outcome: 'confirming' };
const unsent: OrderRow = { ...fresh, sending: 'unsent', next_check_at: null };
const intentOf = (orders: readonly OrderRow[], change: Partial<IntentRow> = {}): Intent => ({
  ...freshIntent,
  ...change,
  orders,
  resolutions: [],
});
const openOf = (orders: readonly OrderRow[], change: Partial<IntentRow> = {}) =>
  openAs(intentOf(orders, change));

describe('an intent', () => {
  it('waits for the outcome that most needs a person', () => {
    assert.equal(openOf([pending, lost]), 'confirming');
    assert.equal(openOf([pending, { ...lost, outcome: 'unmapped' }, lost]), 'unmapped');
    assert.equal(openOf([{ ...pending, outcome: 'failed' }]), null);
  });

  it('does not wait for an order that was never sent', () => {
    const paid: OrderRow = { ...pending, outcome: 'succeeded', next_check_at: null };
    assert.equal(openOf([paid, unsent], { paid_request_id: 'r1' }), null);
    assert.equal(openOf([unsent], { closed_at: 1 }), null);
    assert.equal(openOf([{ ...pending, outcome: 'failed' }, unsent]), null);
    assert.equal(openOf([unsent]), 'unsent');
  });

  it('is idle when it is paid or closed, or when nobody asks about its orders any more', () => {
    for (const order of [pending, lost]) {
      assert.equal(openOf([order], { paid_request_id: 'r2' }), 'idle');
      assert.equal(openOf([order], { closed_at: 1 }), 'idle');
      assert.equal(openOf([{ ...order, next_check_at: null }]), 'idle');
    }
    assert.equal(openOf([{ ...lost, next_check_at: null }, pending]), 'pending');
  });

  it('waits for a person in any case while an order is in review', () => {
    const review: OrderRow = { ...pending, outcome: 'review', next_check_at: null };
    assert.equal(openOf([lost, review], { paid_request_id: 'r2', closed_at: 1 }), 'review');
  });

  it('has waited since the fact, and not since its order was made', () => {
    const review: OrderRow = {
      ...pending,
      outcome: 'review',
      history: [{ at: 70, outcome: 'review' }],
    };
    assert.equal(openSince(intentOf([pending, review])), 70);
    assert.equal(openSince(intentOf([{ ...pending, created_at: 5 }])), 5);
    const forgotten = { ...lost, next_check_at: null, created_at: 3 };
    assert.equal(openSince(intentOf([forgotten, { ...lost, created_at: 9 }])), 9);
  });
});
