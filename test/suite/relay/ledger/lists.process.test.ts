/** The lists of a ledger on PostgreSQL, beside transactions of others and of its own. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import type { NewShopEvent, OrderRow, ShopEventRow } from '../../../../relay/ledger/rows.js';
import type { Listed, Position } from '../../../../relay/ledger/shop-ledger.js';
import { closingLedgers } from '../../support/closing-ledgers.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { until } from '../../support/wait.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { claimOrder, replaceOrder } from '../../support/ledger-calls.js';

const openLedger = closingLedgers();
const clients = new Set<pg.Client>();
let postgres: Postgres;
before(async () => {
  postgres = await startPostgres({ syncs: false, settings: { max_prepared_transactions: '2' } });
});
after(async () => {
  for (const client of clients) await client.end();
  await postgres.stop();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.add(client);
  return client;
}

const orderOf = (id: string, ordinal = 1): OrderRow => ({
  ...fresh,
  request_id: ordinal === 1 ? id : `${id}.${ordinal}`,
  intent_id: id,
  ordinal,
});
const claim = (ledger: Ledger, order: OrderRow, afterOrder: string | null = null) =>
  claimOrder(ledger, {
    intent: { ...freshIntent, intent_id: order.intent_id, created_at: 10 },
    order,
    after: afterOrder,
  });
const eventOf = (id: string, sequence: number): NewShopEvent => ({
  event_id: `${id}-${sequence}`,
  intent_id: id,
  sequence,
  type: 'order.created',
  body: '{}',
  created_at: 10,
  next_try_at: null,
  traceparent: null,
});
/** Writes the next version of the order, with an event. */
const change = (ledger: Ledger, order: OrderRow): Promise<boolean> =>
  replaceOrder(ledger, { ...order, version: order.version + 1 }, ({ intent_id }, { sequence }) => [
    eventOf(intent_id, sequence),
  ]);
const eventsOf = async (ledger: Ledger): Promise<string[]> =>
  (await ledger.listEvents(null, 100)).rows.map(({ event_id }) => event_id);
const ordersOf = async (ledger: Ledger): Promise<string[]> =>
  (await ledger.listOrders(null, 100)).rows.map(({ order }) => order.request_id);

/** Writes an order and an event, and expects that both lists and the notices have them. */
async function expectListed(ledger: Ledger, id: string): Promise<void> {
  const { cursor } = await ledger.changes(null);
  await claim(ledger, orderOf(id));
  await change(ledger, orderOf(id));
  assert.deepEqual(await ordersOf(ledger), [id]);
  assert.deepEqual(await eventsOf(ledger), [`${id}-1`]);
  const { changed } = await ledger.changes(cursor);
  assert.deepEqual(
    changed.map(({ intent_id }) => intent_id),
    [id],
  );
}

/** Resolves when a statement of the database waits for a lock. */
const untilWaiting = (client: pg.Client, statements = 1): Promise<void> =>
  until(async () => {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rowCount === statements;
  }, `${statements} statements wait for a lock`);

describe('the lists of a ledger on PostgreSQL', () => {
  it('go on while a transaction is open in another database of the same server', async () => {
    const other = await connect(await postgres.database());
    await other.query('create table of_the_shop (id int)');
    const ledger = await openLedger(await postgres.ledger());
    await other.query('begin');
    await other.query('insert into of_the_shop values (1)');
    await expectListed(ledger, 'a');
    await other.query('rollback');
  });

  it('go on while a foreign transaction is open or prepared in the same database', async () => {
    const url = await postgres.ledger();
    const [open, prepared] = [await connect(url), await connect(url)];
    await open.query('create table of_the_shop (id int)');
    const ledger = await openLedger(url);
    await open.query('begin');
    await open.query('insert into of_the_shop values (1)');
    await prepared.query('begin');
    await prepared.query('insert into of_the_shop values (2)');
    await prepared.query("prepare transaction 'two'");
    await expectListed(ledger, 'a');
    await open.query('rollback');
    await prepared.query("rollback prepared 'two'");
  });

  it('have the events of an intent in their order, whichever write began first', async () => {
    const url = await postgres.ledger();
    const [holder, watcher] = [await connect(url), await connect(url)];
    const ledger = await openLedger(url);
    await claim(ledger, orderOf('a'));
    await claim(ledger, orderOf('a', 2), 'a');
    await holder.query('begin');
    await holder.query(`select 1 from intents where intent_id = 'a' for update`);
    const changes = [change(ledger, orderOf('a')), change(ledger, orderOf('a', 2))];
    await untilWaiting(watcher, 2);
    await holder.query('commit');
    assert.deepEqual(await Promise.all(changes), [true, true]);
    const { rows } = await ledger.listEvents(null, 10);
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      [1, 2],
    );
  });

  it('begin again under another epoch when only the rows were copied', async () => {
    const url = await postgres.ledger();
    const first = await openLedger(url);
    for (const id of ['a', 'b', 'c']) {
      await claim(first, orderOf(id));
      await change(first, orderOf(id));
    }
    const epoch = await first.setting('epoch');
    await first.close();
    const client = await connect(url);
    for (const name of ['order_numbers', 'event_numbers'])
      await client.query(`select setval('${name}', 2)`);
    // several relays start at once
    const [ledger] = await Promise.all([1, 2, 3].map(() => openLedger(url)));
    assert.ok(ledger);
    const changed = await ledger.setting('epoch');
    assert.notEqual(changed, epoch);
    await claim(ledger, orderOf('d'));
    await change(ledger, orderOf('d'));
    assert.deepEqual(await ordersOf(ledger), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await eventsOf(ledger), ['a-1', 'b-1', 'c-1', 'd-1']);
    const again = await openLedger(url);
    assert.equal(await again.setting('epoch'), changed);
  });

  it('wait for a change of the ledger itself, and name who holds it back', async () => {
    const url = await postgres.ledger();
    const [holder, watcher] = [await connect(url), await connect(url)];
    const ledger = await openLedger(url);
    await claim(ledger, orderOf('a'));
    await claim(ledger, orderOf('b'));
    const { cursor } = await ledger.changes(null);
    await holder.query('begin');
    await holder.query(`select 1 from intents where intent_id = 'a' for update`);
    const waiting = change(ledger, orderOf('a'));
    await untilWaiting(watcher);
    await change(ledger, orderOf('b'));
    const { last, settled } = await ledger.reach('orders');
    assert.ok(settled < last, `${settled} of ${last}`);
    assert.deepEqual((await ledger.changes(cursor)).changed, []);
    assert.deepEqual(await eventsOf(ledger), ['b-1']);
    const held = await ledger.heldBack();
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    assert.match(held?.by ?? '', new RegExp(`^process \\d+ .*waits for process ${rows[0]?.pid}$`));
    assert.ok(held && held.ms >= 0 && held.ms < 60_000, `${held?.ms} ms`);
    await holder.query('commit');
    await waiting;
    assert.equal(await ledger.heldBack(), null);
    const { changed } = await ledger.changes(cursor);
    assert.deepEqual(changed.map(({ intent_id }) => intent_id).sort(), ['a', 'b']);
  });

  it('miss no row when many relays write at once, and repeat none', async () => {
    const url = await postgres.ledger();
    const relays = await Promise.all(Array.from({ length: 4 }, () => openLedger(url)));
    const [reader] = relays;
    assert.ok(reader);
    const ids = Array.from({ length: 240 }, (_, index) => `of-${index}`);
    let writing = true;
    const writers = Promise.all(
      relays.flatMap((ledger, relay) =>
        Array.from({ length: 4 }, async (_, writer) => {
          for (const id of ids.filter((_id, index) => index % 16 === relay * 4 + writer)) {
            await claim(ledger, orderOf(id));
            await claim(ledger, orderOf(id, 2), id);
            await Promise.all([change(ledger, orderOf(id)), change(ledger, orderOf(id, 2))]);
          }
        }),
      ),
    ).finally(() => (writing = false));
    const seen: string[] = [];
    let position: Position | null = null;
    const read = async (): Promise<void> => {
      const page: Listed<ShopEventRow> = await reader.listEvents(position, 50);
      position = page.last;
      assert.equal(page.isReset, false);
      seen.push(...page.rows.map(({ event_id }) => event_id));
      if (page.more) await read();
    };
    while (writing) await read();
    await writers;
    await read();
    assert.deepEqual([...seen].sort(), ids.flatMap((id) => [`${id}-1`, `${id}-2`]).sort());
    for (const id of ids)
      assert.ok(seen.indexOf(`${id}-1`) < seen.indexOf(`${id}-2`), `the events of ${id}`);
  });

  it('are read from a read-only database, and from a standby up to a heartbeat', async () => {
    const url = await postgres.ledger();
    const client = await connect(url);
    const ledger = await openLedger(url);
    await claim(ledger, orderOf('a'));
    await change(ledger, orderOf('a'));
    const { cursor } = await ledger.changes(null);
    await ledger.heartbeat('of the primary');
    await claim(ledger, orderOf('b'));
    await change(ledger, orderOf('b'));
    const name = new URL(url).pathname.slice(1);
    await client.query(`alter database "${name}" set default_transaction_read_only = on`);
    const reading = await openLedger(url, { schema: 'check' });
    await assert.rejects(claim(reading, orderOf('c')), /read-only/);
    assert.deepEqual(
      [await ordersOf(reading), await eventsOf(reading)],
      [
        ['a', 'b'],
        ['a-1', 'b-1'],
      ],
    );
    for (const each of clients) await each.end();
    clients.clear();
    await ledger.close();
    await reading.close();
    await postgres.becomeStandby();
    const standby = await openLedger(url, { schema: 'check' });
    assert.deepEqual([await ordersOf(standby), await eventsOf(standby)], [['a'], ['a-1']]);
    const { is_standby, last, settled } = await standby.reach('events');
    assert.ok(is_standby && settled < last);
    assert.deepEqual((await standby.changes(cursor)).changed, []);
    // a position of the primary is known here, although its row is not listed yet
    const { last: position } = await standby.listEvents(null, 10);
    const later = await standby.listEvents({ number: position.number + 1, id: 'b-1' }, 10);
    assert.deepEqual([later.isReset, later.rows], [false, []]);
  });
});
