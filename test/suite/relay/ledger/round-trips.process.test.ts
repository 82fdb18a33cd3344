/** How many requests PostgreSQL answers for an order and for its most frequent writes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { GENERATION, GenerationError } from '../../../../relay/ledger/ledger-errors.js';
import type { IntentRow, NewShopEvent, OrderRow } from '../../../../relay/ledger/rows.js';
import { postgresLedger } from '../../../../relay/ledger/postgres/postgres-ledger.js';
import { RECORD } from '../../../../relay/ledger/tables/record.js';
import { discardSilent } from '../../../../relay/node/open-ledger.js';
import { manualClock } from '../../support/manual-clock.js';
import { observedPool } from '../../support/observed-ledger.js';
import { poolOf, startPostgres, type Postgres } from '../../support/postgres.js';
import { createWorld, openIntent, until } from '../../support/world.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { claimOrder, findOrder, replaceOrder } from '../../support/ledger-calls.js';

let postgres: Postgres;
let ledger: Ledger;
const seen: string[] = [];
before(async () => {
  postgres = await startPostgres({ syncs: false });
  const pool = discardSilent(poolOf({ connectionString: await postgres.database() }));
  ledger = await postgresLedger(observedPool(pool, ({ sql }) => seen.push(sql)));
  // the first change also reads the epoch
  await claim('first');
});
after(async () => {
  await ledger.close();
  await postgres.stop();
});

const intentOf = (id: string): IntentRow => ({ ...freshIntent, intent_id: id, created_at: 10 });
const orderOf = (id: string, change: Partial<OrderRow> = {}): OrderRow => {
  return { ...fresh, request_id: id, intent_id: id, ...change };
};
const eventOf = (id: string): NewShopEvent => ({
  event_id: `event of ${id}`,
  intent_id: id,
  sequence: 1,
  type: 'order.created',
  body: '{}',
  created_at: 10,
  next_try_at: null,
  traceparent: null,
});
const claim = (id: string): ReturnType<typeof claimOrder> =>
  claimOrder(ledger, { intent: intentOf(id), order: orderOf(id), after: null, known: null });

const firstWordsOf = (sql: string): string => sql.trim().split(/\s+/).slice(0, 4).join(' ');

describe('the requests to PostgreSQL', () => {
  it('are one for the first order of a new intent', async () => {
    seen.length = 0;
    const claimed = await claim('a');
    assert.equal(seen.length, 1);
    assert.equal(claimed.claimed, true);
    assert.equal(claimed.intent.current_request_id, 'a');
    assert.equal((await findOrder(ledger, 'a'))?.request_id, 'a');
    assert.equal((await claim('a')).claimed, false);
  });

  it('are one for a browser’s first pay by a link with several uses', async () => {
    const pay_link_id = 'pl_aaaaaaaaaaaaaaaa';
    const id = `${pay_link_id}-${'b'.repeat(26)}`;
    const never = { revoked_at: null, revoked_by: null, erased_at: null, erased_by: null };
    const times = { created_at: 10, expires_at: 1000, ...never };
    await ledger.addPayLink({
      pay_link_id,
      token_digest: 'd',
      terms: '{}',
      uses: 2,
      used: 0,
      ...times,
    });
    seen.length = 0;
    const payLink = { pay_link_id, now: 10 };
    const order = { intent: intentOf(id), order: orderOf(id), after: null };
    assert.equal((await claimOrder(ledger, { ...order, known: null, payLink })).claimed, true);
    assert.equal(seen.length, 1);
    assert.equal((await ledger.payLink('d'))?.used, 1);
  });

  it('are a read of the intent, and one for a change with its event', async () => {
    await claim('b');
    seen.length = 0;
    const paid = orderOf('b', { outcome: 'succeeded', version: fresh.version + 1 });
    const written = await replaceOrder(ledger, paid, ({ event_count, paid_request_id }) => {
      assert.deepEqual([event_count, paid_request_id], [0, 'b']);
      return [eventOf('b')];
    });
    assert.equal(written, true);
    assert.equal(seen.length, 2);
    assert.equal((await ledger.intent('b'))?.event_count, 1);
  });

  it('are one for a change of an intent that its caller knows', async () => {
    const { intent: claimedIn } = await claim('k');
    seen.length = 0;
    const answered = orderOf('k', { sending: 'answered', version: fresh.version + 1 });
    await replaceOrder(ledger, answered, () => [eventOf('k')], { known: claimedIn });
    assert.equal(seen.length, 1);
  });

  it('are two for a scheduled query whose answer says nothing new', async () => {
    await claim('q');
    seen.length = 0;
    const asked = await ledger.claimQuerySlot('q', 100, 0);
    assert.equal(asked && (await ledger.postpone(asked.intent, 5000, 100)), true);
    assert.equal(seen.length, 2);
  });

  it('are two for the events that are due, none of which is leased twice', async () => {
    for (const id of ['f', 'g', 'h']) {
      await claim(id);
      const changed = orderOf(id, { version: fresh.version + 1 });
      await replaceOrder(ledger, changed, () => [{ ...eventOf(id), next_try_at: 100 }]);
    }
    seen.length = 0;
    const leases = await Promise.all([
      ledger.leaseDueEvents(100, 500, 2),
      ledger.leaseDueEvents(100, 500, 2),
      ledger.leaseDueEvents(99, 500, 2),
    ]);
    // the third call finds nothing
    assert.equal(seen.length, 2 + 2 + 1);
    const ids = leases.flat().map(({ event_id }) => event_id);
    assert.deepEqual(ids.sort(), ['event of f', 'event of g', 'event of h']);
    assert.ok(leases.every((events) => events.length <= 2));
    assert.deepEqual(await ledger.leaseDueEvents(499, 900, 10), []);
    assert.equal((await ledger.leaseDueEvents(500, 900, 10)).length, 3);
  });

  it('write nothing when another writer was faster', async () => {
    await claim('c');
    const stale = orderOf('c', { outcome: 'succeeded', version: fresh.version + 5 });
    assert.equal(await replaceOrder(ledger, stale, () => [eventOf('c')]), false);
    const { event_count, paid_request_id } = (await ledger.intent('c')) ?? {};
    assert.deepEqual([event_count, paid_request_id], [0, null]);
  });

  it('keep the first payment of an intent', async () => {
    await claim('d');
    const second = orderOf('d.2', { intent_id: 'd', ordinal: 2 });
    await claimOrder(ledger, { intent: intentOf('d'), order: second, after: 'd' });
    const version = fresh.version + 1;
    const first = orderOf('d', { outcome: 'succeeded', version });
    await replaceOrder(ledger, first, () => [eventOf('d')]);
    const later: OrderRow = { ...second, outcome: 'succeeded', version };
    await replaceOrder(ledger, later, () => [{ ...eventOf('d'), event_id: 'e2', sequence: 2 }]);
    const { event_count, paid_request_id } = (await ledger.intent('d')) ?? {};
    assert.deepEqual([event_count, paid_request_id], [2, 'd']);
  });

  it('claim nothing when a newer relay has used the ledger', async () => {
    await ledger.writeSetting('generation', String(GENERATION + 1));
    await assert.rejects(claim('e'), GenerationError);
    assert.equal(await ledger.intent('e'), null);
    assert.equal(await findOrder(ledger, 'e'), null);
    await ledger.writeSetting('generation', String(GENERATION));
  });

  it('are three for a page’s pay, and three for a webhook that tells of its payment', async () => {
    const clock = manualClock();
    const world = createWorld({ ledger, clock });
    const placeOrder = async (): Promise<string> => {
      const pay = { ...openIntent, option: 'qr', attempt: crypto.randomUUID() };
      return (await world.ask('/v1/pay', pay)).body.order?.request_id ?? '';
    };
    // the first pay also reads the settings
    await placeOrder();
    seen.length = 0;
    const request_id = await placeOrder();
    assert.deepEqual(seen.map(firstWordsOf), [
      `select ${RECORD} from intents`,
      'with changed as (insert',
      'with changed as (update',
    ]);
    await clock.advance(1500);
    seen.length = 0;
    world.sandbox.orders.act(world.sandbox.orders.byRequest(request_id)!, 'confirm');
    await until(() => seen.at(-1)?.includes('with changed as') === true, 'the answer is written');
    assert.deepEqual(seen.map(firstWordsOf), [
      `select ${RECORD} from requests`,
      'update requests set asked_at',
      'with changed as (update',
    ]);
    // the statement was seen when it was sent, before its commit
    const outcome = async () => (await findOrder(ledger, request_id))?.outcome;
    await until(async () => (await outcome()) === 'succeeded', 'the payment is committed');
    // in the statement that takes the slot
    assert.equal((await ledger.signalsOf([request_id])).get(request_id)?.count, 1);
  });
});
