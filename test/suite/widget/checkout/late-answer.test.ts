/** Two requests about one order run at once: the long poll, and the customer's own check. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleOrder } from '../../../../demo/sample-answers.js';
import type { Order } from '../../../../relay/contract/order.js';
import type { Page } from '../../../../widget/browser/page.js';
import { createCheckout, type Checkout } from '../../../../widget/checkout/checkout.js';
import { createRelayClient } from '../../../../widget/relay-client.js';
import { ownTiming } from '../../support/own-timing.js';
import { until } from '../../support/wait.js';

const page: Page = { hidden: () => false, onPageChange: () => () => {}, takeTurn: () => {} };
const order = sampleOrder(0, { next_action: { kind: 'wait' } });
const offer = {
  amount: order.amount,
  currency: order.currency,
  product_name: 'Huila',
  options: [],
  livemode: true,
  shop_name: 'Bean & Leaf',
  link_schemes: [],
};

type Asked = { waitS: number; answer(order: Order): void; fail(): void };

/** Shows the order, and leaves each query without an answer until the test gives one. */
async function showOrder(): Promise<{ checkout: Checkout; asked: Asked[]; told: boolean[] }> {
  const asked: Asked[] = [];
  const told: boolean[] = [];
  const checkout = createCheckout({
    client: {
      ...createRelayClient('https://shop.example/pay'),
      checkout: () => Promise.resolve({ contract: 1, checkout: offer, order }),
      query: (_known, waitS) =>
        new Promise((resolve, reject) => asked.push({ waitS, answer: resolve, fail: reject })),
    },
    subject: { intent: { sku: 'tee' } },
    attempts: { current: () => 'a', forget: () => {} },
    page,
    onState: () => {},
    onBlind: (blind) => told.push(blind),
  });
  checkout.start();
  await until(() => asked.length === 1, 'the long poll');
  return { checkout, asked, told };
}

describe('an answer that comes after a newer one', () => {
  ownTiming();
  for (const [outcome, status] of [
    ['failed', 30],
    ['review', 20],
  ] as const)
    it(`does not show the code of an order again that is ${outcome}`, async () => {
      const { asked, checkout } = await showOrder();
      const checked = checkout.checkNow();
      const [poll, check] = asked;
      assert.deepEqual([poll?.waitS, check?.waitS], [25, 0]);
      poll?.answer({ ...order, status, outcome });
      await until(() => checkout.state.phase === outcome, outcome);
      check?.answer(order);
      assert.equal(await checked, true);
      assert.equal(checkout.state.phase, outcome);
      checkout.stop();
    });

  it('shows the success that a check found after the customer went on to choose', async () => {
    const { asked, checkout } = await showOrder();
    const checked = checkout.checkNow();
    checkout.chooseAgain();
    assert.equal(checkout.state.phase, 'choosing');
    asked[1]?.answer({ ...order, status: 20, outcome: 'succeeded' });
    await checked;
    assert.equal(checkout.state.phase, 'succeeded');
    checkout.stop();
  });
});

describe('a check of the customer', () => {
  ownTiming();

  it('tells that it got no answer, until the next one gets its answer', async () => {
    const { asked, checkout, told } = await showOrder();
    const failed = checkout.checkNow();
    asked[1]?.fail();
    assert.deepEqual([await failed, told], [false, [true]]);
    const checked = checkout.checkNow();
    asked[2]?.answer(order);
    assert.deepEqual([await checked, told], [true, [true, false]]);
    checkout.stop();
  });
});
