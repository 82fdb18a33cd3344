/** The shop’s side over WebCrypto, the same on every runtime. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../suite/support/wait.js';
import { bearer, runtimeName, startWorld, type World } from './world.js';
import { codeOf, pay, setStatus } from './sale.js';

const SALE = { amount: '12.50', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c-1' };
type Handled = { id: string; type: string; intent_id: string };

describe(`pay-checkout/shop on ${runtimeName}`, () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  const token = async (jti: string): Promise<string> =>
    ((await world.shop('/token', { ...SALE, jti })).body as { order_token: string }).order_token;
  const payBy = async (jti: string) =>
    pay(world, { order_token: await token(jti), attempt: crypto.randomUUID(), option: 'qr' });
  const handled = async (jti: string): Promise<Handled[]> =>
    ((await world.shop('/handled')).body as Handled[]).filter(({ intent_id }) => intent_id === jti);
  const succeeded = async (jti: string): Promise<Handled[]> =>
    (await handled(jti)).filter(({ type }) => type === 'order.succeeded');

  it('signs tokens that the relay takes, and the relay refuses a changed one', async () => {
    const order_token = await token('token-001');
    const checkout = await world.ask('/v1/checkout', { order_token });
    assert.equal(checkout.status, 200);
    const [head = '', , signature = ''] = order_token.split('.');
    const other = Buffer.from(JSON.stringify({ ...SALE, amount: '0.01', jti: 'token-001' }));
    const forged = [head, other.toString('base64url'), signature].join('.');
    assert.equal(codeOf(await world.ask('/v1/checkout', { order_token: forged })), 'token_invalid');
  });

  it('handles each event once, also when the relay sends it again', async () => {
    const { request_id } = await payBy('event-001');
    setStatus(world, request_id);
    await until(async () => (await succeeded('event-001')).length === 1, 'the event');
    const before = await handled('event-001');
    for (const { id } of before)
      assert.equal((await world.ask('/v1/events/resend', { event_id: id }, bearer)).status, 200);
    const undelivered = async (): Promise<number> => {
      const { body } = await world.ask('/v1/events', { intent_id: 'event-001' }, bearer);
      const { events } = body as { events: { delivered_at: string | null }[] };
      return events.filter(({ delivered_at }) => delivered_at === null).length;
    };
    await until(async () => (await undelivered()) === 0, 'the second delivery');
    assert.deepEqual(await handled('event-001'), before);
  });

  it('refuses an event without the right signature', async () => {
    assert.equal((await world.shop('/hooks', { type: 'order.succeeded' })).status, 401);
  });

  it('asks the relay for an order, and learns that it charges something else', async () => {
    const { request_id } = await payBy('fetch-001');
    const found = await world.shop('/order', {
      intent_id: 'fetch-001',
      expect: { amount: '12.50', currency: 'USD' },
    });
    assert.equal((found.body as { order: { request_id: string } }).order.request_id, request_id);
    const other = await world.shop('/order', {
      intent_id: 'fetch-001',
      expect: { amount: '99', currency: 'USD' },
    });
    assert.deepEqual(other.body, { code: 'not_as_expected', status: 409 });
  });

  it('reconciles an event that it could not handle when it came', async () => {
    const { request_id } = await payBy('later-001');
    await until(async () => (await handled('later-001')).length === 1, 'the first event');
    await world.shop('/fail', { failures: 1 });
    setStatus(world, request_id);
    const refused = async (): Promise<Handled[]> =>
      (await world.shop('/refused')).body as Handled[];
    await until(async () => (await refused()).length === 1, 'the event to fail');
    assert.equal((await succeeded('later-001')).length, 0);
    assert.equal((await world.shop('/reconcile')).status, 200);
    assert.equal((await succeeded('later-001')).length, 1);
  });
});
