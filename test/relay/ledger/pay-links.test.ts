/** Pay links in every kind of ledger. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Ledger } from '../../../relay/ledger/ledger.js';
import type { PayLinkRow } from '../../../relay/ledger/pay-link-ledger.js';
import { openLedger } from '../../../relay/node/open-ledger.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';

const folder = mkdtempSync(join(tmpdir(), 'pay-links-'));
after(() => rmSync(folder, { recursive: true }));
let running: Promise<Postgres> | undefined;
after(async () => (await running)?.stop());

let files = 0;
const ledgers: Record<string, () => Promise<Ledger>> = {
  memory: () => openLedger('memory:'),
  sqlite: () => openLedger(`sqlite:${join(folder, `${files++}.db`)}`),
  postgres: async () => openLedger(await (await (running ??= startPostgres())).database()),
};

const NOW = 1_800_000_000_000;
const link = (id: string, change: Partial<PayLinkRow> = {}): PayLinkRow => ({
  pay_link_id: id,
  token_digest: `digest of ${id}`,
  terms: '{}',
  uses: 3,
  used: 0,
  created_at: NOW,
  expires_at: NOW + 1000,
  revoked_at: null,
  ...change,
});

for (const [name, open] of Object.entries(ledgers))
  describe(`pay links on ${name}`, () => {
    it('finds a link by the digest of its token only', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      assert.deepEqual(await ledger.payLink('digest of a'), link('a'));
      assert.equal(await ledger.payLink('a'), null);
      await ledger.close();
    });

    it('gives each browser one number, and no number twice', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 20 }));
      const attempts = Array.from({ length: 20 }, (_, index) => `attempt ${index % 10}`);
      const numbers = await Promise.all(
        attempts.map((attempt) => ledger.takePayLinkUse('a', attempt, NOW)),
      );
      assert.equal(new Set(numbers).size, 10);
      assert.deepEqual(numbers.slice(0, 10), numbers.slice(10));
      assert.equal((await ledger.payLink('digest of a'))?.used, 10);
      assert.equal(await ledger.payLinkUse('a', 'attempt 0'), numbers[0]);
      assert.equal(await ledger.payLinkUse('a', 'nobody'), null);
      await ledger.close();
    });

    it('gives no number to a new browser when a link is used up, expired or revoked', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('used', { uses: 1 }));
      assert.equal(await ledger.takePayLinkUse('used', 'first', NOW), 1);
      assert.equal(await ledger.takePayLinkUse('used', 'second', NOW), null);
      await ledger.addPayLink(link('old'));
      assert.equal(await ledger.takePayLinkUse('old', 'first', NOW + 999), 1);
      assert.equal(await ledger.takePayLinkUse('old', 'second', NOW + 1000), null);
      await ledger.addPayLink(link('revoked'));
      assert.equal(await ledger.takePayLinkUse('revoked', 'first', NOW), 1);
      await ledger.revokePayLink('revoked', NOW);
      assert.equal(await ledger.takePayLinkUse('revoked', 'second', NOW), null);
      assert.equal(await ledger.takePayLinkUse('nobody', 'first', NOW), null);
      for (const id of ['used', 'old', 'revoked'])
        assert.equal(await ledger.takePayLinkUse(id, 'first', NOW + 5000), 1, id);
      await ledger.close();
    });

    it('gives a browser another number when it cannot use its own', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      await ledger.takePayLinkUse('a', 'first', NOW);
      assert.equal(await ledger.takePayLinkUse('a', 'first', NOW, 1), 2);
      assert.equal(await ledger.takePayLinkUse('a', 'first', NOW, 1), 2);
      assert.equal(await ledger.payLinkUse('a', 'first'), 2);
      await ledger.close();
    });

    it('keeps the time of the first revocation, and returns null for an unknown link', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      assert.equal(await ledger.revokePayLink('a', NOW + 1), NOW + 1);
      assert.equal(await ledger.revokePayLink('a', NOW + 2), NOW + 1);
      assert.equal(await ledger.revokePayLink('b', NOW), null);
      await ledger.close();
    });

    it('deletes expired links in steps, with the numbers of their browsers', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      await ledger.addPayLink(link('younger', { expires_at: NOW + 9000 }));
      for (const attempt of ['1', '2', '3']) await ledger.takePayLinkUse('a', attempt, NOW);
      const steps: number[] = [];
      do steps.push(await ledger.purgePayLink(NOW + 5000, 2));
      while (steps.at(-1) !== 0);
      assert.deepEqual(steps, [2, 1, 1, 0]);
      assert.equal(await ledger.payLink('digest of a'), null);
      assert.notEqual(await ledger.payLink('digest of younger'), null);
      await ledger.close();
    });
  });
