/** A webhook signal of an old order, and one that comes while the ledger cannot be used. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { findOrder, replaceOrder } from '../../support/ledger-calls.js';
import { testConfig, until } from '../../support/world.js';
import { createShop, type Shop } from './shop.js';

const DAY_MS = 86_400_000;

/** Places an order. */
async function signalling(shop: Shop) {
  const { body } = await shop.pay('order-001');
  const requestId = body.order?.request_id ?? '';
  const { fields } = shop.world.sandbox.orders.byRequest(requestId) ?? {};
  const [path = ''] = /\/v1\/notify\/.+$/.exec(fields?.notify_url ?? '') ?? [];
  const signal = (method = 'POST'): Promise<Response> =>
    shop.world.relay.fetch(new Request(`https://shop.example${path}`, { method }));
  return { requestId, signal };
}

for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
  it(`acknowledges a signal by ${method}, and asks the service`, async () => {
    const shop = await createShop({
      config: { service: { ...testConfig.service, notify_ack: 'ACK' } },
    });
    const { requestId, signal } = await signalling(shop);
    const answer = await signal(method);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), method === 'HEAD' ? '' : 'ACK');
    const isAsked = async (): Promise<boolean> =>
      shop.world.sandbox.calls.some(
        ({ body, operation }) =>
          operation === 'query' && (body as { request_id?: string }).request_id === requestId,
      );
    await until(isAsked, 'the query');
  });

it('answers 503 to a signal, as on all other paths, when the ledger cannot be used', async () => {
  const kept = memoryLedger();
  let isAway = false;
  const find: typeof kept.find = async (id) => {
    if (isAway) throw new LedgerBusyError('the database is away');
    return kept.find(id);
  };
  const shop = await createShop({ ledger: { ...kept, find } });
  const { signal } = await signalling(shop);
  assert.equal((await signal()).status, 200);
  isAway = true;
  const refused = await signal();
  const { error } = (await refused.json()) as { error: { code: string } };
  assert.deepEqual([refused.status, error.code], [503, 'ledger_unavailable']);
});

it('acknowledges a signal of an order that is no longer followed once it is due', async () => {
  const kept = memoryLedger();
  let isFull = false;
  const change: typeof kept.change = async (...args) => {
    if (isFull) throw new LedgerBusyError('the disk is full');
    return kept.change(...args);
  };
  const shop = await createShop({ ledger: { ...kept, change } });
  const { requestId, signal } = await signalling(shop);
  const order = await findOrder(kept, requestId);
  assert.ok(order);
  const [created_at, aged_from] = [order.created_at - 4 * DAY_MS, order.aged_from - 4 * DAY_MS];
  const old = { ...order, created_at, aged_from, next_check_at: null };
  await replaceOrder(kept, { ...old, version: order.version + 1 });
  isFull = true;
  assert.equal((await signal()).status, 503);
  assert.equal((await findOrder(kept, requestId))?.next_check_at, null);
  isFull = false;
  assert.equal((await signal()).status, 200);
  assert.notEqual((await findOrder(kept, requestId))?.next_check_at, null);
});
