/** Closes and supersedes that come while a pay is under way, or together. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { testConfig, until } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { codeOf, createShop, ledgers, type Shop } from './shop.js';

const folder = temporaryFolder('races');

type Held = { paid: ReturnType<Shop['pay']>; answer: () => void };

/** A service that answers a pay only when the test says so. */
function heldService(): { sandbox: Sandbox; hold: () => () => void } {
  // no webhooks: they would reach no relay
  const sandbox = createSandbox({ publicUrl: 'https://service.example', notify: async () => {} });
  let held: Promise<void> | null = null;
  return {
    sandbox: {
      ...sandbox,
      fetch: async (request) => {
        const response = await sandbox.fetch(request);
        if (sandbox.calls.at(-1)?.operation !== 'pay') return response;
        const turn = held;
        held = null;
        await turn;
        return response;
      },
    },
    hold: () => {
      let release = (): void => {};
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
}

for (const [name, open] of Object.entries(ledgers))
  describe(`a pay under way on ${name}`, () => {
    // a busy machine must not end the request before the test answers it
    const service = { ...testConfig.service, timeout_ms: 10_000 };
    const newShop = async () => {
      const { hold, sandbox } = heldService();
      const shop = await createShop({ ledger: await open(folder), config: { service }, sandbox });
      /** Begins a pay; returns when the service has the request and has not answered. */
      const beginPay = async (jti: string, claims?: Record<string, unknown>): Promise<Held> => {
        const answer = hold();
        const before = shop.world.pays().length;
        const paid = shop.pay(jti, claims);
        await until(() => shop.world.pays().length > before, 'the pay is under way');
        return { paid, answer };
      };
      return { ...shop, beginPay };
    };

    it('shows no code when its intent is closed meanwhile, and is paid too late', async () => {
      const shop = await newShop();
      const { answer, paid } = await shop.beginPay('basket-1');
      const closed = await shop.ask('/v1/close', { intent_id: 'basket-1' });
      assert.equal(closed.status, 200);
      answer();
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
      const { answer, paid } = await shop.beginPay('basket-1');
      const next = await shop.pay('basket-2', { supersedes: 'basket-1' });
      answer();
      const former = (await paid).body.order;
      assert.deepEqual([former?.closed, former?.next_action], [true, null]);
      assert.deepEqual([next.status, next.body.order?.closed], [200, false]);
      assert.equal(shop.world.pays().length, 2);
      assert.equal(codeOf(await shop.pay('basket-1')), 'intent_closed');
    });

    it('keeps its order when the intent that it supersedes is closed meanwhile', async () => {
      const shop = await newShop();
      await shop.pay('basket-1');
      const { answer, paid } = await shop.beginPay('basket-2', { supersedes: 'basket-1' });
      assert.equal((await shop.ask('/v1/close', { intent_id: 'basket-1' })).status, 200);
      answer();
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
