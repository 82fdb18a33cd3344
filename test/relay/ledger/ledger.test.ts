/** The same tests on every ledger. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Ledger } from '../../../relay/ledger/ledger.js';
import type { IntentRow, OrderRow } from '../../../relay/ledger/rows.js';
import { openLedger } from '../../../relay/node/open-ledger.js';
import { startPostgres, type Postgres } from '../../postgres.js';
import { fresh } from '../orders/fresh-order.js';

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
  ...fresh,
  request_id: ordinal === 1 ? id : `${id}.${ordinal}`,
  intent_id: id,
  ordinal,
  open_amount: true,
  created_at: 1_800_000_000_000,
  next_check_at: 1_800_000_000_500,
});

let running: Promise<Postgres> | undefined;
const postgres = (): Promise<Postgres> => (running ??= startPostgres());
after(async () => (await running)?.stop());

let files = 0;
const ledgers: Record<string, () => Promise<Ledger>> = {
  memory: () => openLedger('memory:'),
  sqlite: () => openLedger(`sqlite:${join(folder, `${files++}.db`)}`),
  postgres: async () => openLedger(await (await postgres()).database()),
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
        Array.from({ length: 20 }, (_, index) =>
          ledger.claimOrder({ ...order('i2'), option: `o${index}` }, null),
        ),
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
      const take = async (limit: number): Promise<string[]> =>
        (await ledger.takeDue(50, 80, limit)).map(({ request_id }) => request_id);
      assert.deepEqual(await take(1), ['b']);
      assert.deepEqual(await take(10), ['a']);
      assert.deepEqual(await take(10), []);
      assert.equal((await ledger.takeDue(85, 100, 10)).length, 2);
      await ledger.close();
    });

    it('gives the turn to ask to one of many, and again after a while', async () => {
      const ledger = await open();
      await ledger.openIntent(intent('turn'));
      await ledger.claimOrder(order('turn'), null);
      const asks = await Promise.all(
        Array.from({ length: 8 }, () => ledger.takeTurn('turn', 1000, 500)),
      );
      assert.equal(asks.filter(Boolean).length, 1);
      assert.equal(await ledger.takeTurn('turn', 1499, 500), false);
      assert.equal(await ledger.takeTurn('turn', 1500, 500), true);
      assert.equal(await ledger.takeTurn('turn', 1500, 0), true);
      await ledger.close();
    });

    it('tells what was written since, once', async () => {
      const ledger = await open();
      await ledger.openIntent(intent('old'));
      await ledger.claimOrder(order('old'), null);
      let { cursor, requestIds } = await ledger.changes(null);
      assert.deepEqual(requestIds, []);
      for (const id of ['n1', 'n2']) {
        await ledger.openIntent(intent(id));
        await ledger.claimOrder(order(id), null);
      }
      ({ cursor, requestIds } = await ledger.changes(cursor));
      assert.deepEqual(requestIds.sort(), ['n1', 'n2']);
      await ledger.replaceOrder({ ...order('old'), version: 2 });
      ({ cursor, requestIds } = await ledger.changes(cursor));
      assert.deepEqual(requestIds, ['old']);
      assert.deepEqual((await ledger.changes(cursor)).requestIds, []);
      await ledger.close();
    });

    it('knows how many relays live on it', async () => {
      const ledger = await open();
      assert.equal(await ledger.beat('one', 100, 0), 1);
      assert.equal(await ledger.beat('two', 120, 20), 2);
      assert.equal(await ledger.beat('two', 150, 110), 1);
      await ledger.close();
    });

    it('forgets what is old, with all that belongs to it', async () => {
      const ledger = await open();
      for (const [id, created_at] of [
        ['p1', 10],
        ['p2', 20],
        ['p3', 90],
      ] as const) {
        await ledger.openIntent({ ...intent(id), created_at });
        await ledger.claimOrder(order(id), null);
        await ledger.replaceOrder({ ...order(id), version: 2 }, () => [
          { event_id: `of-${id}`, intent_id: id, type: 'order.created', body: '{}', created_at },
        ]);
      }
      assert.equal(await ledger.purge(50, 1), 1);
      assert.equal(await ledger.purge(50, 10), 1);
      assert.deepEqual(
        [await ledger.intent('p1'), await ledger.order('p2'), (await ledger.outbox()).waiting],
        [null, null, 1],
      );
      assert.equal((await ledger.order('p3'))?.version, 2);
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
      const write = (
        id: string,
        version: number,
        name: string,
        outcome: 'pending' | 'succeeded' = 'pending',
      ): Promise<boolean> =>
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

      const takers = await Promise.all([
        ledger.takeEvents(200, 300, 10),
        ledger.takeEvents(200, 300, 10),
      ]);
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
        [['e2-first', 1]],
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
    const claims = await Promise.all(
      [one, two].map((ledger) => ledger.claimOrder(order('shared'), null)),
    );
    assert.equal(claims.filter(({ claimed }) => claimed).length, 1);
    await Promise.all([one.close(), two.close()]);
    const again = await openLedger(name);
    assert.equal((await again.order('shared'))?.amount, '12.50');
    await again.close();
  });
});

describe('ledger on PostgreSQL', () => {
  it('is brought up by many relays at once, loses no late commit and outlives a crash', async () => {
    const url = await (await postgres()).database();
    const relays = await Promise.all(Array.from({ length: 4 }, () => openLedger(url)));
    const [first] = relays;
    if (!first) throw new Error('no relay');
    const heard = new Set<string>();
    let { cursor } = await first.changes(null);
    const listen = async (): Promise<void> => {
      const changes = await first.changes(cursor);
      cursor = changes.cursor;
      for (const id of changes.requestIds) heard.add(id);
    };
    const ids = Array.from({ length: 400 }, (_, index) => `late${index}`);
    let writing = true;
    const writers = Promise.all(
      relays.flatMap((ledger, relay) =>
        Array.from({ length: 4 }, async (_, writer) => {
          for (const id of ids.filter((_id, index) => index % 16 === relay * 4 + writer)) {
            await ledger.openIntent(intent(id));
            await ledger.claimOrder(order(id), null);
          }
        }),
      ),
    ).finally(() => (writing = false));
    while (writing) await listen();
    await writers;
    await listen();
    assert.equal(heard.size, ids.length);

    await (await postgres()).crash();
    assert.equal((await first.order('late7').catch(() => first.order('late7')))?.amount, '12.50');
    await Promise.all(relays.map((ledger) => ledger.close()));
  });
});
