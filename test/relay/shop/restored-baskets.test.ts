/** A token supersedes another one, and the ledger that knew of it was restored from a backup. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { bindLedger } from '../../../relay/bind-ledger.js';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { openLedger } from '../../../relay/node/open-ledger.js';
import { readSecret, testConfig, until } from '../../support/world.js';
import { codeOf, createShop, type Shop } from './shop.js';

const folder = mkdtempSync(join(tmpdir(), 'baskets-'));
after(() => rmSync(folder, { recursive: true }));

const config = parseConfig(testConfig, readSecret);
const NEXT = { amount: '20.00', supersedes: 'basket-old' };

/** Goes back to a backup that was made after `kept` and before `lost`. */
async function restore(
  name: string,
  kept: (shop: Shop) => Promise<unknown>,
  lost: (shop: Shop) => Promise<unknown>,
): Promise<Shop> {
  const backup = join(folder, `${name}.backup.db`);
  const first = await openLedger(`sqlite:${join(folder, `${name}.db`)}`);
  await bindLedger(config, first);
  const before = await createShop({ ledger: first });
  // a starting relay generates its keys before it accepts an order
  await before.world.relay.fetch(new Request('https://shop.example/readyz'));
  await kept(before);
  await first.backup(backup);
  await lost(before);
  await before.world.relay.close();
  await first.close();
  const ledger = await openLedger(`sqlite:${backup}`);
  await bindLedger(config, ledger, { restored: true });
  return createShop({ ledger, sandbox: before.world.sandbox });
}

describe('a token that supersedes another one, after a restore', () => {
  it('closes the intent that the ledger lacks, and follows its order', async () => {
    const shop = await restore(
      'unknown',
      async () => {},
      (before) => before.pay('basket-old'),
    );
    const next = await shop.pay('basket-new', NEXT);
    assert.deepEqual([next.status, codeOf(next)], [200, undefined]);
    const former = (await shop.query('basket-old')).body.order as { closed?: boolean } | undefined;
    assert.equal(former?.closed, true);
  });

  it('brings its lost order back when the former intent is paid by now', async () => {
    const shop = await restore(
      'paid',
      (before) => before.pay('basket-old'),
      (before) => before.pay('basket-new', NEXT),
    );
    const former = (await shop.query('basket-old')).body.order as
      { request_id: string } | undefined;
    await shop.customerPays(former?.request_id ?? '');
    await until(
      async () => (await shop.query('basket-old')).body.order?.outcome === 'succeeded',
      'paid',
    );
    const sent = shop.world.pays().length;
    const next = await shop.pay('basket-new', NEXT);
    assert.deepEqual([next.status, next.body.order?.outcome], [200, 'pending']);
    assert.equal(shop.world.pays().length, sent);
  });
});
