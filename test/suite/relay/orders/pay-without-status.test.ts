/** An answer to a pay that has no status: its link is shown, and only a query says what is paid. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import type { PayAnswer, ServiceOrder } from '../../../../relay/orders/order-event.js';
import { fresh, rules, transition, type TestEvent } from './fresh-order.js';

const applyAll = (events: TestEvent[]): OrderRow =>
  events.reduce((order, event) => transition(order, event, rules).order, fresh);
const checkout_url = 'https://pay.example/1';
const answered = (answer: PayAnswer = { checkout_url }): TestEvent => ({
  type: 'pay_answered',
  at: 100,
  answer,
});
const queried = (answer: ServiceOrder): TestEvent => ({ type: 'query_answered', at: 200, answer });
const echoes = { request_id: 'r1', currency: 'USD', order_amount: '12.5' };
const lost: TestEvent = { type: 'pay_lost', at: 1 };

describe('a pay that is answered without a status', () => {
  it('is pending, and shows the link that the answer has, or the wait', () => {
    const { next_action, outcome, sending, status } = applyAll([answered()]);
    assert.deepEqual([sending, outcome, status], ['answered', 'pending', null]);
    assert.deepEqual(next_action, { kind: 'open_page', checkout_url });
    const bare = applyAll([answered({})]);
    assert.deepEqual([bare.outcome, bare.next_action], ['pending', { kind: 'wait' }]);
  });

  it('still goes to review when an echo differs', () => {
    const { next_action, review_reason } = applyAll([answered({ checkout_url, currency: 'EUR' })]);
    assert.deepEqual([next_action, review_reason], [null, 'currency_mismatch']);
  });

  it('takes its status from a query, with or without echoes', () => {
    const opened = applyAll([answered(), queried({ status: 11 })]);
    assert.deepEqual([opened.outcome, opened.status], ['pending', 11]);
    assert.deepEqual(opened.next_action, { kind: 'open_page', checkout_url });
    assert.equal(applyAll([answered(), queried({ status: 30 })]).outcome, 'failed');
  });

  it('is paid by a first status only with all three echoes', () => {
    const paid = applyAll([answered(), queried({ ...echoes, status: 20 })]);
    assert.equal(paid.outcome, 'succeeded');
    const unproven = applyAll([answered(), queried({ status: 20 })]);
    assert.equal(unproven.review_reason, 'paid_before_answer');
    const seenUnpaid = [answered(), queried({ status: 11 }), queried({ status: 20 })];
    assert.equal(applyAll(seenUnpaid).outcome, 'succeeded');
  });

  it('ends the doubt about a lost request, and changes nothing that a query has said', () => {
    assert.equal(applyAll([lost, answered()]).outcome, 'pending');
    for (const [status, outcome] of [
      [30, 'failed'],
      [20, 'succeeded'],
      [99, 'unmapped'],
    ] as const) {
      const order = applyAll([queried({ ...echoes, status }), answered(echoes)]);
      assert.deepEqual([order.outcome, order.status], [outcome, status]);
    }
  });

  it('never makes a payment of the status that a person has decided about', () => {
    const order = applyAll([
      queried({ status: 20, ...echoes, order_amount: '1' }),
      { type: 'resolved', at: 300, as: 'failed' },
      answered(echoes),
    ]);
    assert.deepEqual([order.outcome, order.review_reason], ['failed', null]);
  });
});
