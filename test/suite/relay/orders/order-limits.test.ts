/** How many orders an intent may have: five open ones, five in an hour, twenty in all. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { MAX_ORDERS, waitForOrderMs } from '../../../../relay/orders/order-limits.js';
import { systemClock } from '../../../../relay/runtime.js';
import { bearer, openIntent, postRequest, until, type World } from '../../support/world.js';
import { createShop } from '../routes/shop.js';
import { agesAt, fresh } from './fresh-order.js';

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Orders that were made one minute after the other, the last one a minute ago. */
const madeByMinute = (count: number, change: Partial<OrderRow> = {}): OrderRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ...fresh,
    request_id: `r${index + 1}`,
    ordinal: index + 1,
    sending: 'answered',
    created_at: NOW - (count - index) * MINUTE_MS,
    ...change,
  }));

describe('the wait for a further order', () => {
  it('is over at once when the intent has had fewer than five orders', () => {
    for (const outcome of ['pending', 'expired'] as const)
      assert.equal(waitForOrderMs(madeByMinute(4, { outcome }), agesAt(NOW)), 0);
  });

  it('ends an hour after the fifth order before it', () => {
    const orders = madeByMinute(5, { outcome: 'expired' });
    assert.equal(waitForOrderMs(orders, agesAt(NOW)), HOUR_MS - 5 * MINUTE_MS);
    assert.equal(waitForOrderMs(orders, agesAt(NOW + HOUR_MS - 5 * MINUTE_MS)), 0);
    assert.equal(
      waitForOrderMs(madeByMinute(7, { outcome: 'failed' }), agesAt(NOW)),
      55 * MINUTE_MS,
    );
  });

  it('ends when the first of five open orders expires', () => {
    for (const outcome of ['pending', 'confirming', 'unmapped', 'review'] as const) {
      const orders = madeByMinute(5, { outcome }).map((order) => {
        const created_at = order.created_at - 2 * HOUR_MS;
        return { ...order, created_at, expires_at: created_at + 3 * HOUR_MS };
      });
      assert.equal(waitForOrderMs(orders, agesAt(NOW)), 55 * MINUTE_MS, outcome);
    }
  });

  it('has no end while five open orders have no end', () => {
    const created_at = NOW - 48 * HOUR_MS;
    assert.equal(waitForOrderMs(madeByMinute(5, { created_at }), agesAt(NOW)), Infinity);
    const unsent = madeByMinute(5, { created_at, sending: 'unsent' });
    assert.equal(waitForOrderMs(unsent, agesAt(NOW)), 0);
  });

  it('is over for orders that the relay asks about no more, unless a person must look', () => {
    const old = { created_at: NOW - 48 * HOUR_MS, next_check_at: null };
    assert.equal(waitForOrderMs(madeByMinute(5, old), agesAt(NOW)), 0);
    const review = madeByMinute(5, { ...old, outcome: 'review' });
    assert.equal(waitForOrderMs(review, agesAt(NOW)), Infinity);
  });

  it('has no end when the intent has had twenty orders, also when the ledger lacks some', () => {
    const created_at = NOW - 48 * HOUR_MS;
    const ended = madeByMinute(MAX_ORDERS, { created_at, outcome: 'expired' });
    assert.equal(waitForOrderMs(ended.slice(0, -1), agesAt(NOW)), 0);
    assert.equal(waitForOrderMs(ended, agesAt(NOW)), Infinity);
    assert.equal(waitForOrderMs(ended.slice(-1), agesAt(NOW)), Infinity);
  });

  it('is over when the clock was far ahead as the orders were made', () => {
    const created_at = NOW + 30 * HOUR_MS;
    const orders = madeByMinute(5, { created_at, expires_at: created_at + HOUR_MS });
    assert.equal(waitForOrderMs(orders, agesAt(NOW)), 0);
  });
});

/** A clock that a test can set forward. */
function forwardClock() {
  const ahead = { ms: 0 };
  const now = (): number => systemClock.now() + ahead.ms;
  const elapsed = (): number => systemClock.elapsed() + ahead.ms;
  return { ahead, clock: { ...systemClock, now, elapsed } };
}

describe('a customer whose orders expire', () => {
  type Order = NonNullable<Awaited<ReturnType<World['ask']>>['body']['order']>;

  const customer = async (clock = systemClock) => {
    const shop = await createShop({ clock });
    const attempt = crypto.randomUUID();
    let last: Order | undefined;
    const ask = async (): Promise<Response> => {
      const { order_key, request_id } = last ?? {};
      const replaces = last && { replaces: { order_key, request_id } };
      const body = { ...openIntent, attempt, option: 'qr', ...replaces };
      return shop.world.relay.fetch(postRequest('/v1/pay', body));
    };
    const place = async (): Promise<Order> => {
      const response = await ask();
      const { order } = (await response.json()) as { order?: Order };
      assert.ok(order, `${response.status}`);
      last = order;
      return order;
    };
    const end = async (request_id: string, status: number): Promise<void> => {
      const placed = shop.world.sandbox.orders.byRequest(request_id);
      assert.ok(placed);
      shop.world.sandbox.orders.setStatus(placed, status);
      const query = () => shop.world.ask('/v1/query', { request_id }, bearer);
      await until(async () => (await query()).body.order?.status === status, 'the answer');
    };
    const refusal = async () => {
      const response = await ask();
      const { error } = (await response.json()) as { error?: { code: string; outcome?: string } };
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, code: error?.code, outcome: error?.outcome, retryAfter };
    };
    return { shop, place, end, refusal };
  };

  it('gets a sixth order after an hour, and a late payment of the first is not lost', async () => {
    const { ahead, clock } = forwardClock();
    const { end, place, refusal, shop } = await customer(clock);
    const first = await place();
    await end(first.request_id, 40);
    for (let orders = 2; orders <= 5; orders++) await end((await place()).request_id, 40);
    const { code, outcome, retryAfter, status } = await refusal();
    assert.deepEqual([status, code, outcome], [409, 'too_many_replacements', 'expired']);
    assert.ok(Number(retryAfter) > 3500 && Number(retryAfter) <= 3600, `${retryAfter}`);
    ahead.ms += HOUR_MS;
    const sixth = await place();
    assert.equal(shop.world.pays().length, 6);
    await end(first.request_id, 20);
    await end(sixth.request_id, 20);
    const told = await shop.receivedTypes();
    const ofMoney = told.filter((type) => /succeeded|duplicate/.test(type));
    assert.deepEqual(ofMoney, ['order.succeeded', 'order.duplicate_payment']);
  });

  it('gets no sixth order while five can be paid, and no hint that waiting helps', async () => {
    const { place, refusal } = await customer();
    for (let orders = 0; orders < 5; orders++) await place();
    assert.deepEqual(await refusal(), {
      status: 409,
      code: 'too_many_replacements',
      outcome: 'pending',
      retryAfter: null,
    });
  });

  it('gets twenty orders in all', async () => {
    const { ahead, clock } = forwardClock();
    const { end, place, refusal } = await customer(clock);
    for (let orders = 0; orders < MAX_ORDERS; orders++) {
      await end((await place()).request_id, 40);
      ahead.ms += HOUR_MS / 4;
    }
    const { outcome, retryAfter } = await refusal();
    assert.deepEqual([outcome, retryAfter], ['expired', null]);
  });
});
