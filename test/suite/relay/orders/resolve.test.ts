/** A person ends a review by a resolution. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NotInReview, resolveOrder } from '../../../../relay/orders/resolve.js';
import { createParts } from './parts.js';
import { replaceOrder } from '../../support/ledger-calls.js';

const decision = { requestId: 'r1', as: 'failed', by: 'Ann', note: 'no money came' } as const;

describe('resolveOrder', () => {
  it('ends a review, and keeps its reason, the person’s name and the note', async () => {
    const { add, clock, context } = await createParts();
    await add({ outcome: 'review', review_reason: 'by_table' });
    const { outcome, resolved_as } = await resolveOrder(context, decision);
    assert.deepEqual([outcome, resolved_as], ['failed', 'failed']);
    assert.deepEqual((await context.ledger.intent('i1'))?.resolutions, [
      {
        request_id: 'r1',
        resolved_as: 'failed',
        resolved_by: 'Ann',
        note: 'no money came',
        review_reason: 'by_table',
        resolved_at: clock.now(),
      },
    ]);
  });

  it('refuses to resolve an order that is not in review', async () => {
    const { add, context } = await createParts();
    await assert.rejects(resolveOrder(context, decision), NotInReview);
    await add();
    await assert.rejects(resolveOrder(context, decision), /not in review, it is pending/);
    await add({ request_id: 'r2', intent_id: 'i2', outcome: 'review', review_reason: null });
    await assert.rejects(resolveOrder(context, { ...decision, requestId: 'r2' }), NotInReview);
  });

  it('ends the review of a payment that the service took back, which stays a payment', async () => {
    const { add, context } = await createParts();
    await add({ outcome: 'succeeded', review_reason: 'status_after_success' });
    await assert.rejects(resolveOrder(context, decision), /the order is paid, and stays so/);
    const ended = await resolveOrder(context, { ...decision, as: 'succeeded' });
    assert.deepEqual([ended.outcome, ended.review_reason], ['succeeded', null]);
    await assert.rejects(resolveOrder(context, decision), /not in review, it is succeeded/);
  });

  it('takes a second decision when the service contradicts the first', async () => {
    const { add, context } = await createParts();
    await add({ outcome: 'failed', resolved_as: 'failed', review_reason: 'paid_before_answer' });
    const paid = await resolveOrder(context, { ...decision, as: 'succeeded' });
    assert.deepEqual([paid.outcome, paid.resolved_as, paid.late], ['succeeded', 'succeeded', true]);
  });

  it('refuses a decision when the service has named another status than was seen', async () => {
    const { add, context } = await createParts();
    await add({ outcome: 'review', review_reason: 'by_table', status: 20 });
    for (const status of [50, null])
      await assert.rejects(
        resolveOrder(context, { ...decision, status }),
        /has named the status 20 since/,
      );
    assert.equal((await context.ledger.find('r1'))?.order.outcome, 'review');
    assert.equal((await resolveOrder(context, { ...decision, status: 20 })).outcome, 'failed');
  });

  it('refuses a decision when another status comes between its read and its write', async () => {
    const { add, clock, context, store } = await createParts();
    const order = await add({ outcome: 'review', review_reason: 'by_table', status: 50 });
    const { ledger } = context;
    const pays = async (): Promise<void> => {
      const answer = { status: 20, request_id: 'r1' };
      await store.apply(order, { type: 'query_answered', at: clock.now(), answer });
    };
    const read = ledger.find;
    ledger.find = async (requestId) => {
      const found = await read(requestId);
      await pays();
      return found;
    };
    await assert.rejects(resolveOrder(context, decision), /has named the status 20 since/);
  });

  for (const [who, resolved_as, expected] of [
    ['a person', 'failed', /somebody else has just ended/],
    ['the service', null, /the service has named the status 20 since/],
  ] as const)
    it(`rejects a resolution when ${who} has ended the wait meanwhile`, async () => {
      const { add, context } = await createParts();
      const order = await add({ outcome: 'review', review_reason: 'by_table' });
      const read = context.ledger.find;
      let isFirst = true;
      context.ledger.find = async (requestId) => {
        const row = await read(requestId);
        if (isFirst) {
          isFirst = false;
          await replaceOrder(context.ledger, {
            ...order,
            outcome: resolved_as ?? 'succeeded',
            status: 20,
            resolved_as,
            review_reason: null,
            version: 2,
          });
        }
        return row;
      };
      await assert.rejects(resolveOrder(context, decision), expected);
    });

  it('rejects one of two contrary resolutions that come at the same moment', async () => {
    const { add, context } = await createParts();
    await add({ outcome: 'review', review_reason: 'by_table' });
    const [first, second] = await Promise.allSettled([
      resolveOrder(context, decision),
      resolveOrder(context, { ...decision, as: 'succeeded' }),
    ]);
    assert.deepEqual([first.status, second.status].sort(), ['fulfilled', 'rejected']);
  });
});
