/** The same tests on both ledgers. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Ledger } from '../../../relay/ledger/ledger.js';
import type { IntentRow, OrderRow } from '../../../relay/ledger/rows.js';
import { openLedger } from '../../../relay/open-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
after(() => rmSync(folder, { recursive: true }));

const intent = (id: string): IntentRow => ({
  intent_id: id,
  mode: 'open',
  content: 'digest',
  amount: '100000000000000000.000000000000000001',
  currency: 'USD',
  product_name: 'A “thing”',
  customer_ref_id: 'c',
  pay_currency: null,
  remark: null,
  return_url: null,
  created_at: 1_800_000_000_000,
  current_request_id: null,
  paid_request_id: null,
});
const order = (id: string, ordinal = 1): OrderRow => ({
  request_id: ordinal === 1 ? id : `${id}.${ordinal}`,
  intent_id: id,
  ordinal,
  option: 'qr',
  amount: '12.50',
  currency: 'USD',
  open_amount: true,
  had_customer: false,
  sending: 'claimed',
  order_no: null,
  first_status: null,
  status: null,
  outcome: 'pending',
  review_reason: null,
  next_action: null,
  late: false,
  created_at: 1_800_000_000_000,
  checked_at: null,
  expires_at: null,
  next_check_at: 1_800_000_000_500,
  version: 1,
});

let files = 0;
const ledgers: Record<string, () => Promise<Ledger>> = {
  memory: () => openLedger('memory:'),
  sqlite: () => openLedger(`sqlite:${join(folder, `${files++}.db`)}`),
};

for (const [name, open] of Object.entries(ledgers))
  describe(`ledger ${name}`, () => {
    it('keeps the first of two intents of one identity, exactly', async () => {
      const ledger = await open();
      assert.deepEqual(await ledger.openIntent(intent('i1')), intent('i1'));
      const second = await ledger.openIntent({ ...intent('i1'), content: 'other', amount: '1' });
      assert.deepEqual(second, intent('i1'));
      assert.equal(await ledger.intent('nobody'), null);
      await ledger.close();
    });

    it('lets one of many claims win, and shows the winner to the others', async () => {
      const ledger = await open();
      await ledger.openIntent(intent('i2'));
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => ledger.claimOrder({ ...order('i2'), option: `o${index}` }, null)),
      );
      assert.equal(claims.filter(({ claimed }) => claimed).length, 1);
      assert.equal(new Set(claims.map(({ order: { option } }) => option)).size, 1);
      assert.equal((await ledger.ordersOf('i2')).length, 1);
      await ledger.close();
    });

    it('replaces the current order only for who names it', async () => {
      const ledger = await open();
      await ledger.openIntent(intent('i3'));
      await ledger.claimOrder(order('i3'), null);
      assert.equal((await ledger.claimOrder(order('i3', 2), 'somebody-else')).claimed, false);
      assert.equal((await ledger.claimOrder(order('i3', 2), 'i3')).claimed, true);
      assert.equal((await ledger.intent('i3'))?.current_request_id, 'i3.2');
      assert.deepEqual(
        (await ledger.ordersOf('i3')).map(({ request_id }) => request_id),
        ['i3', 'i3.2'],
      );
      await ledger.close();
    });

    it('writes over the version that was read, and no other', async () => {
      const ledger = await open();
      await ledger.openIntent(intent('i4'));
      await ledger.claimOrder(order('i4'), null);
      const next: OrderRow = {
        ...order('i4'),
        version: 2,
        status: 11,
        late: true,
        next_action: { kind: 'scan_qr', qrcode_string: 'ü"\'' },
      };
      assert.equal(await ledger.replaceOrder(next), true);
      assert.equal(await ledger.replaceOrder(next), false);
      assert.deepEqual(await ledger.order('i4'), next);
      await ledger.close();
    });

    it('lists what is due, the longest due first', async () => {
      const ledger = await open();
      for (const [id, at] of [
        ['a', 30],
        ['b', 10],
        ['c', null],
        ['d', 90],
      ] as const) {
        await ledger.openIntent(intent(id));
        await ledger.claimOrder({ ...order(id), next_check_at: at }, null);
      }
      assert.deepEqual(
        (await ledger.due(50, 10)).map(({ request_id }) => request_id),
        ['b', 'a'],
      );
      assert.equal((await ledger.due(50, 1)).length, 1);
      await ledger.close();
    });

    it('writes events with the change, gives each to one taker, and in order per intent', async () => {
      const ledger = await open();
      for (const id of ['e1', 'e2']) {
        await ledger.openIntent(intent(id));
        await ledger.claimOrder(order(id), null);
      }
      const event = (id: string, name: string) => ({
        event_id: `${id}-${name}`,
        intent_id: id,
        type: 'order.created' as const,
        body: '{}',
        created_at: 100,
      });
      const seen: (string | null)[] = [];
      const write = (id: string, version: number, name: string, outcome: 'pending' | 'succeeded' = 'pending'): Promise<boolean> =>
        ledger.replaceOrder({ ...order(id), version, outcome }, (paidFirst) => {
          seen.push(paidFirst);
          return [event(id, name)];
        });
      assert.ok(await write('e1', 2, 'first'));
      assert.ok(await write('e1', 3, 'second', 'succeeded'));
      assert.ok(await write('e2', 2, 'first'));
      assert.equal(await write('e2', 2, 'lost race'), false);
      assert.deepEqual(seen, [null, 'e1', null]);
      assert.equal((await ledger.intent('e1'))?.paid_request_id, 'e1');

      const takers = await Promise.all([ledger.takeEvents(200, 300, 10), ledger.takeEvents(200, 300, 10)]);
      assert.deepEqual(
        takers
          .flat()
          .map(({ event_id }) => event_id)
          .sort(),
        ['e1-first', 'e2-first'],
      );
      await ledger.noteTry('e2-first', { nextTryAt: 250 });
      assert.deepEqual(
        (await ledger.takeEvents(260, 400, 10)).map(({ event_id, tries }) => [event_id, tries]),
        [['e2-first', 2]],
      );
      await ledger.noteTry('e1-first', { deliveredAt: 265 });
      assert.deepEqual(await ledger.outbox(), { waiting: 2, oldest: 100 });
      // a taker that died leaves its events to the next one after the lease
      assert.deepEqual(
        (await ledger.takeEvents(500, 600, 10)).map(({ event_id }) => event_id),
        ['e1-second', 'e2-first'],
      );
      await ledger.close();
    });

    it('keeps the first deposit address and the first setting', async () => {
      const ledger = await open();
      const row = { customer_ref_id: 'c', currency: 'XRP', address: 'r1', tag: '0', created_at: 1 };
      assert.deepEqual(await ledger.keepDepositAddress(row), row);
      assert.deepEqual(await ledger.keepDepositAddress({ ...row, address: 'r2' }), row);
      assert.deepEqual(await ledger.depositAddress('c', 'XRP'), row);
      assert.equal(await ledger.depositAddress('c', 'BTC'), null);
      assert.equal(await ledger.keepSetting('key', 'one'), 'one');
      assert.equal(await ledger.keepSetting('key', 'two'), 'one');
      await ledger.close();
    });
  });

describe('ledger file', () => {
  it('survives a close, and is brought up by two processes at once', async () => {
    const name = `sqlite:${join(folder, 'shared.db')}`;
    const [one, two] = await Promise.all([openLedger(name), openLedger(name)]);
    await one.openIntent(intent('shared'));
    const claims = await Promise.all([one, two].map((ledger) => ledger.claimOrder(order('shared'), null)));
    assert.equal(claims.filter(({ claimed }) => claimed).length, 1);
    await Promise.all([one.close(), two.close()]);
    const again = await openLedger(name);
    assert.equal((await again.order('shared'))?.amount, '12.50');
    await again.close();
  });
});
