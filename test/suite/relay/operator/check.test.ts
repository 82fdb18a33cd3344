/** What an operator learns when the service is asked at once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../../relay/operator/check.js';
import { outputs } from '../../../../relay/operator/shapes.js';
import type { InBudget } from '../../../../relay/orders/polling/query-order.js';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import { createParts, refusing, unanswered } from '../orders/parts.js';
import { createRestoredParts, ECHOES } from '../orders/restored/restored-parts.js';

describe('a check', () => {
  it('names the status of the answer, also when the order keeps another one', async () => {
    const { add, context, service } = await createParts();
    await add({ outcome: 'succeeded', status: 20, sending: 'answered' });
    service.query = async () => ({ status: 30, request_id: 'another' });
    const { answer, order, others, status } = await check(context, 'r1');
    assert.deepEqual([answer, status, order.status, others], ['answered', 30, 20, []]);
  });

  it('writes its answer also when another one came while it waited for the budget', async () => {
    const { add, context, service, store } = await createParts();
    const order = await add();
    const said = (status: number) => ({ status, request_id: 'r1' });
    const inBudget: InBudget = async (_order, send) => {
      await store.apply(order, { type: 'query_answered', at: 5, answer: said(77) });
      return send();
    };
    service.query = async () => said(30);
    const checked = await check({ ...context, inBudget }, 'r1');
    assert.deepEqual([checked.status, checked.order.outcome], [30, 'failed']);
  });

  it('says whether the service refused, gave no answer or was sent nothing', async () => {
    const { add, context, service } = await createParts();
    await add({ sending: 'answered' });
    const why = 'the circuit breaker is open';
    const said: unknown[] = [];
    for (const query of [
      refusing('5001'),
      unanswered,
      async (): Promise<never> => {
        throw new OrderServiceError('unreachable', why, { isOwn: true });
      },
      async (): Promise<never> => {
        throw new OrderServiceError('unreadable', 'no envelope', { httpStatus: 500 });
      },
    ]) {
      service.query = query;
      const { answer, message } = await check(context, 'r1');
      said.push([answer, message]);
    }
    assert.deepEqual(said, [
      ['no_answer', 'it refused, 5001'],
      ['no_answer', 'no answer came'],
      ['no_answer', `nothing was sent, ${why}`],
      ['no_answer', 'its answer cannot be read, HTTP 500'],
    ]);
  });

  it('asks about an order whose claim has ended, and about none that is being sent', async () => {
    const { add, clock, context, queried } = await createParts();
    await add({ sending: 'claimed', next_check_at: clock.now() + 1 });
    const { answer, message } = await check(context, 'r1');
    const why = 'its request is being sent at this moment';
    assert.deepEqual([answer, message, queried], ['not_asked', why, []]);
    await clock.advance(1);
    assert.equal((await check(context, 'r1')).answer, 'answered');
    assert.deepEqual(queried, ['r1']);
  });

  it('asks about each order of an intent that may still be paid', async () => {
    const { add, context, queried, service } = await createParts();
    await add({ sending: 'answered' });
    await add({ request_id: 'r2', ordinal: 2, outcome: 'expired', sending: 'answered' });
    await add({ request_id: 'r3', ordinal: 3, sending: 'answered' });
    await add({ request_id: 'r4', ordinal: 4, sending: 'unsent' });
    const proof = { currency: 'USD', order_amount: '12.50' };
    service.query = async ({ request_id }) => ({
      ...proof,
      request_id,
      status: request_id === 'r1' ? 20 : 11,
    });
    const answer = outputs['orders check'].parse(await check(context, 'i1'));
    assert.deepEqual(queried, ['r3', 'r1', 'r2']);
    assert.deepEqual(
      [answer, ...answer.others].map(({ order, status }) => [status, order.outcome]),
      [
        [11, 'pending'],
        [20, 'succeeded'],
        [11, 'pending'],
      ],
    );
    await check(context, 'r2');
    assert.equal(queried.length, 4);
  });

  it('finds the replacement of an intent’s order that a restored ledger lost', async () => {
    const { add, context, idOf, known, restored } = await createRestoredParts(0, ECHOES);
    const lost = await idOf(2);
    await add({ sending: 'answered' });
    known.set('r1', 11).set(lost, 20);
    const { order } = await check({ ...context, restored }, 'i1');
    assert.deepEqual([order.request_id, order.outcome], [lost, 'succeeded']);
  });
});
