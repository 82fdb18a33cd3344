/** The examples of the guide have the fields of real answers and events, with the same types. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { backendOrder } from '../../../relay/contract/responses.js';
import { systemClock } from '../../../relay/runtime.js';
import { until } from '../../suite/support/world.js';
import { codeOf, createShop, type ReceivedEvent } from '../../suite/relay/routes/shop.js';

const GUIDES = new URL('../../../docs/guides/', import.meta.url);
const page = readFileSync(new URL('answers-to-the-backend.md', GUIDES), 'utf8');
const eventsGuide = readFileSync(new URL('receive-shop-events.md', GUIDES), 'utf8');

/** The first JSON block of a text. */
function jsonIn(text: string): unknown {
  const block = /```json\n([\s\S]*?)```/.exec(text)?.[1];
  assert.ok(block);
  return JSON.parse(block);
}

/** The example below a heading of the guide. */
function documented(heading: string): unknown {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  assert.ok(section, `the guide has the heading ${heading}`);
  return jsonIn(section);
}

/** Replaces each value by its type, and a list by the shape of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]));
}

const UNPAID_AFTER_S = 3600;

describe('the guide to the answers to the backend', () => {
  const answers = new Map<string, unknown>();
  let received: ReceivedEvent[];
  let refusal: string | undefined;

  before(async () => {
    let aheadMs = 0;
    const clock = {
      ...systemClock,
      now: () => systemClock.now() + aheadMs,
      elapsed: () => systemClock.elapsed() + aheadMs,
    };
    const shop = await createShop({ clock, unpaidAfterS: UNPAID_AFTER_S });
    const place = async (jti: string): Promise<string> => {
      const { body } = await shop.pay(jti, { metadata: { basket: jti } });
      return body.order?.request_id ?? '';
    };
    const ask = async (path: string, body: object): Promise<void> => {
      answers.set(`POST ${path}`, (await shop.ask(path, body)).body);
    };
    await shop.customerPays(await place('order-10042'));
    const isPaid = async (): Promise<boolean> =>
      (await shop.query('order-10042')).body.order?.outcome === 'succeeded';
    await until(isPaid, 'the payment');
    const query = documented('POST /v1/query') as { expect: object };
    await ask('/v1/query', query);
    const withOtherAmount = { ...query, expect: { ...query.expect, amount: '0.01' } };
    refusal = codeOf(await shop.ask('/v1/query', withOtherAmount));
    await ask('/v1/orders', {});
    await shop.receivedTypes();
    await ask('/v1/events', {});
    const closed = await place('order-10043');
    await ask('/v1/close', { intent_id: 'order-10043' });
    await shop.customerPays(closed);
    const untilReceived = (type: string): Promise<void> =>
      until(async () => (await shop.receivedTypes()).includes(type), type);
    await untilReceived('order.late_payment');
    await place('order-10044');
    aheadMs += (UNPAID_AFTER_S + 60) * 1000;
    await untilReceived('order.unpaid');
    await ask('/v1/events/resend', { since: '2026-01-01T00:00:00Z' });
    received = shop.received;
    await shop.world.relay.close();
  });

  for (const request of [
    'POST /v1/close',
    'POST /v1/orders',
    'POST /v1/events',
    'POST /v1/events/resend',
  ])
    it(`documents the answer to ${request} with all its fields`, () =>
      assert.deepEqual(shapeOf(documented(request)), shapeOf(answers.get(request))));

  it('documents a query that is answered, and that is refused when the amount differs', () => {
    const { order, orders } = answers.get('POST /v1/query') as Record<string, unknown>;
    assert.deepEqual(orders, [order]);
    assert.equal((order as { outcome: string }).outcome, 'succeeded');
    assert.equal(refusal, 'not_as_expected');
  });

  for (const type of ['order.late_payment', 'order.unpaid'])
    it(`documents the event ${type} with all its fields`, () => {
      const { data } = received.find((event) => event.type === type) ?? {};
      assert.deepEqual(shapeOf(documented(type)), shapeOf({ type, timestamp: '', data }));
    });

  it('documents the event order.succeeded with all its fields', () => {
    const { data, type } = received.find((event) => event.type === 'order.succeeded') ?? {};
    assert.deepEqual(
      shapeOf(jsonIn(eventsGuide)),
      shapeOf({ type, timestamp: '', data: { ...data, metadata: { basket: '' } } }),
    );
  });

  it('names every field that an order may have', () => {
    for (const field of Object.keys(backendOrder.shape))
      assert.ok(page.includes(`"${field}"`) || page.includes(`\`${field}`), field);
  });
});
