/** What an answer of the service to a query says of an order, and what it does not say. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OrderServiceError } from '../../../relay/order-service/errors.js';
import { askStatus } from '../../../relay/orders/ask-status.js';
import { createParts, refusing, unanswered } from './parts.js';

describe('askStatus', () => {
  it('asks by request_id, and says when it was asked and answered', async () => {
    const { clock, context, queried } = await createParts();
    const event = await askStatus(context, 'r1', 5);
    assert.deepEqual(queried, ['r1']);
    assert.deepEqual([event.type, event.at], ['query_answered', clock.now()]);
    assert.ok(event.type === 'query_answered');
    assert.deepEqual([event.knownAt, event.answer.status], [5, 11]);
  });

  it('says that the service has no such order only for a configured code', async () => {
    const parts = await createParts();
    await parts.clock.advance(3000);
    parts.service.query = refusing('4040');
    assert.deepEqual(await askStatus(parts.context, 'r1', null), {
      type: 'query_not_found',
      at: parts.clock.now(),
      steadyMs: 3000,
    });
    assert.deepEqual(parts.lines, []);
    parts.service.query = refusing('500');
    assert.deepEqual(await askStatus(parts.context, 'r1', null), {
      type: 'query_missed',
      at: parts.clock.now(),
    });
    const fields = { request_id: 'r1', kind: 'refused', code: '500' };
    assert.deepEqual(parts.lines, [['warn', 'query', fields]]);
  });

  it('does not take the code of an answer for a refusal when it was none', async () => {
    const parts = await createParts();
    parts.service.query = async () => {
      throw new OrderServiceError('unreadable', 'no envelope', { code: '4040' });
    };
    assert.equal((await askStatus(parts.context, 'r1', null)).type, 'query_missed');
  });

  it('knows nothing when no answer came', async () => {
    const parts = await createParts();
    parts.service.query = unanswered;
    assert.equal((await askStatus(parts.context, 'r1', null)).type, 'query_missed');
  });

  it('does not hide a fault of the relay itself', async () => {
    const parts = await createParts();
    parts.service.query = async () => {
      throw new TypeError('a fault');
    };
    await assert.rejects(askStatus(parts.context, 'r1', null), TypeError);
  });
});
