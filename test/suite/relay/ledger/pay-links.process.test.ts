/** Pay links in every kind of ledger. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import type { PayLinkRow } from '../../../../relay/ledger/pay-link-ledger.js';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { closingLedgers } from '../../support/closing-ledgers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import {
  addLostOrder,
  claimOrder,
  closeIntent,
  reclaimOrder,
  replaceOrder,
} from '../../support/ledger-calls.js';

const folder = temporaryFolder('pay-links');
const openLedger = closingLedgers();
let running: Promise<Postgres> | undefined;
after(async () => (await running)?.stop());

let files = 0;
const ledgers: Record<string, () => Promise<Ledger>> = {
  memory: () => openLedger('memory:'),
  sqlite: () => openLedger(`sqlite:${join(folder, `${files++}.db`)}`),
  postgres: async () => {
    const server = await (running ??= startPostgres({ syncs: false }));
    const ledger = await openLedger(await server.ledger());
    // a claim by a link takes one statement when the ledger has read its epoch before
    await claimOrder(ledger, { intent: freshIntent, order: fresh, after: null });
    return ledger;
  },
};

const NOW = 1_800_000_000_000;
/** The id of a link, and the intent of one of its browsers. */
const linkId = (name: string): string => `pl_${name.padEnd(16, 'x')}`;
const intentId = (name: string, browser: string): string =>
  `${linkId(name)}-${browser.padEnd(26, 'x')}`;

const link = (name: string, change: Partial<PayLinkRow> = {}): PayLinkRow => ({
  pay_link_id: linkId(name),
  token_digest: `digest of ${name}`,
  terms: '{}',
  uses: 3,
  used: 0,
  created_at: NOW,
  expires_at: NOW + 1000,
  revoked_at: null,
  revoked_by: null,
  erased_at: null,
  erased_by: null,
  ...change,
});

const intentOf = (intent_id: string): IntentRow => ({ ...freshIntent, intent_id });
const orderOf = (intent_id: string, change: Partial<OrderRow> = {}): OrderRow => {
  return { ...fresh, request_id: intent_id, intent_id, next_check_at: NOW + 9000, ...change };
};
/** A browser's first pay by a link. */
const pay = (
  ledger: Ledger,
  name: string,
  browser: string,
  now = NOW,
): ReturnType<typeof claimOrder> => {
  const id = intentId(name, browser);
  const payLink = { pay_link_id: linkId(name), now };
  const claim = { intent: intentOf(id), order: orderOf(id), after: null };
  return claimOrder(ledger, { ...claim, known: null, payLink });
};
/** Writes the next state of the order of a browser's first pay. */
const write = (
  ledger: Ledger,
  name: string,
  browser: string,
  change: Partial<OrderRow>,
): Promise<boolean> => replaceOrder(ledger, orderOf(intentId(name, browser), change));
const usedOf = async (ledger: Ledger, name: string): Promise<number | undefined> =>
  (await ledger.payLink(`digest of ${name}`))?.used;

for (const [name, open] of Object.entries(ledgers))
  describe(`pay links on ${name}`, () => {
    it('finds a link by the digest of its token only', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      assert.deepEqual(await ledger.payLink('digest of a'), link('a'));
      assert.equal(await ledger.payLink('a'), null);
    });

    it('refuses a second link with the same id or token, and keeps the first', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      await assert.rejects(ledger.addPayLink(link('a', { token_digest: 'other', uses: 9 })));
      await assert.rejects(ledger.addPayLink(link('b', { token_digest: 'digest of a' })));
      assert.deepEqual(await ledger.payLink('digest of a'), link('a'));
    });

    it('takes one use for each browser, however many orders it claims at once', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 20 }));
      const browsers = Array.from('abcdefghijabcdefghij');
      const claims = await Promise.all(browsers.map((browser) => pay(ledger, 'a', browser)));
      assert.equal(claims.filter(({ claimed }) => claimed).length, 10);
      assert.equal(await usedOf(ledger, 'a'), 10);
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
      for (const id of ['revoked', 'single']) await ledger.revokePayLink(linkId(id), NOW);
      for (const id of ['used', 'old', 'revoked', 'single', 'nobody']) {
        const { claimed, refused } = await pay(ledger, id, 'third', NOW + 1000);
        assert.deepEqual([claimed, refused], [false, 'link_closed'], id);
        assert.equal(await ledger.intent(intentId(id, 'third')), null);
      }
    });

    it('claims a second order for a browser of a used-up or expired link', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 2 }));
      for (const browser of ['first', 'second']) await pay(ledger, 'a', browser);
      const id = intentId('a', 'first');
      const order = orderOf(id, { request_id: 'next', ordinal: 2 });
      const payLink = { pay_link_id: linkId('a'), now: NOW + 5000 };
      const claim = { intent: intentOf(id), order, after: id, payLink };
      assert.equal((await claimOrder(ledger, claim)).claimed, true);
      assert.equal(await usedOf(ledger, 'a'), 2);
    });

    it('gives a use back in the write that ends the only order', async () => {
      const ledger = await open();
      const ends: Record<string, [Partial<OrderRow>, number]> = {
        failed: [{ outcome: 'failed' }, 0],
        expired: [{ outcome: 'expired' }, 0],
        unsent: [{ sending: 'unsent' }, 0],
        over: [{ has_expired: true }, 0],
        left: [{ next_check_at: null }, 0],
        pending: [{ outcome: 'pending', expires_at: NOW }, 1],
        review: [{ outcome: 'review', next_check_at: null }, 1],
        unmapped: [{ outcome: 'unmapped', next_check_at: null }, 1],
        paid: [{ outcome: 'succeeded', has_expired: true }, 1],
      };
      for (const [end, [change, used]] of Object.entries(ends)) {
        await ledger.addPayLink(link(end));
        await pay(ledger, end, 'first');
        await write(ledger, end, 'first', { ...change, version: 2 });
        assert.equal(await usedOf(ledger, end), used, end);
      }
    });

    it('gives a use back when the last of two orders ends, and takes it again once', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      await pay(ledger, 'a', 'first');
      const id = intentId('a', 'first');
      const order = orderOf(id, { request_id: 'next', ordinal: 2 });
      const payLink = { pay_link_id: linkId('a'), now: NOW };
      await claimOrder(ledger, { intent: intentOf(id), order, after: id, payLink });
      const used = [await usedOf(ledger, 'a')];
      const change = async (changed: OrderRow): Promise<void> => {
        assert.equal(await replaceOrder(ledger, changed), true);
        used.push(await usedOf(ledger, 'a'));
      };
      await change({ ...order, outcome: 'expired', version: 2 });
      await change(orderOf(id, { outcome: 'failed', version: 2 }));
      await change(orderOf(id, { outcome: 'succeeded', version: 3 }));
      await change({ ...order, outcome: 'succeeded', version: 3 });
      assert.deepEqual(used, [1, 1, 0, 1, 1]);
    });

    it('takes the use of a late payment above the uses, and opens nothing further', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 2 }));
      for (const browser of ['payer', 'first']) await pay(ledger, 'a', browser);
      assert.equal((await pay(ledger, 'a', 'second')).refused, 'link_closed');
      await write(ledger, 'a', 'first', { outcome: 'expired', version: 2 });
      assert.equal((await pay(ledger, 'a', 'second')).claimed, true);
      assert.equal((await pay(ledger, 'a', 'third')).refused, 'link_closed');
      for (const [browser, version] of [
        ['first', 3],
        ['second', 2],
      ] as const)
        assert.equal(
          await write(ledger, 'a', browser, { outcome: 'succeeded', version }),
          true,
          browser,
        );
      assert.equal(await usedOf(ledger, 'a'), 3);
      await write(ledger, 'a', 'payer', { outcome: 'expired', version: 2 });
      assert.equal(await usedOf(ledger, 'a'), 2);
      for (const browser of ['payer', 'third'])
        assert.equal((await pay(ledger, 'a', browser)).refused, 'link_closed', browser);
    });

    it('counts each use when orders are placed, end and are paid at once', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 100 }));
      const browsers = Array.from('abcdefghijkl');
      const ends = ['failed', 'expired', 'succeeded', 'pending'] as const;
      await Promise.all(
        browsers.map(async (browser, index) => {
          await pay(ledger, 'a', browser);
          const outcome = ends[index % ends.length] ?? 'failed';
          await write(ledger, 'a', browser, { outcome, version: 2 });
          await write(ledger, 'a', browser, { outcome: 'succeeded', version: 3 });
          const id = intentId('a', browser);
          const order = orderOf(id, { request_id: `${browser} again`, ordinal: 2 });
          await addLostOrder(ledger, order);
        }),
      );
      assert.equal(await usedOf(ledger, 'a'), browsers.length);
    });

    it('takes a use for an order that a restored ledger lost', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { revoked_at: NOW }));
      const id = intentId('a', 'first');
      const closed = { ...intentOf(id), closed_at: NOW };
      assert.equal(await addLostOrder(ledger, orderOf(id), closed), true);
      assert.equal(await usedOf(ledger, 'a'), 1);
      const other = intentId('a', 'other');
      // the service has the order, so it is claimed without asking the link
      await claimOrder(ledger, { intent: intentOf(other), order: orderOf(other), after: null });
      assert.equal(await usedOf(ledger, 'a'), 2);
    });

    it('gives a use back when its link was revoked meanwhile', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      await pay(ledger, 'a', 'first');
      await ledger.revokePayLink(linkId('a'), NOW);
      await write(ledger, 'a', 'first', { outcome: 'expired', version: 2 });
      assert.equal(await usedOf(ledger, 'a'), 0);
      assert.equal((await pay(ledger, 'a', 'second')).refused, 'link_closed');
    });

    it('claims an order of another browser by a link with a single use', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 1 }));
      const claim = (id: string, after: string | null): ReturnType<typeof claimOrder> =>
        claimOrder(ledger, {
          intent: intentOf('one'),
          order: orderOf('one', { request_id: id, ordinal: after === null ? 1 : 2 }),
          after,
          payLink: { pay_link_id: linkId('a'), now: NOW + 5000 },
        });
      assert.equal((await claim('one', null)).claimed, true);
      assert.equal((await claim('two', 'one')).claimed, true);
      assert.equal(await usedOf(ledger, 'a'), 0);
    });

    it('takes a use again when an unsent order is claimed again', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { uses: 2 }));
      const payLink = { pay_link_id: linkId('a'), now: NOW };
      await pay(ledger, 'a', 'first');
      await write(ledger, 'a', 'first', { sending: 'unsent', version: 2 });
      for (const browser of ['second', 'third']) await pay(ledger, 'a', browser);
      const unsent = orderOf(intentId('a', 'first'), { sending: 'unsent', version: 2 });
      assert.equal(await reclaimOrder(ledger, unsent, { payLink }), 'link_closed');
      await write(ledger, 'a', 'third', { sending: 'unsent', version: 2 });
      assert.equal(await reclaimOrder(ledger, unsent, { payLink }), true);
      assert.equal(await usedOf(ledger, 'a'), 2);
    });

    it('takes no use when an order of a closed intent is claimed again', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      const payLink = { pay_link_id: linkId('a'), now: NOW };
      await pay(ledger, 'a', 'first');
      await write(ledger, 'a', 'first', { sending: 'unsent', version: 2 });
      const id = intentId('a', 'first');
      await closeIntent(ledger, intentOf(id), { at: NOW, reason: null });
      const unsent = orderOf(id, { sending: 'unsent', version: 2 });
      assert.equal(await reclaimOrder(ledger, unsent, { payLink }), false);
      assert.equal(await usedOf(ledger, 'a'), 0);
    });

    it('keeps the time of the first revocation, and returns null for an unknown link', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a'));
      assert.equal(await ledger.revokePayLink(linkId('a'), NOW + 1), NOW + 1);
      assert.equal(await ledger.revokePayLink(linkId('a'), NOW + 2), NOW + 1);
      assert.equal(await ledger.revokePayLink('b', NOW), null);
    });

    it('keeps who erased the terms of a link, and when', async () => {
      const ledger = await open();
      await ledger.addPayLink(link('a', { revoked_at: NOW, revoked_by: 'Ann' }));
      await ledger.addPayLink(link('b'));
      await ledger.eraseLink(linkId('a'), '{"a":1}', { at: NOW + 1, by: 'Ben' });
      const erased = { terms: '{"a":1}', erased_at: NOW + 1, erased_by: 'Ben' };
      const expected = link('a', { revoked_at: NOW, revoked_by: 'Ann', ...erased });
      assert.deepEqual({ ...(await ledger.payLinkById(linkId('a'))) }, expected);
      assert.equal((await ledger.payLinkById(linkId('b')))?.erased_at, null);
    });

    it('deletes expired links in steps', async () => {
      const ledger = await open();
      for (const old of ['a', 'b', 'c']) await ledger.addPayLink(link(old));
      await ledger.addPayLink(link('younger', { expires_at: NOW + 9000 }));
      // the links are still open before this time
      assert.equal(await ledger.purgePayLinks(NOW + 1000, 2), 0);
      const steps = [0, 0].map(() => ledger.purgePayLinks(NOW + 5000, 2));
      assert.deepEqual((await Promise.all(steps)).sort(), [1, 2]);
      assert.equal(await ledger.payLink('digest of a'), null);
      assert.notEqual(await ledger.payLink('digest of younger'), null);
    });
  });
