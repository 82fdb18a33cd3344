/** Which order an operator names by an id. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byId } from '../../../../relay/operator/by-id.js';
import { resolve } from '../../../../relay/operator/resolve.js';
import { createParts } from '../orders/parts.js';

const REVIEW = { outcome: 'review', review_reason: 'by_table' } as const;

describe('an id', () => {
  it('is refused when it is the intent_id of a purchase and the order_no of another', async () => {
    const { add, context } = await createParts();
    await add({ intent_id: 'shop-10042' });
    await add({ request_id: 'r2', intent_id: 'i2', order_no: 'shop-10042' });
    await assert.rejects(byId(context.ledger, 'shop-10042'), /several orders have the id/);
    assert.equal((await byId(context.ledger, 'r2')).intent.intent_id, 'i2');
  });

  it('is refused when it is the order_no of two orders of one purchase', async () => {
    const { add, context } = await createParts();
    await add({ order_no: 'P7' });
    assert.equal((await byId(context.ledger, 'P7')).order?.request_id, 'r1');
    await add({ request_id: 'r2', ordinal: 2, order_no: 'P7' });
    await assert.rejects(byId(context.ledger, 'P7'), /find tells their request_id/);
  });

  it('names the same order twice when the service takes its request_id as order_no', async () => {
    const { add, context } = await createParts();
    await add({ order_no: 'r1' });
    assert.equal((await byId(context.ledger, 'r1')).order?.request_id, 'r1');
  });
});

describe('an intent_id of a decision', () => {
  const decision = { as: 'failed', by: 'Ann', note: 'seen' } as const;

  it('names the only order in review, also when another one has replaced it', async () => {
    const { add, context } = await createParts();
    await add(REVIEW);
    await add({ request_id: 'r2', ordinal: 2 });
    const { order } = await resolve(context, { id: 'i1', ...decision });
    assert.deepEqual([order.request_id, order.outcome], ['r1', 'failed']);
  });

  it('is refused when several orders are in review, which are listed', async () => {
    const { add, context } = await createParts();
    await add(REVIEW);
    await add({ request_id: 'r2', ordinal: 2, ...REVIEW });
    await assert.rejects(resolve(context, { id: 'i1', ...decision }), /name one of r1, r2/);
  });
});
