/** The shop of the guide loses its database, restores an older one and reconciles. */
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createShop as createBackend } from '../../../docs/guides/reconciling-shop.js';
import { openLedger } from '../../../relay/node/open-ledger.js';
import { SECRETS, testConfig, until } from '../../suite/support/world.js';
import { createShop } from '../../suite/relay/routes/shop.js';

const folder = await mkdtemp(join(tmpdir(), 'reconcile-'));
after(() => rm(folder, { recursive: true }));

const ORDERS = 120;
type SaleData = Record<'amount' | 'currency' | 'intent_id' | 'request_id', string> & {
  livemode: boolean;
};

const jtiOf = (number: number): string => `order-${String(number).padStart(4, '0')}`;

describe('the reconciling shop of the guide', () => {
  it('packs every paid order once after it restored an older database', async () => {
    const ledger = await openLedger(`sqlite:${join(folder, 'ledger.db')}`);
    const shop = await createShop({
      ledger,
      config: { service: { ...testConfig.service, queries_per_second: 1000 } },
    });
    const file = join(folder, 'shop.json');
    const backend = createBackend({
      relay: 'https://shop.example',
      secretKey: SECRETS.SECRET ?? '',
      livemode: false,
      file,
      sold: Object.fromEntries(
        Array.from({ length: ORDERS }, (_, index) => [
          jtiOf(index),
          { amount: '12.50', currency: 'USD' },
        ]),
      ),
      fetch: (url, init) => shop.world.relay.fetch(new Request(url, init)),
    });
    const paid: string[] = [];
    /** Sells the orders of these numbers; the shop receives their webhooks. */
    const sell = async (from: number, to: number): Promise<void> => {
      for (let number = from; number < to; number++) {
        const { body } = await shop.pay(jtiOf(number));
        // one order in five is never paid
        if (number % 5 === 0) continue;
        await shop.customerPays(body.order?.request_id ?? '');
        const isPaid = async (): Promise<boolean> =>
          (await shop.query(jtiOf(number))).body.order?.outcome === 'succeeded';
        await until(isPaid, `${jtiOf(number)} to be paid`);
        paid.push(jtiOf(number));
      }
      // runs a tick, which delivers the events to `shop.received`, and sorts them by sequence
      await shop.receivedTypes();
      for (const { data, type } of shop.received.splice(0))
        await backend.receive({ type, data: data as SaleData });
    };
    await sell(0, 40);
    await backend.reconcile();
    await copyFile(file, `${file}.last-night`);
    await sell(40, 80);
    // the shop loses its database, and so the payments of orders 40 to 79
    await copyFile(`${file}.last-night`, file);
    await sell(80, ORDERS);
    const beforeReconciling = Object.keys((await backend.database()).toPack);
    assert.ok(beforeReconciling.length < paid.length, 'some payments are missing');

    await backend.reconcile();
    const { cursor, refunds, toPack } = await backend.database();
    assert.deepEqual(Object.keys(toPack).sort(), paid.sort());
    assert.deepEqual(refunds, {});
    await backend.reconcile();
    assert.equal((await backend.database()).cursor, cursor);
    await shop.world.relay.close();
    await ledger.close();
  });

  const sold = { 'order-1': { amount: '12.50', currency: 'USD' } };
  const at = (file: string, fetch?: (url: string, init: RequestInit) => Promise<Response>) =>
    createBackend({
      relay: 'https://shop.example',
      secretKey: 'x',
      livemode: true,
      file,
      sold,
      fetch,
    });
  const paid = {
    amount: '12.50',
    currency: 'USD',
    intent_id: 'order-1',
    request_id: 'r1',
    livemode: true,
  };

  it('begins a new database only where there is no file', async () => {
    const file = join(folder, 'empty.json');
    await writeFile(file, '');
    await assert.rejects(at(file).receive({ type: 'order.succeeded', data: paid }));
    await assert.rejects(at(folder).receive({ type: 'order.succeeded', data: paid }), /EISDIR/);
    await at(join(folder, 'new.json')).receive({ type: 'order.succeeded', data: paid });
    const { toPack } = await at(join(folder, 'new.json')).database();
    assert.deepEqual(Object.keys(toPack), ['order-1']);
  });

  it('notes each payment that pays no sale, to pay it back', async () => {
    const shop = at(join(folder, 'strange.json'));
    for (const change of [
      { request_id: 'dearer', amount: '99' },
      { request_id: 'unknown', intent_id: 'order-2' },
      { request_id: 'given back', resolved_as: 'failed' },
    ])
      await shop.receive({ type: 'order.succeeded', data: { ...paid, ...change } });
    await shop.receive({ type: 'order.failed', data: { ...paid, request_id: 'failed' } });
    const { refunds, toPack } = await shop.database();
    assert.deepEqual([Object.keys(refunds), toPack], [['dearer', 'unknown', 'given back'], {}]);
  });

  it('leaves out the orders of a relay in the other mode', async () => {
    const shop = at(join(folder, 'test-orders.json'));
    await shop.receive({ type: 'order.succeeded', data: { ...paid, livemode: false } });
    const { refunds, toPack } = await shop.database();
    assert.deepEqual([refunds, toPack], [{}, {}]);
  });

  it('never pays back what it packs for when the relay calls another payment first', async () => {
    const shop = at(join(folder, 'restored.json'));
    for (const [type, request_id] of [
      ['order.succeeded', 'b'],
      ['order.duplicate_payment', 'a'],
      // the relay's ledger was restored from a backup in which both orders were open
      ['order.succeeded', 'a'],
      ['order.duplicate_payment', 'b'],
    ] as const)
      await shop.receive({ type, data: { ...paid, request_id } });
    const { refunds, toPack } = await shop.database();
    assert.deepEqual([Object.keys(refunds), toPack['order-1']?.request_id], [['a'], 'b']);
  });

  it('waits for the relay only until its time limit', async () => {
    let signal: AbortSignal | null | undefined;
    const shop = at(join(folder, 'slow.json'), async (_url, init) => {
      ({ signal } = init);
      return Response.json({ events: [], cursor: 'c', more: false });
    });
    await shop.reconcile();
    assert.ok(signal instanceof AbortSignal);
  });
});
