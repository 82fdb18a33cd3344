/** Pay links in every kind of ledger. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Claimed, Ledger } from '../../../../relay/ledger/ledger.js';
import type { PayLinkRow } from '../../../../relay/ledger/pay-link-ledger.js';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { closingLedgers } from '../../support/closing-ledgers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

const folder = temporaryFolder('pay-links');
const openLedger = closingLedgers();
let running: Promise<Postgres> | undefined;
after(async () => (await running)?.stop());

let files = 0;
const ledgers: Record<string, () => Promise<Ledger>> = {
  memory: () => openLedger('memory:'),
  sqlite: () => openLedger(`sqlite:${join(folder, `${files++}.db`)}`),
  postgres: async () =>
    openLedger(await (await (running ??= startPostgres({ syncs: false }))).ledger()),
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

const intentOf = (intent_id: string): IntentRow => ({ ...freshIntent, intent_id });
const orderOf = (intent_id: string, change: Partial<OrderRow> = {}): OrderRow => {
  return { ...fresh, request_id: intent_id, intent_id, next_check_at: null, ...change };
};
/** A browser's first pay by a link. */
const pay = (ledger: Ledger, pay_link_id: string, attempt: string, now = NOW): Promise<Claimed> => {
  const id = `${pay_link_id}-${attempt}`;
  const payLink = { pay_link_id, attempt, now };
  return ledger.claimOrder({ intent: intentOf(id), order: orderOf(id), after: null, payLink });
};

for (const [name, open] of Object.entries(ledgers))
  describe(`pay links on ${name}`, () => {
    it('finds a link by the digest of its token only', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      assert.deepEqual(await ledger.payLink('digest of a'), link('a'));
      assert.equal(await ledger.payLink('a'), null);
    });

    it('gives each browser one use, however many orders it claims at once', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 20 }));
      const browsers = Array.from({ length: 20 }, (_, index) => `b${index % 10}`);
      const claims = await Promise.all(browsers.map((browser) => pay(ledger, 'a', browser)));
      assert.equal(claims.filter(({ claimed }) => claimed).length, 10);
      assert.equal((await ledger.payLink('digest of a'))?.used, 10);
      assert.equal(await ledger.payLinkIntent('a', 'b0'), 'a-b0');
      assert.equal(await ledger.payLinkIntent('a', 'nobody'), null);
    });

    it('claims nothing by a link that is used up, expired, revoked or unknown', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('used', { uses: 2 }));
      await ledger.addPayLink(link('old', { uses: 2 }));
      await ledger.addPayLink(link('revoked', { uses: 2 }));
      await ledger.addPayLink(link('single', { uses: 1 }));
      for (const id of ['used', 'old', 'revoked'])
        assert.equal((await pay(ledger, id, 'first')).claimed, true, id);
      await pay(ledger, 'used', 'second');
      for (const id of ['revoked', 'single']) await ledger.revokePayLink(id, NOW);
      for (const id of ['used', 'old', 'revoked', 'single', 'nobody']) {
        const { claimed, refused } = await pay(ledger, id, 'third', NOW + 1000);
        assert.deepEqual([claimed, refused], [false, 'link_closed'], id);
        assert.equal(await ledger.intent(`${id}-third`), null);
      }
    });

    it('claims a second order for a browser of a used-up or expired link', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 2 }));
      for (const browser of ['first', 'second']) await pay(ledger, 'a', browser);
      const next = orderOf('a-first', { request_id: 'next', ordinal: 2 });
      const payLink = { pay_link_id: 'a', attempt: 'first', now: NOW + 5000 };
      const claim = { intent: intentOf('a-first'), order: next, after: 'a-first', payLink };
      assert.equal((await ledger.claimOrder(claim)).claimed, true);
      assert.equal((await ledger.payLink('digest of a'))?.used, 2);
    });

    it('frees the use of a link only when the order was not sent', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 4 }));
      const ends = {
        failed: { outcome: 'failed' },
        unsent: { sending: 'unsent' },
        pending: { outcome: 'pending' },
        review: { outcome: 'review' },
      } as const;
      for (const [attempt, end] of Object.entries(ends)) {
        await pay(ledger, 'a', attempt);
        await ledger.replaceOrder(orderOf(`a-${attempt}`, { ...end, version: 2 }));
        await ledger.freePayLinkUse({ pay_link_id: 'a', attempt });
      }
      assert.equal((await ledger.payLink('digest of a'))?.used, 3);
      await ledger.freePayLinkUse({ pay_link_id: 'a', attempt: 'nobody' });
      assert.equal((await ledger.payLink('digest of a'))?.used, 3);
      assert.equal(await ledger.payLinkIntent('a', 'unsent'), null);
    });

    it('keeps the use of a link when an earlier order was sent', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      await pay(ledger, 'a', 'first');
      const id = 'a-first';
      const next = orderOf(id, { request_id: 'next', ordinal: 2 });
      const use = { pay_link_id: 'a', attempt: 'first' };
      const payLink = { ...use, now: NOW };
      await ledger.claimOrder({ intent: intentOf(id), order: next, after: id, payLink });
      await ledger.replaceOrder({ ...next, sending: 'unsent', version: 2 });
      await ledger.freePayLinkUse(use);
      assert.equal((await ledger.payLink('digest of a'))?.used, 1);
      assert.equal(await ledger.payLinkIntent('a', 'first'), id);
    });

    it('claims an order of another browser by a link with a single use', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 1 }));
      const claim = (id: string, after: string | null, attempt: string): Promise<Claimed> =>
        ledger.claimOrder({
          intent: intentOf('one'),
          order: orderOf('one', { request_id: id, ordinal: after === null ? 1 : 2 }),
          after,
          payLink: { pay_link_id: 'a', attempt, now: NOW + 5000 },
        });
      assert.equal((await claim('one', null, 'first')).claimed, true);
      assert.equal((await claim('two', 'one', 'second')).claimed, true);
    });

    it('refuses a second intent of a browser that already has a use of the link', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 3 }));
      await pay(ledger, 'a', 'first');
      const payLink = { pay_link_id: 'a', attempt: 'first', now: NOW };
      const order = orderOf('another');
      const claim = { intent: intentOf('another'), order, after: null, payLink };
      assert.equal((await ledger.claimOrder(claim)).refused, 'link_closed');
    });

    it('takes a use again when an unsent order is claimed again', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 2 }));
      await pay(ledger, 'a', 'first');
      await ledger.replaceOrder(orderOf('a-first', { sending: 'unsent', version: 2 }));
      const payLink = { pay_link_id: 'a', attempt: 'first', now: NOW };
      await ledger.freePayLinkUse(payLink);
      for (const browser of ['second', 'third']) await pay(ledger, 'a', browser);
      const again = orderOf('a-first', { version: 3 });
      assert.equal(await ledger.reclaimOrder(again, payLink), 'link_closed');
      await ledger.replaceOrder(orderOf('a-third', { sending: 'unsent', version: 2 }));
      await ledger.freePayLinkUse({ ...payLink, attempt: 'third' });
      assert.equal(await ledger.reclaimOrder(again, payLink), true);
      assert.equal((await ledger.payLink('digest of a'))?.used, 2);
    });

    it('takes no use when an order of a closed intent is claimed again', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      await pay(ledger, 'a', 'first');
      await ledger.replaceOrder(orderOf('a-first', { sending: 'unsent', version: 2 }));
      const payLink = { pay_link_id: 'a', attempt: 'first', now: NOW };
      await ledger.freePayLinkUse(payLink);
      await ledger.closeIntent(intentOf('a-first'), { at: NOW, reason: null });
      assert.equal(await ledger.reclaimOrder(orderOf('a-first', { version: 3 }), payLink), false);
      assert.equal((await ledger.payLink('digest of a'))?.used, 0);
    });

    it('keeps the time of the first revocation, and returns null for an unknown link', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      assert.equal(await ledger.revokePayLink('a', NOW + 1), NOW + 1);
      assert.equal(await ledger.revokePayLink('a', NOW + 2), NOW + 1);
      assert.equal(await ledger.revokePayLink('b', NOW), null);
    });

    it('deletes expired links and the rows of their browsers in steps', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      await ledger.addPayLink(link('younger', { expires_at: NOW + 9000 }));
      for (const attempt of ['1', '2', '3']) await pay(ledger, 'a', attempt);
      // the link is still open before this time
      assert.equal(await ledger.purgePayLink(NOW + 1000, 2), 0);
      const steps: number[] = [];
      do steps.push(await ledger.purgePayLink(NOW + 5000, 2));
      while (steps.at(-1) !== 0);
      assert.deepEqual(steps, [2, 1, 1, 0]);
      assert.equal(await ledger.payLink('digest of a'), null);
      assert.notEqual(await ledger.payLink('digest of younger'), null);
    });
  });
