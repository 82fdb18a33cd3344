/** A shop closes an intent, or supersedes it by another token. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { codeOf, createShop, ledgers, type Shop } from './shop.js';

const folder = temporaryFolder('close');

const close = (shop: Shop, intent_id: string) =>
  shop.ask('/v1/close', { intent_id, reason: 'sold out' });

/** Waits, as a page does, for the next change of the order. */
const waitForChange = async (
  { world }: Shop,
  order: Awaited<ReturnType<Shop['pay']>>['body']['order'],
): Promise<{ closed?: boolean } | undefined> => {
  const { order_key, request_id, status } = order ?? {};
  const page = { request_id, order_key, known_status: status, wait: 25 };
  return (await world.ask('/v1/query', page)).body.order;
};

for (const [name, open] of Object.entries(ledgers)) {
  describe(`a close on ${name}`, () => {
    const newShop = async (): Promise<Shop> => createShop({ ledger: await open(folder) });

    it('refuses every further pay and hides the code when the shop closes an intent', async () => {
      const shop = await newShop();
      const paid = await shop.pay('basket-1');
      assert.equal(paid.body.order?.next_action?.kind, 'scan_qr');
      const closed = await close(shop, 'basket-1');
      assert.equal(closed.status, 200);
      assert.equal(closed.body.intent_id, 'basket-1');
      assert.equal((await close(shop, 'basket-1')).body.closed_at, closed.body.closed_at);

      const again = await shop.pay('basket-1');
      assert.deepEqual([again.status, codeOf(again)], [409, 'intent_closed']);
      assert.equal(shop.world.pays().length, 1);
      const shown = await shop.world.ask('/v1/checkout', {
        order_token: await shop.token('basket-1'),
      });
      const order = shown.body.order as Record<string, unknown>;
      assert.deepEqual([order.closed, order.next_action], [true, null]);
      const known = (await shop.query('basket-1')).body.order as
        Record<string, unknown> | undefined;
      assert.equal(known?.closed_at, closed.body.closed_at);
    });

    it('refuses a pay when its intent was closed before it had an order', async () => {
      const shop = await newShop();
      assert.equal((await close(shop, 'basket-2')).status, 200);
      assert.equal(codeOf(await shop.pay('basket-2')), 'intent_closed');
      const order_token = await shop.token('basket-2');
      assert.equal(codeOf(await shop.world.ask('/v1/checkout', { order_token })), 'intent_closed');
      assert.deepEqual(shop.world.pays(), []);
    });

    it('refuses to close an intent that the service reports as paid', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('basket-3');
      await shop.customerPays(body.order?.request_id ?? '');
      const refused = await close(shop, 'basket-3');
      assert.deepEqual([refused.status, codeOf(refused)], [409, 'already_paid']);
      assert.equal((await shop.query('basket-3')).body.order?.outcome, 'succeeded');
      assert.deepEqual(await shop.receivedTypes(), ['order.created', 'order.succeeded']);
    });

    it('refuses to close or supersede an order in review that the service calls paid', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('basket-8');
      const request_id = body.order?.request_id ?? '';
      // the service has another amount than the relay sent
      Object.assign(shop.world.sandbox.orders.byRequest(request_id)?.fields ?? {}, { amount: '1' });
      await shop.customerPays(request_id);
      const refused = await close(shop, 'basket-8');
      assert.deepEqual([refused.status, codeOf(refused)], [409, 'already_paid']);
      assert.equal((await shop.query('basket-8')).body.order?.outcome, 'review');
      const superseding = await shop.pay('basket-9', { supersedes: 'basket-8' });
      assert.deepEqual([superseding.status, codeOf(superseding)], [409, 'already_paid']);
      assert.equal(shop.world.pays().length, 1);
    });

    it('reports a payment after a close as late, and refuses a query with expect', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('basket-4', { metadata: { cart: '7' } });
      const closed = await close(shop, 'basket-4');
      await shop.customerPays(body.order?.request_id ?? '');
      await until(async () => (await shop.receivedTypes()).length === 2, 'the late payment');
      assert.deepEqual(
        shop.received.map(({ type }) => type),
        ['order.created', 'order.late_payment'],
      );
      const data = shop.received[1]?.data ?? {};
      assert.deepEqual(
        [data.outcome, data.late_payment, data.metadata],
        ['succeeded', true, { cart: '7' }],
      );
      assert.equal(typeof data.closed_at, 'string');
      const order = (await shop.query('basket-4')).body.order as
        Record<string, unknown> | undefined;
      assert.equal(order?.late_payment, true);
      const expected = await shop.query('basket-4', { amount: '12.50', currency: 'USD' });
      assert.deepEqual([expected.status, codeOf(expected)], [409, 'intent_closed']);
      // the shop may repeat a close whose answer it lost
      const again = await close(shop, 'basket-4');
      assert.deepEqual([again.status, again.body], [200, closed.body]);
    });

    it('ends the long poll of a page when the shop closes its intent', async () => {
      const shop = await newShop();
      const waiting = waitForChange(shop, (await shop.pay('basket-5')).body.order);
      await close(shop, 'basket-5');
      assert.equal((await waiting)?.closed, true);
    });

    it('refuses a close by the id of a pay link, because the link would stay open', async () => {
      const shop = await newShop();
      const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
      const link = { ...sale, customer_ref_id: 'c-1', expires_in: 60 };
      const { body } = await shop.ask('/v1/pay-links', link);
      const refused = await close(shop, String(body.pay_link_id));
      assert.deepEqual([refused.status, codeOf(refused)], [400, 'invalid_request']);
      // a token may have a jti of the same form, and then its intent is closed
      await shop.pay('pl_abcdefghijklmnop');
      assert.equal((await close(shop, 'pl_abcdefghijklmnop')).status, 200);
    });

    it('closes nothing without the secret key, or when no token can have the id', async () => {
      const shop = await newShop();
      const withoutKey = await shop.world.ask('/v1/close', { intent_id: 'basket-6' });
      assert.deepEqual([withoutKey.status, codeOf(withoutKey)], [401, 'unauthorized']);
      for (const intent_id of ['web.abcdefghijklmnopqrstuvwxyz', 'short', 'a b c d e f g h']) {
        const unknown = await shop.ask('/v1/close', { intent_id });
        assert.deepEqual([unknown.status, codeOf(unknown)], [404, 'order_unknown'], intent_id);
      }
    });
  });

  describe(`a token that supersedes another one, on ${name}`, () => {
    const newShop = async (): Promise<Shop> => createShop({ ledger: await open(folder) });

    it('closes the superseded intent at the first pay of the new token', async () => {
      const shop = await newShop();
      await shop.pay('basket-v1');
      const next = await shop.pay('basket-v2', { amount: '20.00', supersedes: 'basket-v1' });
      assert.equal(next.status, 200);
      const former = (await shop.query('basket-v1')).body.order as
        Record<string, unknown> | undefined;
      assert.equal(former?.closed, true);
      assert.equal(codeOf(await shop.pay('basket-v1')), 'intent_closed');
      // a second pay of the same token closes nothing and shows its order
      const again = await shop.pay('basket-v2', { amount: '20.00', supersedes: 'basket-v1' });
      assert.equal(again.body.order?.request_id, next.body.order?.request_id);
      const second = await shop.pay('basket-v3', { supersedes: 'basket-v1' });
      assert.deepEqual([second.status, codeOf(second)], [409, 'already_superseded']);
      assert.equal(codeOf(await shop.query('basket-v3')), 'order_unknown');
    });

    it('refuses to supersede an intent that the service reports as paid', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('basket-p1');
      await shop.customerPays(body.order?.request_id ?? '');
      const refused = await shop.pay('basket-p2', { supersedes: 'basket-p1' });
      assert.deepEqual([refused.status, codeOf(refused)], [409, 'already_paid']);
      assert.equal(shop.world.pays().length, 1);
      assert.equal((await shop.query('basket-p1')).body.order?.outcome, 'succeeded');
    });

    it('accepts a token when it supersedes an unknown or a closed intent', async () => {
      const shop = await newShop();
      assert.equal((await shop.pay('basket-u2', { supersedes: 'basket-u1' })).status, 200);
      assert.equal(codeOf(await shop.pay('basket-u1')), 'intent_closed');
      await close(shop, 'basket-u2');
      assert.equal((await shop.pay('chain-00', { supersedes: 'basket-u2' })).status, 200);
      for (let link = 1; link <= 50; link++) {
        const jti = `chain-${String(link).padStart(2, '0')}`;
        const supersedes = `chain-${String(link - 1).padStart(2, '0')}`;
        assert.equal((await shop.pay(jti, { supersedes })).status, 200, jti);
      }
      const last = (await shop.query('chain-50')).body.order as Record<string, unknown> | undefined;
      assert.equal(last?.closed, false);
      assert.equal(codeOf(await shop.pay('chain-49')), 'intent_closed');
    });

    it('closes every superseded intent when one of them was shown but has no order', async () => {
      const shop = await newShop();
      const first = await shop.pay('basket-l1');
      const shownOnly = await shop.token('basket-l2', { supersedes: ['basket-l1'] });
      assert.equal((await shop.world.ask('/v1/checkout', { order_token: shownOnly })).status, 200);
      const supersedes = ['basket-l2', 'basket-l1', 'basket-l2'];
      const third = await shop.pay('basket-l3', { supersedes });
      assert.equal(third.status, 200);
      for (const former of ['basket-l1', 'basket-l2'])
        assert.equal(codeOf(await shop.pay(former)), 'intent_closed', former);
      for (const { body } of [first, third]) await shop.customerPays(body.order?.request_id ?? '');
      for (const intent of ['basket-l1', 'basket-l3']) await shop.query(intent);
      await until(async () => (await shop.receivedTypes()).length >= 4, 'both payments');
      const paid = shop.received.filter(({ type }) => type !== 'order.created');
      assert.deepEqual(paid.map(({ data, type }) => [type, data.intent_id]).sort(), [
        ['order.late_payment', 'basket-l1'],
        ['order.succeeded', 'basket-l3'],
      ]);
    });

    it('refuses a token when one superseded intent is paid, or was superseded before', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('basket-m1');
      await shop.pay('basket-m2');
      await shop.customerPays(body.order?.request_id ?? '');
      const paid = await shop.pay('basket-m3', { supersedes: ['basket-m2', 'basket-m1'] });
      assert.deepEqual([paid.status, codeOf(paid)], [409, 'already_paid']);
      assert.equal((await shop.query('basket-m2')).body.order?.closed, false);
      await shop.pay('basket-m4', { supersedes: 'basket-m2' });
      const taken = await shop.pay('basket-m5', { supersedes: ['basket-m2', 'basket-m9'] });
      assert.deepEqual([taken.status, codeOf(taken)], [409, 'already_superseded']);
      assert.equal(codeOf(await shop.query('basket-m9')), 'order_unknown');
    });

    it('accepts the ids of supersedes in another sequence, and one id as a list', async () => {
      const shop = await newShop();
      const formers = ['basket-o1', 'basket-o2'];
      const first = await shop.pay('basket-o3', { supersedes: formers });
      const second = await shop.pay('basket-o3', { supersedes: formers.reverse() });
      assert.equal(second.body.order?.request_id, first.body.order?.request_id);
      const single = await shop.pay('basket-o5', { supersedes: 'basket-o4' });
      const listed = await shop.pay('basket-o5', { supersedes: ['basket-o4'] });
      assert.equal(listed.body.order?.request_id, single.body.order?.request_id);
      const other = await shop.pay('basket-o5', { supersedes: ['basket-o4', 'basket-o6'] });
      assert.deepEqual([other.status, codeOf(other)], [409, 'intent_conflict']);
    });

    it('accepts a pay when the superseded intent was paid after its close', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('basket-r1');
      await close(shop, 'basket-r1');
      await shop.customerPays(body.order?.request_id ?? '');
      await until(
        async () => (await shop.receivedTypes()).includes('order.late_payment'),
        'the late payment',
      );
      assert.equal((await shop.pay('basket-r2', { supersedes: 'basket-r1' })).status, 200);
    });

    it('signs no token that supersedes itself, an empty list or more than twenty ids', async () => {
      const shop = await newShop();
      const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
      const many = Array.from({ length: 21 }, (_, index) => `basket-${index + 100}`);
      for (const supersedes of ['basket-own', ['basket-o1', 'basket-own'], [], many, ['short']]) {
        const claims = { ...sale, customer_ref_id: 'c-1', jti: 'basket-own', supersedes };
        const { body, status } = await shop.ask('/v1/order-tokens', claims);
        const { code, field } = body.error as { code: string; field: string };
        assert.deepEqual([status, code], [400, 'invalid_request'], String(supersedes));
        assert.match(field, /^supersedes/);
      }
      assert.equal((await shop.pay('basket-own', { supersedes: many.slice(1) })).status, 200);
    });

    it('ends the long poll of a page when its intent is superseded', async () => {
      const shop = await newShop();
      const waiting = waitForChange(shop, (await shop.pay('basket-w1')).body.order);
      await shop.pay('basket-w2', { supersedes: 'basket-w1' });
      assert.equal((await waiting)?.closed, true);
    });
  });
}
