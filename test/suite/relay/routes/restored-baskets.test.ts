/** A token superseded another intent; then the ledger was restored from a backup without it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { restoredShop } from './restored-shop.js';
import { codeOf } from './shop.js';

const folder = temporaryFolder('baskets');

const NEXT = { amount: '20.00', supersedes: 'basket-old' };

describe('a token that superseded another intent before a restore', () => {
  it('shows its lost order when the superseded intent is paid after the restore', async () => {
    const shop = await restoredShop(folder, {
      beforeBackup: (shopBeforeRestore) => shopBeforeRestore.pay('basket-old'),
      afterBackup: (shopBeforeRestore) => shopBeforeRestore.pay('basket-new', NEXT),
    });
    const superseded = (await shop.query('basket-old')).body.order as
      { request_id: string } | undefined;
    await shop.customerPays(superseded?.request_id ?? '');
    await until(
      async () => (await shop.query('basket-old')).body.order?.outcome === 'succeeded',
      'paid',
    );
    const sent = shop.world.pays().length;
    const next = await shop.pay('basket-new', NEXT);
    assert.deepEqual([next.status, next.body.order?.outcome], [200, 'pending']);
    assert.equal(shop.world.pays().length, sent);
  });

  it('closes the other superseded intents when one of them is paid after the restore', async () => {
    const several = { amount: '20.00', supersedes: ['basket-one', 'basket-two'] };
    const shop = await restoredShop(folder, {
      beforeBackup: async (shopBeforeRestore) => {
        await shopBeforeRestore.pay('basket-one');
        await shopBeforeRestore.pay('basket-two');
      },
      afterBackup: (shopBeforeRestore) => shopBeforeRestore.pay('basket-new', several),
    });
    const one = (await shop.query('basket-one')).body.order as { request_id: string } | undefined;
    await shop.customerPays(one?.request_id ?? '');
    await until(
      async () => (await shop.query('basket-one')).body.order?.outcome === 'succeeded',
      'paid',
    );
    assert.equal((await shop.pay('basket-new', several)).body.order?.outcome, 'pending');
    assert.equal(codeOf(await shop.pay('basket-two')), 'intent_closed');
    assert.equal((await shop.pay('basket-one')).body.order?.outcome, 'succeeded');
  });
});

describe('a token that supersedes an intent that the restored ledger lacks', () => {
  const both = { amount: '20.00', supersedes: ['basket-lost', 'basket-other'] };

  it('leaves the intent open when the token is refused', async () => {
    const shop = await restoredShop(folder, {
      beforeBackup: async (shopBeforeRestore) => {
        await shopBeforeRestore.pay('basket-other');
        await shopBeforeRestore.pay('basket-newer', { supersedes: 'basket-other' });
      },
      afterBackup: (shopBeforeRestore) => shopBeforeRestore.pay('basket-lost'),
    });
    assert.equal(codeOf(await shop.pay('basket-new', both)), 'already_superseded');
    assert.equal((await shop.pay('basket-lost')).body.order?.outcome, 'pending');
  });

  it('closes the intent with its lost order, and tells the shop of its payment', async () => {
    let lost = '';
    const shop = await restoredShop(folder, {
      afterBackup: async (shopBeforeRestore) => {
        lost = (await shopBeforeRestore.pay('basket-lost')).body.order?.request_id ?? '';
      },
    });
    assert.equal((await shop.pay('basket-new', both)).body.order?.outcome, 'pending');
    await shop.customerPays(lost);
    await until(
      async () => (await shop.receivedTypes()).includes('order.late_payment'),
      'the late payment',
    );
    const [late] = shop.received.filter(({ type }) => type === 'order.late_payment');
    assert.deepEqual([late?.data.intent_id, late?.data.amount], ['basket-lost', '12.50']);
  });
});
