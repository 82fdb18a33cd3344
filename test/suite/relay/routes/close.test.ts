/** A shop closes an intent, also before it makes a token for a basket that changed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { findOrder, replaceOrder } from '../../support/ledger-calls.js';
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

/** What the guide tells a shop to do: the former intent is closed before a new token is made. */
async function changeBasket(
  closeFormer: () => Promise<Awaited<ReturnType<typeof close>>>,
): Promise<'new token' | 'deliver' | 'try again'> {
  const answer = await closeFormer().catch(() => null);
  if (answer?.status === 200) return 'new token';
  return answer && codeOf(answer) === 'already_paid' ? 'deliver' : 'try again';
}

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

    it('asks about an order whose relay was killed after its pay, before it closes', async () => {
      const ledger = await open(folder);
      const shop = await createShop({ ledger });
      const { body } = await shop.pay('basket-10');
      const request_id = body.order?.request_id ?? '';
      // paid, and the service's signal was lost
      Object.assign(shop.world.sandbox.orders.byRequest(request_id) ?? {}, { status: 20 });
      const written = await findOrder(ledger, request_id);
      assert.ok(written);
      const version = written.version + 1;
      const claimed = { status: null, checked_at: null, next_check_at: Date.now() - 1, version };
      await replaceOrder(ledger, {
        ...written,
        ...claimed,
        sending: 'claimed',
        outcome: 'pending',
      });
      const refused = await close(shop, 'basket-10');
      assert.deepEqual([refused.status, codeOf(refused)], [409, 'already_paid']);
    });

    it('refuses to close an order in review that the service calls paid', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('basket-8');
      const request_id = body.order?.request_id ?? '';
      // the service has another amount than the relay sent
      Object.assign(shop.world.sandbox.orders.byRequest(request_id)?.fields ?? {}, { amount: '1' });
      await shop.customerPays(request_id);
      const refused = await close(shop, 'basket-8');
      assert.deepEqual([refused.status, codeOf(refused)], [409, 'already_paid']);
      assert.equal((await shop.query('basket-8')).body.order?.outcome, 'review');
    });

    it('refuses to close an intent that another relay has just put into review', async () => {
      const ledger = await open(folder);
      const review: Partial<OrderRow> = { outcome: 'review', review_reason: 'amount_mismatch' };
      const overtaken: Ledger = {
        ...ledger,
        change: async (intentId, rule, also) => {
          const intent = await ledger.intent(intentId);
          const [order] = intent?.orders ?? [];
          if (order && rule(intent, '')?.intent.closed_at)
            await replaceOrder(ledger, {
              ...order,
              ...review,
              status: 20,
              version: order.version + 1,
            });
          return ledger.change(intentId, rule, also);
        },
      };
      const shop = await createShop({ ledger: overtaken });
      await shop.pay('basket-9');
      const refused = await close(shop, 'basket-9');
      assert.deepEqual([refused.status, codeOf(refused)], [409, 'already_paid']);
      assert.equal((await ledger.intent('basket-9'))?.closed_at, null);
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

  describe(`a basket that changed, on ${name}`, () => {
    const newShop = async (): Promise<Shop> => createShop({ ledger: await open(folder) });

    it('lets nobody pay the former basket when the answer to its close is cut off', async () => {
      const shop = await newShop();
      const former = await shop.pay('basket-c1');
      const cut = async () => {
        await close(shop, 'basket-c1');
        throw new Error('the line is cut');
      };
      assert.equal(await changeBasket(cut), 'try again');
      assert.equal(codeOf(await shop.pay('basket-c1')), 'intent_closed');
      assert.equal(await changeBasket(() => close(shop, 'basket-c1')), 'new token');
      const next = await shop.pay('basket-c2', { amount: '20.00' });
      assert.equal(next.status, 200);
      for (const { body } of [former, next]) await shop.customerPays(body.order?.request_id ?? '');
      for (const intent of ['basket-c1', 'basket-c2']) await shop.query(intent);
      await until(async () => (await shop.receivedTypes()).length >= 4, 'both payments');
      const paid = shop.received.filter(({ type }) => type !== 'order.created');
      assert.deepEqual(paid.map(({ data, type }) => [type, data.intent_id]).sort(), [
        ['order.late_payment', 'basket-c1'],
        ['order.succeeded', 'basket-c2'],
      ]);
    });

    it('makes no new token while the close does not reach the relay', async () => {
      const shop = await newShop();
      await shop.pay('basket-c3');
      assert.equal(await changeBasket(() => Promise.reject(new Error('no line'))), 'try again');
      assert.equal((await shop.query('basket-c3')).body.order?.closed, false);
      assert.equal(shop.world.pays().length, 1);
    });

    it('delivers the former basket, and makes no new token, when it is paid', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('basket-c4');
      await shop.customerPays(body.order?.request_id ?? '');
      assert.equal(await changeBasket(() => close(shop, 'basket-c4')), 'deliver');
      assert.deepEqual(await shop.receivedTypes(), ['order.created', 'order.succeeded']);
    });
  });
}
