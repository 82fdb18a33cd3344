/** The order event that each answer to a query becomes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import { askStatus } from '../../../../relay/orders/ask-status.js';
import { SECRETS, testConfig } from '../../support/world.js';
import { createParts, refusing, unanswered } from './parts.js';

const order = { intent_id: 'i1', request_id: 'r1', checked_at: null, traceparent: null };

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
    assert.equal(parts.lines.length, 0);
    parts.service.query = refusing('500');
    assert.deepEqual(await askStatus(parts.context, order), {
      type: 'query_missed',
      at: parts.clock.now(),
    });
    const [line] = parts.lines.map(([level, event, { code }]) => [level, event, code]);
    assert.deepEqual(line, ['warn', 'query', '500']);
  });

  it('names the address of the service only when the connection failed', async () => {
    const parts = await createParts();
    const named = async (isOwn: boolean) => {
      parts.service.query = async () => {
        throw new OrderServiceError('unreachable', 'no connection became free', { isOwn });
      };
      await askStatus(parts.context, order);
      const { base_url, reason } = parts.lines.at(-1)![2];
      return [base_url, reason];
    };
    assert.deepEqual(await named(true), [undefined, 'no connection became free']);
    assert.deepEqual(await named(false), ['https://service.example', undefined]);
  });

  it('logs why the service refuses a query, without the secrets of its headers', async () => {
    const headers = { 'x-key': { env: 'SECRET' } };
    const parts = await createParts({ service: { ...testConfig.service, headers } });
    parts.service.query = async () => {
      const serviceMessage = `bad key ${SECRETS.SECRET}`;
      throw new OrderServiceError('refused', 'no', {
        code: '401',
        httpStatus: 401,
        serviceMessage,
      });
    };
    await askStatus(parts.context, order);
    const [line] = parts.lines.map(([, , fields]) => fields);
    assert.deepEqual(
      [line?.intent_id, line?.http_status, line?.service_message],
      ['i1', 401, 'bad key …'],
    );
  });

  it('does not log another refusal of a query in words, which may name the customer', async () => {
    const parts = await createParts();
    parts.service.query = async () => {
      const serviceMessage = 'no order of Maria Muster';
      throw new OrderServiceError('refused', 'no', {
        code: '5001',
        httpStatus: 200,
        serviceMessage,
      });
    };
    await askStatus(parts.context, order);
    assert.deepEqual(
      parts.lines.map(([, , { code, service_message }]) => [code, service_message]),
      [['5001', undefined]],
    );
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
