/** The write of a change with its event, which PostgreSQL does in one statement if it can. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import type { EventsFor, Ledger } from '../../../../relay/ledger/ledger.js';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { postgresEngine } from '../../../../relay/ledger/sql/postgres-engine.js';
import { sqlLedger } from '../../../../relay/ledger/sql/sql-ledger.js';
import { observedDialect } from '../../support/observed-dialect.js';
import { poolOf, startPostgres, type Postgres } from '../../support/postgres.js';
import { until } from '../../support/wait.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

let postgres: Postgres;
let url: string;
let ledger: Ledger;
/** The statements since the last claim. */
const seen: string[] = [];
before(async () => {
  postgres = await startPostgres({ syncs: false });
  url = await postgres.database();
  const engine = postgresEngine(poolOf({ connectionString: url }));
  const dialect = observedDialect(engine.dialect, ({ sql }) => seen.push(sql));
  ledger = await sqlLedger({ ...engine, dialect });
});
after(async () => {
  await ledger.close();
  await postgres.stop();
});

type Claimed = { intent: IntentRow; order: OrderRow };
let claims = 0;
async function claim(): Promise<Claimed> {
  const id = `i${++claims}`;
  const { intent, order } = await ledger.claimOrder({
    intent: { ...freshIntent, intent_id: id, created_at: 10 },
    order: { ...fresh, request_id: id, intent_id: id },
    after: null,
  });
  assert.ok(order);
  seen.length = 0;
  return { intent, order };
}

type Numbered = {
  epoch: string;
  sequence: number;
  closed: boolean;
  current: string | null;
  paidBy: string | null;
};
/** Makes an event whose body tells what it was made from. */
const eventsFor: EventsFor = (intent, { epoch, sequence }) => {
  const { closed_at, current_request_id: current, intent_id, paid_request_id: paidBy } = intent;
  const numbered: Numbered = { epoch, sequence, closed: closed_at !== null, current, paidBy };
  return [
    {
      event_id: `${intent_id}.${sequence}`,
      intent_id,
      sequence,
      type: 'order.created',
      body: JSON.stringify(numbered),
      created_at: 10,
      next_try_at: 10,
    },
  ];
};
type OfOrder = Pick<Claimed, 'order'>;
const answered = ({ order }: OfOrder, change: Partial<OrderRow> = {}): OrderRow => {
  return { ...order, sending: 'answered', version: order.version + 1, ...change };
};
const write = (claimed: Claimed, change?: Partial<OrderRow>): Promise<boolean> =>
  ledger.replaceOrder(answered(claimed, change), eventsFor, { claimedIn: claimed.intent });
/** The events of an intent, as their bodies tell, in the order in which they were written. */
async function eventsOf({ order }: OfOrder): Promise<Numbered[]> {
  const { rows } = await ledger.listEvents(null, 10, { intentId: order.intent_id });
  return rows.map(({ body }) => JSON.parse(body) as Numbered);
}
const sequencesOf = async (claimed: OfOrder): Promise<number[]> =>
  (await eventsOf(claimed)).map(({ sequence }) => sequence);
const payerOf = async ({ order }: OfOrder): Promise<string | null | undefined> =>
  (await ledger.intent(order.intent_id))?.paid_request_id;
const countOf = async ({ intent }: Claimed): Promise<number | undefined> =>
  (await ledger.intent(intent.intent_id))?.event_count;

describe('a change with its event', () => {
  // the ledger learns its epoch from the first event
  beforeEach(async () => void (await write(await claim())));

  it('is one request when the writer knows the intent, and its event is number one', async () => {
    const claimed = await claim();
    assert.equal(await write(claimed), true);
    assert.equal(seen.length, 1);
    assert.equal((await ledger.order(claimed.order.request_id))?.sending, 'answered');
    assert.deepEqual(await sequencesOf(claimed), [1]);
    assert.equal(await countOf(claimed), 1);
  });

  it('is listed as a change of its order', async () => {
    const { cursor } = await ledger.changes(null);
    const claimed = await claim();
    await write(claimed);
    const { changed } = await ledger.changes(cursor);
    const { intent_id, request_id } = claimed.order;
    assert.deepEqual(changed, [{ intent_id, request_id, version: 2, closed_at: null }]);
  });

  it('writes nothing when another writer was faster', async () => {
    const claimed = await claim();
    await ledger.replaceOrder(answered(claimed, { order_no: 'P1' }));
    assert.equal(await write(claimed, { order_no: 'P2' }), false);
    assert.equal((await ledger.order(claimed.order.request_id))?.order_no, 'P1');
    assert.deepEqual(await sequencesOf(claimed), []);
  });

  it('numbers its event after an event that was written since the claim', async () => {
    const claimed = await claim();
    await ledger.replaceOrder(answered(claimed), eventsFor);
    assert.equal(await write(claimed, { version: 3 }), true);
    assert.deepEqual(await sequencesOf(claimed), [1, 2]);
    assert.equal(await countOf(claimed), 2);
  });

  it('tells in its event that the intent was closed since the claim', async () => {
    const claimed = await claim();
    await ledger.closeIntent(claimed.intent, { at: 20, reason: null });
    assert.equal(await write(claimed), true);
    assert.deepEqual(
      (await eventsOf(claimed)).map(({ closed }) => closed),
      [true],
    );
  });

  it('contains the new epoch after a restored ledger got one', async () => {
    await ledger.writeSetting('epoch', 'of the restored ledger');
    const claimed = await claim();
    assert.equal(await write(claimed), true);
    assert.deepEqual(
      (await eventsOf(claimed)).map(({ epoch }) => epoch),
      ['of the restored ledger'],
    );
    const next = await claim();
    await write(next);
    assert.equal(seen.length, 1);
  });

  it('is two requests when the writer has not read the intent', async () => {
    const { order } = await claim();
    assert.equal(await ledger.replaceOrder(answered({ order }), eventsFor), true);
    assert.equal(seen.length, 2);
    assert.deepEqual(await sequencesOf({ order }), [1]);
  });

  it('is one request when it has no event', async () => {
    const { order } = await claim();
    assert.equal(await ledger.replaceOrder(answered({ order })), true);
    assert.equal(await ledger.replaceOrder(answered({ order })), false);
    assert.equal(seen.length, 2);
    assert.equal((await ledger.order(order.request_id))?.version, 2);
  });

  it('records the first payment of the intent, and tells its event of it', async () => {
    const claimed = await claim();
    await write(claimed, { outcome: 'succeeded' });
    assert.equal(seen.length, 1);
    const { request_id } = claimed.order;
    assert.equal(await payerOf(claimed), request_id);
    assert.deepEqual(
      (await eventsOf(claimed)).map(({ paidBy }) => paidBy),
      [request_id],
    );
  });

  it('records the payment of a change without an event', async () => {
    const { order } = await claim();
    await ledger.replaceOrder(answered({ order }, { outcome: 'succeeded' }));
    assert.equal(await payerOf({ order }), order.request_id);
  });

  it('keeps the first payment when another order of the intent is paid too', async () => {
    const { intent, order } = await claim();
    const next = { ...order, request_id: `${order.request_id}.2`, ordinal: 2 };
    await ledger.claimOrder({ intent, order: next, after: order.request_id });
    const paid = { outcome: 'succeeded', sending: 'answered', version: 2 } as const;
    for (const each of [order, next]) await ledger.replaceOrder({ ...each, ...paid }, eventsFor);
    assert.equal(await payerOf({ order }), order.request_id);
    assert.deepEqual(
      (await eventsOf({ order })).map(({ paidBy, sequence }) => [paidBy, sequence]),
      [
        [order.request_id, 1],
        [order.request_id, 2],
      ],
    );
  });

  it('knows the order that replaced it since the claim', async () => {
    const claimed = await claim();
    const { intent, order } = claimed;
    const next = { ...order, request_id: `${order.request_id}.2`, ordinal: 2 };
    await ledger.claimOrder({ intent, order: next, after: order.request_id });
    assert.equal(await write(claimed), true);
    assert.deepEqual(
      (await eventsOf(claimed)).map(({ current }) => current),
      [next.request_id],
    );
  });

  /** Writes while another transaction has locked the rows that it changes, until its commit. */
  async function writeDuring(
    changes: readonly string[],
    claimed: Claimed,
    outcome: OrderRow['outcome'] = 'pending',
  ): Promise<void> {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin');
    const { intent_id } = claimed.order;
    for (const change of changes)
      await other.query(`update ${change} where intent_id = $1`, [intent_id]);
    const writing = write(claimed, { outcome });
    await until(async () => {
      const { rows } = await other.query(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    }, 'the write waits for the other transaction');
    await other.query('commit');
    await other.end();
    assert.equal(await writing, true);
  }

  it('loses no event of another transaction that counts one at the same moment', async () => {
    const claimed = await claim();
    await writeDuring(['intents set event_count = event_count + 1'], claimed);
    assert.deepEqual(await sequencesOf(claimed), [2]);
    assert.equal(await countOf(claimed), 2);
    assert.equal((await ledger.order(claimed.order.request_id))?.version, 2);
  });

  it('is written after a lease of its order at the same moment', async () => {
    const claimed = await claim();
    await writeDuring(['orders set asked_at = 20, next_check_at = 30'], claimed);
    assert.deepEqual(await sequencesOf(claimed), [1]);
    assert.equal((await ledger.order(claimed.order.request_id))?.version, 2);
  });

  it('sees a close and another current order of the same moment', async () => {
    for (const [changes, expected] of [
      [['intents set closed_at = 20'], { closed: true }],
      // a close also writes the orders of the intent
      [['orders set changed_in = 1', 'intents set closed_at = 20'], { closed: true }],
      [["intents set current_request_id = 'other'"], { current: 'other' }],
    ] as const) {
      const claimed = await claim();
      await writeDuring(changes, claimed);
      const [event, ...more] = await eventsOf(claimed);
      assert.deepEqual({ ...event, ...expected }, event);
      assert.deepEqual(more, []);
    }
  });

  it('keeps a payment of the same moment, although its order succeeded too', async () => {
    const claimed = await claim();
    await writeDuring(["intents set paid_request_id = 'other'"], claimed, 'succeeded');
    assert.equal(await payerOf(claimed), 'other');
    assert.deepEqual(
      (await eventsOf(claimed)).map(({ paidBy }) => paidBy),
      ['other'],
    );
  });
});
