/** Links that resume an order on another device (`resume` of /v1/checkout), after a restore. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { restoredShop } from './restored-shop.js';
import { codeOf, type Shop } from './shop.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('restored-links');

describe('a link to an order that a restored ledger lost', () => {
  let resume = {};
  let shop: Shop;
  before(async () => {
    shop = await restoredShop(folder, {
      afterBackup: async (shopBeforeRestore) => {
        const paid = await shopBeforeRestore.pay('basket-1');
        const { order_key, request_id } = paid.body.order ?? {};
        resume = { request_id, order_key };
      },
    });
  });

  it('answers 503 to a link to a lost order when the service knows the order', async () => {
    const linked = await shop.world.ask('/v1/checkout', { resume });
    assert.deepEqual([linked.status, codeOf(linked)], [503, 'service_unavailable']);
  });

  it('answers order_unknown to a link to a lost order when its order_key is forged', async () => {
    const forged = await shop.world.ask('/v1/checkout', {
      resume: { ...resume, order_key: 'x'.repeat(43) },
    });
    assert.deepEqual([forged.status, codeOf(forged)], [404, 'order_unknown']);
  });
});
