/** Pay links after the ledger was restored from a backup. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { restoredShop } from '../shop/restored-shop.js';
import { codeOf, type Shop } from '../shop/shop.js';

const folder = mkdtempSync(join(tmpdir(), 'restored-links-'));
after(() => rmSync(folder, { recursive: true }));

const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c-1' };

describe('a pay link in a restored ledger', () => {
  const made: { id: string; token: string } = { id: '', token: '' };
  const makeLink = (uses: number) => async (shop: Shop) => {
    const { body } = await shop.ask('/v1/pay-links', { ...sale, expires_in: 3600, uses });
    Object.assign(made, { id: body.pay_link_id, token: String(body.url).split('/p/')[1] });
  };
  const pay = ({ world }: Shop) =>
    world.ask('/v1/pay', {
      order_token: made.token,
      option: 'qr',
      attempt: crypto.randomUUID(),
    });

  it('gives no browser another’s lost intent of a link, and follows the lost order', async () => {
    const lost: Awaited<ReturnType<typeof pay>>[] = [];
    const shop = await restoredShop(folder, {
      kept: makeLink(5),
      lost: async (before) => lost.push(await pay(before), await pay(before)),
    });
    const next = await pay(shop);
    assert.equal(next.body.order?.intent_id, `${made.id}-3`);
    for (const { body } of lost) {
      const { body: known } = await shop.query(body.order?.intent_id ?? '');
      assert.equal(known.order?.request_id, body.order?.request_id);
    }
    assert.equal(shop.world.pays().length, 3);
  });

  it('shows the lost order when a link has a single use', async () => {
    const lost: Awaited<ReturnType<typeof pay>>[] = [];
    const shop = await restoredShop(folder, {
      kept: makeLink(1),
      lost: async (before) => lost.push(await pay(before)),
    });
    assert.equal((await pay(shop)).body.order?.request_id, lost[0]?.body.order?.request_id);
    assert.equal(shop.world.pays().length, 1);
  });

  it('answers token_invalid when a link was made after the backup', async () => {
    const shop = await restoredShop(folder, { lost: makeLink(5) });
    assert.equal(codeOf(await pay(shop)), 'token_invalid');
  });
});
