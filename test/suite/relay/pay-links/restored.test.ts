/** Pay links after the ledger was restored from a backup. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../../../relay/runtime.js';
import { restoredShop } from '../routes/restored-shop.js';
import { codeOf, type Shop } from '../routes/shop.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('restored-links');

const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c-1' };

describe('a pay link in a restored ledger', () => {
  const made: { id: string; token: string } = { id: '', token: '' };
  const makeLink = (uses: number) => async (shop: Shop) => {
    const { body } = await shop.ask('/v1/pay-links', { ...sale, expires_in: 30 * 86_400, uses });
    Object.assign(made, { id: body.pay_link_id, token: String(body.url).split('/p/')[1] });
  };
  const pay = ({ world }: Shop, attempt: string = crypto.randomUUID()) =>
    world.ask('/v1/pay', { order_token: made.token, option: 'qr', attempt });
  const viewLink = ({ world }: Shop, attempt: string) =>
    world.ask('/v1/checkout', { order_token: made.token, attempt });

  it('gives each browser its own lost order, and no browser the order of another', async () => {
    const lost: Awaited<ReturnType<typeof pay>>[] = [];
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const shop = await restoredShop(folder, {
      beforeBackup: makeLink(5),
      afterBackup: async (shopBeforeRestore) =>
        lost.push(await pay(shopBeforeRestore, one), await pay(shopBeforeRestore, two)),
    });
    const known = lost.map(({ body }) => body.order?.request_id);
    const attempt = crypto.randomUUID();
    const fresh = await Promise.all([pay(shop, attempt), pay(shop, attempt)]);
    assert.equal(fresh[0].body.order?.request_id, fresh[1].body.order?.request_id);
    assert.ok(!known.includes(fresh[0].body.order?.request_id));
    for (const [index, browser] of [one, two].entries())
      assert.equal((await pay(shop, browser)).body.order?.request_id, known[index]);
    for (const { body } of lost) {
      const { body: found } = await shop.query(body.order?.intent_id ?? '');
      assert.equal(found.order?.request_id, body.order?.request_id);
    }
    assert.equal(shop.world.pays().length, 3);
  });

  it('shows a browser’s lost order also when other browsers have used the link up', async () => {
    const lost: Awaited<ReturnType<typeof pay>>[] = [];
    const one = crypto.randomUUID();
    const shop = await restoredShop(folder, {
      beforeBackup: makeLink(2),
      afterBackup: async (shopBeforeRestore) => lost.push(await pay(shopBeforeRestore, one)),
    });
    for (let browsers = 0; browsers < 2; browsers++) assert.equal((await pay(shop)).status, 200);
    assert.equal(codeOf(await pay(shop)), 'intent_closed');
    assert.equal(codeOf(await viewLink(shop, crypto.randomUUID())), 'intent_closed');
    assert.equal((await viewLink(shop, one)).status, 200);
    assert.equal((await pay(shop, one)).body.order?.request_id, lost[0]?.body.order?.request_id);
    assert.equal(shop.world.pays().length, 3);
  });

  it('shows the lost order when a link has a single use', async () => {
    const lost: Awaited<ReturnType<typeof pay>>[] = [];
    const shop = await restoredShop(folder, {
      beforeBackup: makeLink(1),
      afterBackup: async (shopBeforeRestore) => lost.push(await pay(shopBeforeRestore)),
    });
    assert.equal((await pay(shop)).body.order?.request_id, lost[0]?.body.order?.request_id);
    assert.equal(shop.world.pays().length, 1);
  });

  for (const uses of [1, 5])
    it(`finds the paid, lost order of a revoked link with ${uses} uses`, async () => {
      const browser = crypto.randomUUID();
      let lost = '';
      const shop = await restoredShop(folder, {
        beforeBackup: makeLink(uses),
        afterBackup: async (shopBeforeRestore) => {
          lost = (await pay(shopBeforeRestore, browser)).body.order?.request_id ?? '';
          await shopBeforeRestore.customerPays(lost);
        },
      });
      assert.equal((await shop.ask('/v1/pay-links/revoke', { pay_link_id: made.id })).status, 200);
      const shown = await viewLink(shop, browser);
      assert.equal(shown.status, 200);
      const { order } = (await pay(shop, browser)).body;
      assert.deepEqual([order?.request_id, order?.outcome], [lost, 'succeeded']);
      assert.equal((await viewLink(shop, browser)).body.order?.request_id, lost);
      assert.equal(shop.world.pays().length, 1);
    });

  it('places nothing by a revoked link of which the service knows no order', async () => {
    const shop = await restoredShop(folder, { beforeBackup: makeLink(1) });
    await shop.ask('/v1/pay-links/revoke', { pay_link_id: made.id });
    assert.equal(codeOf(await viewLink(shop, crypto.randomUUID())), 'intent_closed');
    assert.equal(codeOf(await pay(shop)), 'intent_closed');
    assert.equal(shop.world.pays().length, 0);
  });

  it('sends nothing three days later for an order that its link has placed', async () => {
    const lost: Awaited<ReturnType<typeof pay>>[] = [];
    const laterMs = 3 * 86_400_000;
    const clock = {
      ...systemClock,
      now: () => systemClock.now() + laterMs,
      elapsed: () => systemClock.elapsed() + laterMs,
    };
    const past = {
      beforeBackup: makeLink(1),
      afterBackup: async (shopBeforeRestore: Shop) => {
        lost.push(await pay(shopBeforeRestore));
        await shopBeforeRestore.customerPays(lost[0]?.body.order?.request_id ?? '');
      },
    };
    const shop = await restoredShop(folder, past, clock);
    assert.equal((await shop.query(`${made.id}-1`)).status, 503);
    const { order } = (await pay(shop)).body;
    const expected = [lost[0]?.body.order?.request_id, 'succeeded'];
    assert.deepEqual([order?.request_id, order?.outcome], expected);
    assert.equal(shop.world.pays().length, 1);
    await makeLink(1)(shop);
    const calls = shop.world.sandbox.calls.length;
    assert.equal((await pay(shop)).status, 200);
    assert.equal(shop.world.sandbox.calls.length, calls + 1);
  });

  it('answers token_invalid when a link was made after the backup', async () => {
    const shop = await restoredShop(folder, { afterBackup: makeLink(5) });
    assert.equal(codeOf(await pay(shop)), 'token_invalid');
  });

  it('answers already_paid to a close when a link made after the backup was paid', async () => {
    const lost: Awaited<ReturnType<typeof pay>>[] = [];
    const shop = await restoredShop(folder, {
      afterBackup: async (shopBeforeRestore) => {
        await makeLink(1)(shopBeforeRestore);
        lost.push(await pay(shopBeforeRestore));
        await shopBeforeRestore.customerPays(lost[0]?.body.order?.request_id ?? '');
      },
    });
    const closed = await shop.ask('/v1/close', { intent_id: `${made.id}-1` });
    assert.deepEqual([closed.status, codeOf(closed)], [409, 'already_paid']);
  });
});
