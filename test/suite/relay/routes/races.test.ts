/** Closes that come while a pay is under way. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { until } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createShop, ledgers, type Shop } from './shop.js';

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
    const newShop = async () => {
      const { hold, sandbox } = heldService();
      const shop = await createShop({ ledger: await open(folder), sandbox });
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
  });
