/** Links to orders that a restored ledger lost. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { restoredShop } from './restored-shop.js';
import { codeOf } from './shop.js';

const folder = mkdtempSync(join(tmpdir(), 'restored-links-'));
after(() => rmSync(folder, { recursive: true }));

describe('a link to an order that a restored ledger lost', () => {
  it('does not answer order_unknown when the service knows the order', async () => {
    let resume = {};
    const shop = await restoredShop(folder, {
      lost: async (before) => {
        const { order_key, request_id } = (await before.pay('basket-1')).body.order ?? {};
        resume = { request_id, order_key };
      },
    });
    const linked = await shop.world.ask('/v1/checkout', { resume });
    assert.deepEqual([linked.status, codeOf(linked)], [503, 'service_unavailable']);
    const forged = await shop.world.ask('/v1/checkout', {
      resume: { ...resume, order_key: 'x'.repeat(43) },
    });
    assert.deepEqual([forged.status, codeOf(forged)], [404, 'order_unknown']);
  });
});
