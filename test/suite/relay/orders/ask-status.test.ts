/** The order event that each answer to a query becomes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import { askStatus } from '../../../../relay/orders/ask-status.js';
import { createParts, refusing, unanswered } from './parts.js';

const order = { intent_id: 'i1', request_id: 'r1', checked_at: null };

describe('askStatus', () => {
  it('queries by request_id, and dates both the query and the answer', async () => {
    const { clock, context, queried } = await createParts();
    const event = await askStatus(context, { ...order, checked_at: 5 });
    assert.deepEqual(queried, ['r1']);
    assert.deepEqual([event.type, event.at], ['query_answered', clock.now()]);
    assert.ok(event.type === 'query_answered');
    assert.deepEqual([event.knownAt, event.answer.status], [5, 11]);
  });

  it('reports an order as not found only when the refusal has a configured code', async () => {
    const parts = await createParts();
    await parts.clock.advance(3000);
    parts.service.query = refusing('4040');
    assert.deepEqual(await askStatus(parts.context, order), {
      type: 'query_not_found',
      at: parts.clock.now(),
      steadyMs: 3000,
    });
    assert.deepEqual(parts.lines, []);
    parts.service.query = refusing('500');
    assert.deepEqual(await askStatus(parts.context, order), {
      type: 'query_missed',
      at: parts.clock.now(),
    });
    const fields = { intent_id: 'i1', request_id: 'r1', kind: 'refused', code: '500' };
    assert.deepEqual(parts.lines, [['warn', 'query', fields]]);
  });

  it('reports a missed query when an unreadable answer has a “not found” code', async () => {
    const parts = await createParts();
    parts.service.query = async () => {
      throw new OrderServiceError('unreadable', 'no envelope', { code: '4040' });
    };
    assert.equal((await askStatus(parts.context, order)).type, 'query_missed');
  });

  it('reports a missed query when no answer comes', async () => {
    const parts = await createParts();
    parts.service.query = unanswered;
    assert.equal((await askStatus(parts.context, order)).type, 'query_missed');
  });

  it('rejects when the relay itself has a fault', async () => {
    const parts = await createParts();
    parts.service.query = async () => {
      throw new TypeError('a fault');
    };
    await assert.rejects(askStatus(parts.context, order), TypeError);
  });
});
