/** Intents that nobody pays are reported once, and never while a payment is possible. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../../../relay/runtime.js';
import { until } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createShop, ledgers, type Shop } from './shop.js';
import { recordPostponed } from '../../support/ledger-calls.js';

const folder = temporaryFolder('unpaid');

/** The system's clock, moved ahead by the time that the test adds. */
function movableClock() {
  let aheadMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    elapsed: () => systemClock.elapsed() + aheadMs,
    advance: (ms: number) => {
      aheadMs += ms;
    },
  };
}

const TICKS_UNTIL_TOLD = 5;

for (const [name, open] of Object.entries(ledgers))
  describe(`an unpaid intent on ${name}`, () => {
    const newShop = async () => {
      const clock = movableClock();
      const shop = await createShop({ ledger: await open(folder), clock, unpaidAfterS: 3600 });
      /** The order.unpaid events that the shop has received after `seconds` more. */
      const reportsAfter = async (seconds: number): Promise<Shop['received']> => {
        clock.advance(seconds * 1000);
        // a question to the service and the delivery of a report take several turns of the loop
        for (let ticks = 0; ticks < TICKS_UNTIL_TOLD; ticks++) {
          await shop.receivedTypes();
          await setImmediate();
        }
        return shop.received.filter(({ type }) => type === 'order.unpaid');
      };
      return { shop, reportsAfter };
    };

    it('reports an unpaid intent once, with a link that opens its order', async () => {
      const { reportsAfter, shop } = await newShop();
      const { body } = await shop.pay('unpaid-1', { metadata: { cart: '7' } });
      assert.deepEqual(await reportsAfter(3000), []);
      const [report] = await reportsAfter(700);
      assert.equal(report?.data.intent_id, 'unpaid-1');
      assert.deepEqual(report?.data.metadata, { cart: '7' });
      const [, request_id, order_key] =
        /^https:\/\/shop\.example\/pay\/r#([^~]+)~(.+)$/.exec(String(report?.data.resume_url)) ??
        [];
      assert.equal(request_id, body.order?.request_id);
      const resumed = await shop.world.ask('/v1/checkout', { resume: { request_id, order_key } });
      assert.equal(resumed.body.order?.request_id, request_id);
      assert.equal((await reportsAfter(7200)).length, 1);
    });

    it('reports no intent that was paid or closed', async () => {
      const { reportsAfter, shop } = await newShop();
      const paid = await shop.pay('unpaid-2');
      await shop.customerPays(paid.body.order?.request_id ?? '');
      await shop.query('unpaid-2');
      await shop.pay('unpaid-3');
      await shop.ask('/v1/close', { intent_id: 'unpaid-3' });
      await shop.pay('unpaid-5');
      const reports = await reportsAfter(3700);
      assert.deepEqual(
        reports.map(({ data }) => data.intent_id),
        ['unpaid-5'],
      );
    });

    it('reports no intent that was paid since the last query', async () => {
      const { reportsAfter, shop } = await newShop();
      const { body } = await shop.pay('unpaid-7');
      const { request_id = '' } = body.order ?? {};
      const waits = recordPostponed(shop.world.ledger);
      assert.deepEqual(await reportsAfter(3590), []);
      await until(async () => waits.length > 0, 'the answer to the last query');
      const order = shop.world.sandbox.orders.byRequest(request_id);
      assert.ok(order);
      // no webhook comes; in 12 s the report is due, and the next scheduled query is not
      order.status = 20;
      assert.deepEqual(await reportsAfter(12), []);
      await until(async () => (await shop.receivedTypes()).length === 2, 'the payment');
      assert.deepEqual(
        shop.received.map(({ type }) => type),
        ['order.created', 'order.succeeded'],
      );
    });

    it('reports an intent only after the service has said that nobody paid it', async () => {
      const { reportsAfter, shop } = await newShop();
      await shop.pay('unpaid-8');
      const answer = shop.world.sandbox.fetch;
      shop.world.sandbox.fetch = async () => new Response('', { status: 500 });
      assert.deepEqual(await reportsAfter(3700), []);
      shop.world.sandbox.fetch = answer;
      await until(async () => (await reportsAfter(90)).length === 1, 'the report');
    });

    it('reports no intent while one of its orders is in review', async () => {
      const { reportsAfter, shop } = await newShop();
      shop.world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
      const { body } = await shop.pay('unpaid-6');
      assert.equal(body.order?.outcome, 'review');
      assert.deepEqual(await reportsAfter(3700), []);
      assert.deepEqual(await reportsAfter(36_000), []);
    });
  });
