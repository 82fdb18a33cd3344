/** The relay stores no field of an answer that is about another order. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import type { OrderEvent, ServiceOrder } from '../../../../relay/orders/order-event.js';
import { shopEventTypes } from '../../../../relay/webhooks/shop-event.js';
import { fresh, freshIntent, rules, transition } from './fresh-order.js';

const own = { request_id: 'r1', order_no: 'P1', currency: 'USD', order_amount: '12.5' };
const created: OrderEvent = { type: 'pay_answered', at: 100, answer: { ...own, status: 11 } };
const lost: OrderEvent = { type: 'pay_lost', at: 100 };
const queried = (answer: Partial<ServiceOrder>): OrderEvent => ({
  type: 'query_answered',
  at: 200,
  answer: { status: 20, ...answer },
});
const resolve = (as: 'succeeded' | 'failed'): OrderEvent => ({ type: 'resolved', at: 300, as });
const paid = queried(own);

/** The order after all events, and the types of the shop's events. */
function applyAll(
  events: readonly OrderEvent[],
  using = rules,
): { order: OrderRow; raised: string[] } {
  const raised: string[] = [];
  let order = fresh;
  for (const event of events) {
    const before = order;
    order = transition(before, event, using).order;
    const paid_request_id = order.outcome === 'succeeded' ? order.request_id : null;
    raised.push(...shopEventTypes({ before, after: order }, { ...freshIntent, paid_request_id }));
  }
  return { order, raised };
}

const FOREIGN: Readonly<Record<string, OrderEvent>> = {
  'another request_id': queried({ ...own, request_id: 'r2', order_no: 'PX' }),
  'another request_id and this order_no': queried({ ...own, request_id: 'r2' }),
  'another request_id alone': queried({ request_id: 'r2' }),
  'another order_no without a request_id': queried({
    ...own,
    request_id: undefined,
    order_no: 'PX',
  }),
};

describe('an answer about another order', () => {
  for (const [what, foreign] of Object.entries(FOREIGN)) {
    it(`starts a review and stores nothing else when an answer has ${what}`, () => {
      const before = applyAll([created]).order;
      const { order } = applyAll([created, foreign]);
      assert.deepEqual([order.outcome, order.review_reason], ['review', 'request_id_mismatch']);
      assert.deepEqual(
        [order.status, order.order_no, order.echoed_amount, order.echoed_currency],
        [before.status, before.order_no, before.echoed_amount, before.echoed_currency],
      );
    });

    it(`counts a payment as new after “failed” when an answer with ${what} came before`, () => {
      const { order, raised } = applyAll([created, foreign, resolve('failed'), paid]);
      assert.deepEqual([order.outcome, order.late, order.order_no], ['succeeded', true, 'P1']);
      assert.deepEqual(raised.slice(1), [
        'order.review',
        'order.resolved',
        'order.failed',
        'order.succeeded',
      ]);
    });

    it(`raises no second review after “failed” when an answer with ${what} is repeated`, () => {
      const { order, raised } = applyAll([created, foreign, resolve('failed'), foreign, foreign]);
      assert.deepEqual([order.outcome, order.review_reason], ['failed', null]);
      assert.equal(raised.filter((type) => type === 'order.review').length, 1);
    });

    it(`counts a payment as new when an answer with ${what} came during another review`, () => {
      const byTable = { ...rules, statuses: { ...rules.statuses, '50': 'review' as const } };
      const review = queried({ ...own, status: 50 });
      const { order } = applyAll([created, review, foreign, resolve('failed'), paid], byTable);
      assert.deepEqual([order.outcome, order.late], ['succeeded', true]);
    });

    it(`raises one review when the first answer with ${what} comes after “failed”`, () => {
      const unpaid = queried({ ...own, status: 11, order_amount: '1' });
      const before = [created, unpaid, resolve('failed')];
      const { order, raised } = applyAll([...before, foreign, foreign]);
      assert.deepEqual([order.outcome, order.review_reason], ['failed', 'request_id_mismatch']);
      assert.equal(raised.filter((type) => type === 'order.review').length, 2);
      const { order: late } = applyAll([...before, foreign, paid]);
      assert.deepEqual([late.outcome, late.late], ['succeeded', true]);
    });
  }

  it('counts a payment as new when the answer to pay was lost before a foreign answer', () => {
    const foreign = queried({ ...own, request_id: 'r2' });
    const { order } = applyAll([lost, foreign, resolve('failed'), paid]);
    assert.deepEqual([order.outcome, order.late], ['succeeded', true]);
  });

  it('starts no new review after “failed” when it comes again beside the own payment', () => {
    const foreign = queried({ ...own, request_id: 'r2', status: 11 });
    const decided = [created, foreign, paid, resolve('failed')];
    const { order, raised } = applyAll([...decided, foreign, paid, foreign]);
    assert.deepEqual([order.outcome, order.review_reason, order.status], ['failed', null, 20]);
    assert.deepEqual(raised.slice(-2), ['order.resolved', 'order.failed']);
  });

  it('ignores a payment after “failed” that was reported during the review', () => {
    const foreign = queried({ ...own, request_id: 'r2' });
    const { order, raised } = applyAll([
      created,
      foreign,
      paid,
      resolve('failed'),
      paid,
      foreign,
      paid,
    ]);
    assert.deepEqual([order.outcome, order.review_reason, order.status], ['failed', null, 20]);
    assert.deepEqual(raised.slice(2), ['order.review', 'order.resolved', 'order.failed']);
  });

  it('proves no payment after “failed” when the answer has no request_id', () => {
    const foreign = queried({ ...own, request_id: 'r2' });
    const unnamed = queried({ ...own, request_id: undefined });
    const { order, raised } = applyAll([created, foreign, resolve('failed'), unnamed, unnamed]);
    assert.deepEqual([order.outcome, order.review_reason], ['failed', 'paid_before_answer']);
    assert.equal(raised.filter((type) => type === 'order.review').length, 2);
  });

  it('raises no second review when a required request_id is absent again', () => {
    const unnamed = queried({ ...own, request_id: undefined });
    const strict = { ...rules, requireEcho: true };
    const { order } = applyAll([created, unnamed, resolve('failed'), unnamed], strict);
    assert.deepEqual([order.outcome, order.review_reason], ['failed', null]);
  });

  it('names itself, and no status, as the reason of a review of a paid order', () => {
    const foreign = queried({ ...own, request_id: 'r2', status: 30 });
    const { order, raised } = applyAll([created, paid, foreign]);
    const reviewed = [order.outcome, order.review_reason, order.status];
    assert.deepEqual(reviewed, ['succeeded', 'request_id_mismatch', 20]);
    const again = applyAll([created, paid, foreign, resolve('succeeded'), foreign]);
    assert.deepEqual([again.order.review_reason, again.order.status], [null, 20]);
    assert.equal(raised.filter((type) => type === 'order.review').length, 1);
  });

  it('does not hide that the payment was taken back', () => {
    const takenBack = queried({ ...own, status: 30 });
    const foreign = queried({ ...own, request_id: 'r2', status: 40 });
    const { order } = applyAll([created, paid, takenBack, foreign]);
    assert.equal(order.review_reason, 'status_after_success');
  });

  it('raises no review after “succeeded” when the answer under review comes again', () => {
    const foreign = queried({ ...own, request_id: 'r2', status: 30 });
    const { order } = applyAll([created, foreign, resolve('succeeded'), foreign]);
    assert.deepEqual([order.outcome, order.review_reason], ['succeeded', null]);
  });
});
