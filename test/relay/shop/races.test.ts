/** Closes and supersedes that come while a pay is under way, or together. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { testConfig, until } from '../../support/world.js';
import { codeOf, createShop, ledgers, type Shop } from './shop.js';

const folder = mkdtempSync(join(tmpdir(), 'races-'));
after(() => rmSync(folder, { recursive: true }));

type Paid = ReturnType<Shop['pay']>;

/** Begins a pay; returns when the service has the request and has not answered. */
async function beginPay(shop: Shop, jti: string, claims?: Record<string, unknown>) {
  shop.world.sandbox.faults.add({ operation: 'pay', fault: 'slow', delay_ms: 300 });
  const before = shop.world.pays().length;
  const paid: Paid = shop.pay(jti, claims);
  await until(() => shop.world.pays().length > before, 'the pay is under way');
  return { paid };
}

for (const [name, open] of Object.entries(ledgers))
  describe(`a pay under way on ${name}`, () => {
    // the slow answers come long before the deadline of a request
    const service = { ...testConfig.service, timeout_ms: 10_000 };
    const newShop = async (): Promise<Shop> =>
      createShop({ ledger: await open(folder), config: { service } });

    it('shows no code when its intent is closed meanwhile, and is paid too late', async () => {
      const shop = await newShop();
      const { paid } = await beginPay(shop, 'basket-1');
      const closed = await shop.ask('/v1/close', { intent_id: 'basket-1' });
      assert.equal(closed.status, 200);
      const { order } = (await paid).body;
      assert.deepEqual([order?.closed, order?.next_action], [true, null]);
      assert.equal(shop.world.pays().length, 1);
      await shop.customerPays(order?.request_id ?? '');
      await shop.query('basket-1');
      await until(
        async () => (await shop.receivedTypes()).includes('order.late_payment'),
        'the late payment is told',
      );
      assert.ok(!(await shop.receivedTypes()).includes('order.succeeded'));
    });

    it('shows no code when its intent is superseded meanwhile', async () => {
      const shop = await newShop();
      const { paid } = await beginPay(shop, 'basket-1');
      const next = await shop.pay('basket-2', { supersedes: 'basket-1' });
      const former = (await paid).body.order;
      assert.deepEqual([former?.closed, former?.next_action], [true, null]);
      assert.deepEqual([next.status, next.body.order?.closed], [200, false]);
      assert.equal(shop.world.pays().length, 2);
      assert.equal(codeOf(await shop.pay('basket-1')), 'intent_closed');
    });

    it('keeps its order when the intent that it supersedes is closed meanwhile', async () => {
      const shop = await newShop();
      await shop.pay('basket-1');
      const { paid } = await beginPay(shop, 'basket-2', { supersedes: 'basket-1' });
      assert.equal((await shop.ask('/v1/close', { intent_id: 'basket-1' })).status, 200);
      const { order } = (await paid).body;
      assert.deepEqual([order?.closed, order?.next_action?.kind], [false, 'scan_qr']);
    });

    it('lets one of three tokens supersede the same intent when they come together', async () => {
      const shop = await newShop();
      await shop.pay('basket-1');
      const names = ['basket-2', 'basket-3', 'basket-4'];
      const answers = await Promise.all(
        names.map((jti) => shop.pay(jti, { supersedes: 'basket-1' })),
      );
      const outcomes = answers.map((answer) => codeOf(answer) ?? answer.status).sort();
      assert.deepEqual(outcomes, [200, 'already_superseded', 'already_superseded']);
      assert.equal(shop.world.pays().length, 2);
      const winner = answers.findIndex(({ status }) => status === 200);
      for (const [index, jti] of names.entries()) {
        const { body } = await shop.query(jti);
        if (index === winner) assert.equal(body.order?.closed, false);
        else assert.equal(codeOf({ body }), 'order_unknown');
      }
    });
  });
