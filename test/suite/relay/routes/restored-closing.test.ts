/** Closing intents that a restored ledger lost. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unknownIntent } from '../../../../relay/ledger/rows.js';
import { openIntent, until } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { restoredShop } from './restored-shop.js';
import { codeOf, type Shop } from './shop.js';
import { closeIntent } from '../../support/ledger-calls.js';

const folder = temporaryFolder('restored-closing');

type Answer = Awaited<ReturnType<Shop['ask']>>;
type Paid = Awaited<ReturnType<Shop['pay']>>;
type BackendOrder = Record<string, unknown> | undefined;

const place = async (shop: Shop, jti: string) => (await shop.pay(jti)).body.order?.request_id ?? '';
const close = (shop: Shop, intent_id: string): Promise<Answer> =>
  shop.ask('/v1/close', { intent_id, reason: 'sold out' });
const outcomeOf = ({ body }: Paid): string | undefined => body.order?.outcome;
const refused = (answer: Answer): unknown[] => [answer.status, codeOf(answer)];
const receivedTypesOf = ({ received }: Shop, intentId: string): string[] =>
  received.filter(({ data }) => data.intent_id === intentId).map(({ type }) => type);
/** Runs ticks until the shop has received an event of this type for the intent. */
const untilReceived = (shop: Shop, intentId: string, type: string): Promise<void> =>
  until(async () => {
    await shop.receivedTypes();
    return receivedTypesOf(shop, intentId).includes(type);
  }, `${type} of ${intentId}`);

describe('an intent that a restored ledger has as closed without an order', () => {
  const closedWithoutOrder = async (): Promise<Shop> => {
    const shop = await restoredShop(folder, {
      afterBackup: async (shopBeforeRestore) =>
        shopBeforeRestore.customerPays(await place(shopBeforeRestore, 'basket-1')),
    });
    const at = Date.now();
    const closed = { at, reason: null };
    await closeIntent(shop.world.ledger, unknownIntent('basket-1', at), closed);
    return shop;
  };

  it('shows the backend the lost, paid order of a closed intent, and reports it', async () => {
    const shop = await closedWithoutOrder();
    const order = (await shop.query('basket-1')).body.order as BackendOrder;
    assert.deepEqual([order?.outcome, order?.late_payment], ['succeeded', true]);
    await untilReceived(shop, 'basket-1', 'order.late_payment');
  });

  it('finds a closed intent’s lost, paid order when its customer returns', async () => {
    const shop = await closedWithoutOrder();
    assert.equal(codeOf(await shop.pay('basket-1')), 'intent_closed');
    await untilReceived(shop, 'basket-1', 'order.late_payment');
  });

  it('closes it again when its lost payment is known, and reports that payment', async () => {
    const shop = await closedWithoutOrder();
    assert.equal((await close(shop, 'basket-1')).status, 200);
    await untilReceived(shop, 'basket-1', 'order.late_payment');
  });

  it('answers a query of a closed intent with 503 while the service does not answer', async () => {
    const shop = await closedWithoutOrder();
    shop.world.sandbox.faults.add({ operation: 'query', fault: 'broken_json', times: 0 });
    assert.deepEqual(refused(await shop.query('basket-1')), [503, 'service_unavailable']);
    assert.equal((await close(shop, 'basket-1')).status, 200);
  });
});

describe('a close of an intent that a restored ledger lost', () => {
  it('closes a lost intent again when it is not paid, and reports a later payment', async () => {
    let lost = '';
    const shop = await restoredShop(folder, {
      afterBackup: async (shopBeforeRestore) => {
        lost = await place(shopBeforeRestore, 'basket-1');
        await close(shopBeforeRestore, 'basket-1');
      },
    });
    const closed = await close(shop, 'basket-1');
    assert.equal(closed.status, 200);
    assert.equal((await close(shop, 'basket-1')).body.closed_at, closed.body.closed_at);
    assert.equal((await shop.world.ledger.intent('basket-1'))?.close_reason, 'sold out');
    assert.equal(codeOf(await shop.pay('basket-1')), 'intent_closed');
    const order_token = await shop.token('basket-1');
    const shown = await shop.world.ask('/v1/checkout', { order_token });
    assert.equal(codeOf(shown), 'intent_closed');
    await shop.customerPays(lost);
    await untilReceived(shop, 'basket-1', 'order.late_payment');
    const { data } = shop.received.find(({ type }) => type === 'order.late_payment') ?? {};
    assert.deepEqual(
      [data?.request_id, data?.outcome, data?.amount, data?.currency, data?.late_payment],
      [lost, 'succeeded', '12.50', 'USD', true],
    );
    assert.equal(shop.world.pays().length, 1);
  });

  it('refuses to close a paid, lost intent, and shows its customer the payment', async () => {
    const shop = await restoredShop(folder, {
      afterBackup: async (shopBeforeRestore) =>
        shopBeforeRestore.customerPays(await place(shopBeforeRestore, 'basket-1')),
    });
    assert.deepEqual(refused(await close(shop, 'basket-1')), [409, 'already_paid']);
    assert.equal(await shop.world.ledger.intent('basket-1'), null);
    assert.equal(outcomeOf(await shop.pay('basket-1')), 'succeeded');
    await untilReceived(shop, 'basket-1', 'order.succeeded');
  });

  it('refuses to close a lost intent while the service does not say if it is paid', async () => {
    const shop = await restoredShop(folder, {
      afterBackup: (shopBeforeRestore) => shopBeforeRestore.pay('basket-1'),
    });
    shop.world.sandbox.faults.add({ operation: 'query', fault: 'broken_json', times: 1 });
    assert.deepEqual(refused(await close(shop, 'basket-1')), [503, 'service_unavailable']);
    assert.equal(await shop.world.ledger.intent('basket-1'), null);
    assert.equal((await close(shop, 'basket-1')).status, 200);
  });

  it('closes a lost intent of a page, which has no token', async () => {
    let intentId = '';
    const shop = await restoredShop(folder, {
      afterBackup: async ({ world }) => {
        const page = { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' };
        intentId = (await world.ask('/v1/pay', page)).body.order?.intent_id ?? '';
      },
    });
    assert.equal((await close(shop, intentId)).status, 200);
    const order = (await shop.query(intentId)).body.order as BackendOrder;
    assert.deepEqual([order?.closed, order?.mode, order?.open_amount], [true, 'open', true]);
  });

  it('puts a later payment into review when the service echoed no usable amount', async () => {
    let lost = '';
    const shop = await restoredShop(folder, {
      afterBackup: async (shopBeforeRestore) => (lost = await place(shopBeforeRestore, 'basket-1')),
    });
    const fault = { operation: 'query', fault: 'wrong_amount', value: 'free', times: 1 };
    shop.world.sandbox.faults.add(fault);
    assert.equal((await close(shop, 'basket-1')).status, 200);
    await shop.customerPays(lost);
    await untilReceived(shop, 'basket-1', 'order.review');
  });
});
