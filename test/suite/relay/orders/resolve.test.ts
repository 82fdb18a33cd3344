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
    // paid, with a later status that contradicts the payment
    const paid = { outcome: 'succeeded', review_reason: 'status_after_success' } as const;
    await add({ request_id: 'r3', intent_id: 'i3', ...paid });
    await assert.rejects(
      resolveOrder(context, { ...decision, requestId: 'r3' }),
      /not in review, it is succeeded/,
    );
  });

  it('rejects a resolution when the review ended meanwhile', async () => {
    const { add, context } = await createParts();
    const order = await add({ outcome: 'review', review_reason: 'by_table' });
    const read = context.ledger.find;
    let isFirst = true;
    context.ledger.find = async (requestId) => {
      const row = await read(requestId);
      if (isFirst) {
        isFirst = false;
        await replaceOrder(context.ledger, { ...order, outcome: 'pending', version: 2 });
      }
      return row;
    };
    await assert.rejects(resolveOrder(context, decision), /somebody else/);
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
