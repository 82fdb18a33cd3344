/** Runs the same tests on every kind of ledger. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import type { Intent, OrderInIntent, Rule } from '../../../../relay/ledger/intent.js';
import type { Ledger, LeasedEvent } from '../../../../relay/ledger/ledger.js';
import type { Place } from '../../../../relay/ledger/operator-ledger.js';
import { GENERATION, GenerationError } from '../../../../relay/ledger/ledger-errors.js';
import type { Position } from '../../../../relay/ledger/shop-ledger.js';
import type { IntentRow, NewShopEvent, OrderRow } from '../../../../relay/ledger/rows.js';
import { claiming, erasing } from '../../../../relay/ledger/rules.js';
import { until } from '../../support/world.js';
import { missingPgbouncer, startPgbouncer, type Pgbouncer } from '../../support/pgbouncer.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { closingLedgers } from '../../support/closing-ledgers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { assertCounted, histories, runHistory } from './count-histories.js';
import {
  addLostOrder,
  askedAt,
  claimOrder,
  closeIntent,
  findOrder,
  orderInIntent,
  ordersOf,
  purge,
  purgeUnsent,
  reclaimOrder,
  replaceOrder,
  resendAll,
  settleUnpaid,
  withoutHistory,
} from '../../support/ledger-calls.js';

const folder = temporaryFolder('ledger');
const openLedger = closingLedgers();

const CREATED_AT = 1_800_000_000_000;
const intent = (id: string): IntentRow => ({
  ...freshIntent,
  intent_id: id,
  amount: '100000000000000000.000000000000000001',
  product_name: 'A “thing”',
  created_at: CREATED_AT,
});
/** The version of an intent that was written so often. */
const written = (times: number): number => CREATED_AT + times;
/** The intent without what the ledger adds to it. */
const rowOf = (found: Intent | null): IntentRow | null => {
  if (!found) return null;
  const { orders: _orders, resolutions: _resolutions, version: _version, ...row } = found;
  return row;
};
const claim = (
  ledger: Ledger,
  order: OrderRow,
  after: string | null = null,
  opened: Partial<IntentRow> = {},
): ReturnType<typeof claimOrder> =>
  claimOrder(ledger, { intent: { ...intent(order.intent_id), ...opened }, order, after });
const order = (id: string, ordinal = 1): OrderRow => ({
  ...fresh,
  request_id: ordinal === 1 ? id : `${id}.${ordinal}`,
  intent_id: id,
  ordinal,
  open_amount: true,
  created_at: CREATED_AT,
  next_check_at: CREATED_AT + 500,
});

/** An old order that is not followed any more. */
const over = (id: string, created_at = 10): OrderRow => ({
  ...order(id),
  created_at,
  next_check_at: null,
});

const event = (id: string, name: string, sequence: number): NewShopEvent => ({
  event_id: `${id}-${name}`,
  intent_id: id,
  sequence,
  type: 'order.created',
  body: '{}',
  created_at: 100,
  next_try_at: 100,
  traceparent: null,
});
const leased = (event_id: string, next_try_at: number, tries = 0): LeasedEvent => {
  return { event_id, next_try_at, tries };
};
/** The columns of an answered order that were written while the clock was ahead. */
const writtenAhead = (at: number): Partial<OrderRow> => ({
  sending: 'answered',
  created_at: at + 500_000,
  next_check_at: at + 600_000,
});

let running: Promise<Postgres> | undefined;
const postgres = (): Promise<Postgres> => (running ??= startPostgres({ syncs: false }));
let pooling: Promise<Pgbouncer> | undefined;
/** A pool of four connections, so that the statements of one ledger use different connections. */
const pooled = async (url: string): Promise<string> =>
  (await (pooling ??= startPgbouncer(url, 4))).through(url);
after(async () => {
  (await pooling)?.stop();
  await (await running)?.stop();
});

let files = 0;
const ledgers: Record<string, () => Promise<Ledger>> = {
  memory: () => openLedger('memory:'),
  sqlite: () => openLedger(`sqlite:${join(folder, `${files++}.db`)}`),
  postgres: async () => openLedger(await (await postgres()).ledger()),
  pgbouncer: async () => openLedger(await pooled(await (await postgres()).ledger())),
};

for (const [name, open] of Object.entries(ledgers))
  describe(`ledger ${name}`, { skip: name === 'pgbouncer' && missingPgbouncer }, () => {
    it('keeps the first intent unchanged when a second one has the same id', async () => {
      const ledger = await open();
      const first = await claim(ledger, order('i1'));
      assert.deepEqual(rowOf(first.intent), { ...intent('i1'), current_request_id: 'i1' });
      const other = { content: 'other', amount: '1' };
      const second = await claim(ledger, order('i1', 2), 'i1', other);
      assert.deepEqual([second.claimed, second.intent], [false, first.intent]);
      assert.deepEqual(await ledger.intent('i1'), first.intent);
      assert.equal(await ledger.intent('nobody'), null);
    });

    it('refuses a claim of a paid intent, and keeps its first payment', async () => {
      const ledger = await open();
      await claim(ledger, order('p'));
      await claim(ledger, order('p', 2), 'p');
      const paid = { outcome: 'succeeded', version: 2 } as const;
      assert.equal(await replaceOrder(ledger, { ...order('p', 2), ...paid }), true);
      assert.equal(await replaceOrder(ledger, { ...order('p'), ...paid }), true);
      assert.equal((await ledger.intent('p'))?.paid_request_id, 'p.2');
      const refused = await claim(ledger, order('p', 3), 'p.2');
      assert.deepEqual([refused.claimed, refused.order?.request_id], [false, 'p.2']);
    });

    it('gives the place of a payment that is to be paid back to the next good one', async () => {
      const ledger = await open();
      await claim(ledger, order('b'));
      await claim(ledger, order('b', 2), 'b');
      await claim(ledger, order('b', 3), 'b.2');
      const firstAfter = async (
        ordinal: number,
        version: number,
        resolved_as: OrderRow['resolved_as'],
      ) => {
        const paid = { outcome: 'succeeded', resolved_as, version } as const;
        assert.equal(await replaceOrder(ledger, { ...order('b', ordinal), ...paid }), true);
        return (await ledger.intent('b'))?.paid_request_id;
      };
      assert.equal(await firstAfter(1, 2, 'failed'), 'b');
      assert.equal(await firstAfter(2, 2, 'failed'), 'b');
      // the shop was told to refund it
      assert.equal(await firstAfter(2, 3, 'succeeded'), 'b');
      assert.equal(await firstAfter(3, 2, null), 'b.3');
      assert.deepEqual(await ledger.verify(), []);
    });

    it('asks a rule again that refuses an epoch from before a restore', async () => {
      const ledger = await open();
      await claim(ledger, order('a'));
      await ledger.writeSetting('epoch', 'restored');
      const claims = claiming({ intent: intent('b'), order: order('b'), after: null }, 1);
      const rule: Rule = (known, epoch) => {
        if (epoch !== 'restored') throw new Error('an old epoch');
        return claims(known, epoch);
      };
      assert.equal((await ledger.change('b', rule, { known: null })).result, 'written');
    });

    it('accepts one of many concurrent claims, and gives its order to the others', async () => {
      const ledger = await open();
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          claim(ledger, { ...order('i2'), option: `o${index}` }, null),
        ),
      );
      assert.equal(claims.filter(({ claimed }) => claimed).length, 1);
      assert.equal(new Set(claims.map(({ order: current }) => current?.option)).size, 1);
      assert.equal((await ordersOf(ledger, 'i2')).length, 1);
    });

    it('replaces the current order only when the claim names it', async () => {
      const ledger = await open();
      await claim(ledger, order('i3'));
      assert.equal((await claim(ledger, order('i3', 2), 'somebody-else')).claimed, false);
      assert.equal((await claim(ledger, order('i3', 2), 'i3')).claimed, true);
      assert.equal((await ledger.intent('i3'))?.current_request_id, 'i3.2');
      assert.deepEqual(
        (await ordersOf(ledger, 'i3')).map(({ request_id }) => request_id),
        ['i3', 'i3.2'],
      );
    });

    it('reads an order together with its intent and the other orders of the intent', async () => {
      const ledger = await open();
      await claim(ledger, order('near'));
      await claim(ledger, order('near', 2), 'near');
      await claim(ledger, order('far'));
      const paid = { ...order('near'), outcome: 'succeeded', version: 2 } as const;
      await replaceOrder(ledger, paid);
      await closeIntent(ledger, intent('near'), { at: 7, reason: null });
      const [first, second] = [await findOrder(ledger, 'near'), await findOrder(ledger, 'near.2')];
      assert.deepEqual(await orderInIntent(ledger, 'near.2'), {
        order: second,
        others: [first],
        closed_at: null,
        paid_request_id: 'near',
      });
      assert.deepEqual((await orderInIntent(ledger, 'near'))?.others, [second]);
      await closeIntent(ledger, intent('far'), { at: 7, reason: null });
      const alone = { others: [], closed_at: 7, paid_request_id: null };
      assert.deepEqual(await orderInIntent(ledger, 'far'), {
        order: await findOrder(ledger, 'far'),
        ...alone,
      });
      assert.equal(await orderInIntent(ledger, 'nobody'), null);
    });

    it('replaces a row only when its version is the one that was read', async () => {
      const ledger = await open();
      await claim(ledger, order('i4'));
      const next: OrderRow = {
        ...order('i4'),
        version: 2,
        status: 11,
        late: true,
        next_action: { kind: 'scan_qr', qrcode_string: 'ü"\'' },
      };
      assert.equal(await replaceOrder(ledger, next), true);
      assert.equal(await replaceOrder(ledger, next), false);
      assert.deepEqual(withoutHistory((await findOrder(ledger, 'i4'))!), next);
    });

    it('drops the link of an order once it stays replaced', async () => {
      const ledger = await open();
      const next_action = { kind: 'scan_qr', qrcode_string: 'qr' } as const;
      await claim(ledger, { ...order('link'), next_action });
      await claim(ledger, { ...order('link', 2), next_action }, 'link');
      const linksOf = async () =>
        (await ordersOf(ledger, 'link')).map((each) => each.next_action?.kind);
      assert.deepEqual(await linksOf(), ['scan_qr', 'scan_qr']);
      const second: OrderRow = { ...order('link', 2), next_action, sending: 'unsent', version: 2 };
      await replaceOrder(ledger, second);
      assert.deepEqual(await linksOf(), ['scan_qr', 'scan_qr']);
      await reclaimOrder(ledger, second);
      await replaceOrder(ledger, { ...second, sending: 'answered', version: 4 });
      assert.deepEqual(await linksOf(), [undefined, 'scan_qr']);
    });

    it('applies the rule to the stored intent when its caller knows an older one', async () => {
      const ledger = await open();
      const { intent: known } = await claim(ledger, order('known'));
      await replaceOrder(ledger, { ...order('known'), option: 'qr2', version: 2 });
      const seen: string[] = [];
      const { intent: written } = await ledger.change(
        'known',
        (stored) => {
          seen.push(stored?.orders[0]?.option ?? '');
          return stored && { intent: stored, events: [event('known', `e${seen.length}`, 1)] };
        },
        { known },
      );
      assert.equal(seen.at(-1), 'qr2');
      assert.equal(written?.orders[0]?.option, 'qr2');
      const { rows } = await ledger.listEvents(null, 10, { intentId: 'known' });
      assert.deepEqual(
        rows.map(({ event_id }) => event_id),
        [`known-e${seen.length}`],
      );
    });

    it('writes no order that it does not have', async () => {
      const ledger = await open();
      const unknown = { ...order('unknown'), version: 2 };
      assert.equal(await replaceOrder(ledger, unknown), false);
      assert.equal(await reclaimOrder(ledger, unknown), false);
      assert.equal(await findOrder(ledger, 'unknown'), null);
    });

    it('leases due orders in the order of their due time', async () => {
      const ledger = await open();
      for (const [id, at] of [
        ['a', 30],
        ['b', 10],
        ['c', null],
        ['d', 90],
      ] as const) {
        await claim(ledger, { ...order(id), next_check_at: at });
      }
      const take = async (limit: number): Promise<string[]> =>
        (await ledger.leaseDueOrders(50, 80, limit)).map(({ request_id }) => request_id);
      assert.deepEqual(await take(1), ['b']);
      assert.deepEqual(await take(10), ['a']);
      assert.deepEqual(await take(10), []);
      assert.equal((await ledger.leaseDueOrders(85, 100, 10)).length, 2);
    });

    it('leases each due order once when many callers ask at the same time', async () => {
      const ledger = await open();
      for (const id of ['a', 'b']) await claim(ledger, { ...order(id), next_check_at: 30 });
      const taken = await Promise.all(
        Array.from({ length: 8 }, () => ledger.leaseDueOrders(50, 80, 10)),
      );
      assert.deepEqual(
        taken
          .flat()
          .map(({ request_id }) => request_id)
          .sort(),
        ['a', 'b'],
      );
    });

    it('gives one query slot per interval, and one at once when the clock steps back', async () => {
      const ledger = await open();
      await claim(ledger, order('slot'));
      const take = (now: number, minGapMs: number) => ledger.claimQuerySlot('slot', now, minGapMs);
      const asks = await Promise.all(Array.from({ length: 8 }, () => take(1000, 500)));
      assert.deepEqual(
        asks.flatMap((answer) => (answer ? withoutHistory(answer.order) : [])),
        [order('slot')],
      );
      assert.equal(await take(1499, 500), null);
      assert.notEqual(await take(1500, 500), null);
      assert.notEqual(await take(1500, 0), null);
      // the clock has stepped back since then
      assert.notEqual(await take(700, 500), null);
      const written = { ...order('slot'), version: 2, checked_at: 650 };
      await replaceOrder(ledger, written);
      const taken = await take(1300, 500);
      assert.deepEqual(taken && withoutHistory(taken.order), written);
    });

    it('adds signals to an order with its query slot, and to none without one', async () => {
      const ledger = await open();
      await claim(ledger, order('slot'));
      await claim(ledger, order('quiet'));
      const before = await ledger.find('slot');
      const take = (now: number, first: number, last: number) =>
        ledger.claimQuerySlot('slot', now, 500, { first, last, count: 2 });
      await ledger.claimQuerySlot('slot', 100, 500);
      assert.equal((await ledger.signalsOf(['slot', 'quiet'])).size, 0);
      assert.notEqual(await take(1000, 900, 950), null);
      assert.equal(await take(1100, 1050, 1060), null);
      // another relay has counted earlier signals
      assert.notEqual(await take(2000, 700, 800), null);
      await ledger.claimQuerySlot('slot', 3000, 500);
      const signals = await ledger.signalsOf(['slot', 'quiet', 'unknown']);
      assert.deepEqual([...signals], [['slot', { first: 700, last: 950, count: 4 }]]);
      assert.equal((await ledger.find('slot'))?.intent.version, before?.intent.version);
    });

    it('postpones the check of an order, and reports no change', async () => {
      const ledger = await open();
      await claim(ledger, { ...order('slot'), next_check_at: 900 });
      const { cursor } = await ledger.changes(null);
      const intent = (await ledger.find('slot'))?.intent;
      assert.equal(await ledger.postpone(intent!, 3000, 1000), true);
      const later = await ledger.find('slot');
      const postponed = { ...order('slot'), next_check_at: 3000 };
      assert.deepEqual(later && withoutHistory(later.order), postponed);
      assert.equal(later?.intent.version, intent?.version);
      assert.deepEqual((await ledger.changes(cursor)).changed, []);
      assert.deepEqual(await ledger.leaseDueOrders(2999, 9000, 10), []);
      assert.equal((await ledger.leaseDueOrders(3000, 9000, 10)).length, 1);
    });

    it('postpones no order of an intent that was written meanwhile', async () => {
      const ledger = await open();
      await claim(ledger, { ...order('slot'), next_check_at: 900 });
      const intent = (await ledger.find('slot'))?.intent;
      const written = { ...order('slot'), next_check_at: 1500, version: 2 };
      await replaceOrder(ledger, written);
      assert.equal(await ledger.postpone(intent!, 3000, 1000), false);
      assert.deepEqual(withoutHistory((await findOrder(ledger, 'slot'))!), written);
    });

    it('reports each change once', async () => {
      const ledger = await open();
      await claim(ledger, order('old'));
      let { cursor, changed } = await ledger.changes(null);
      assert.deepEqual(changed, []);
      for (const id of ['1n', 'n2']) await claim(ledger, order(id));
      ({ cursor, changed } = await ledger.changes(cursor));
      assert.deepEqual(changed.map(({ intent_id }) => intent_id).sort(), ['1n', 'n2']);
      await replaceOrder(ledger, { ...order('old'), version: 2 });
      ({ cursor, changed } = await ledger.changes(cursor));
      assert.deepEqual(changed, [{ intent_id: 'old', version: written(2) }]);
      assert.deepEqual((await ledger.changes(cursor)).changed, []);
    });

    it('reports no change of an order that was deleted since', async () => {
      const ledger = await open();
      const { cursor } = await ledger.changes(null);
      await claim(ledger, over('deleted'), null, { created_at: 10 });
      await claim(ledger, order('kept'));
      assert.equal(await purge(ledger, 50, 10), 1);
      const { changed } = await ledger.changes(cursor);
      assert.deepEqual(changed, [{ intent_id: 'kept', version: written(1) }]);
    });

    it('reports changes after a restored backup numbers its writes lower', async () => {
      for (const lost of [1, 2]) {
        const [ledger, restored] = [await open(), await open()];
        for (let count = 1; count <= lost; count++) await claim(ledger, order(`z${count}`));
        const first = (await ledger.changes(null)).cursor;
        await replaceOrder(ledger, { ...order(`z${lost}`), version: 2 });
        const before = (await ledger.changes(first)).cursor;
        await claim(restored, order('a'));
        const after = await restored.changes(before);
        await claim(restored, order('0b'));
        const next = await restored.changes(after.cursor);
        assert.ok(next.changed.some(({ intent_id }) => intent_id === '0b'));
      }
    });

    it('counts the heartbeats of each relay, and forgets a relay without new ones', async () => {
      const ledger = await open();
      assert.deepEqual([...(await ledger.heartbeat('one'))], [['one', 1]]);
      await ledger.heartbeat('two');
      assert.deepEqual(
        new Map(await ledger.heartbeat('two')),
        new Map([
          ['one', 1],
          ['two', 2],
        ]),
      );
      await ledger.forgetInstance('two', 1);
      await ledger.forgetInstance('one', 1);
      assert.deepEqual([...(await ledger.heartbeat('two'))], [['two', 3]]);
    });

    it('deletes old intents with their orders and events', async () => {
      const ledger = await open();
      for (const [id, created_at] of [
        ['p1', 10],
        ['p2', 20],
        ['p3', 90],
      ] as const) {
        await claim(ledger, over(id, created_at), null, { created_at });
        await replaceOrder(ledger, { ...over(id, created_at), version: 2 }, () => [
          { ...event(id, 'created', 1), created_at, next_try_at: id === 'p3' ? 100 : null },
        ]);
      }
      assert.equal(await purge(ledger, 50, 1), 1);
      assert.equal(await purge(ledger, 50, 10), 1);
      assert.deepEqual(
        [await ledger.intent('p1'), await findOrder(ledger, 'p2'), (await ledger.outbox()).waiting],
        [null, null, 1],
      );
      assert.equal((await findOrder(ledger, 'p3'))?.version, 2);
    });

    it('keeps an old intent with an event to deliver, and one that a person must see', async () => {
      const ledger = await open();
      const told = (id: string, next_try_at: number | null, created_at: number) => () => [
        { ...event(id, 'created', 1), created_at, next_try_at },
      ];
      for (const id of ['waiting', 'told', 'never told', 'review'])
        await claim(ledger, over(id), null, { created_at: 10 });
      await replaceOrder(ledger, { ...over('waiting'), version: 2 }, told('waiting', 99, 50));
      await replaceOrder(ledger, { ...over('told'), version: 2 }, told('told', null, 50));
      await replaceOrder(ledger, { ...over('never told'), version: 2 }, told('never told', 99, 49));
      const review = { outcome: 'review', review_reason: 'amount_mismatch', version: 2 } as const;
      await replaceOrder(ledger, { ...over('review'), ...review });
      await claim(ledger, order('newest'));
      assert.equal(await purge(ledger, 50, 10), 2);
      const kept = ['waiting', 'told', 'never told', 'review'].map((id) => ledger.intent(id));
      const found = (await Promise.all(kept)).flatMap((each) => each?.intent_id ?? []);
      assert.deepEqual(found, ['waiting', 'review']);
      assert.equal((await ledger.listEvents(null, 9)).rows.length, 1);
    });

    it('forgets the customer of an intent whose erase was interrupted before a purge', async () => {
      const ledger = await open();
      const opened = { created_at: 10, customer_ref_id: 'alice' };
      for (const id of ['gone', 'kept']) await claim(ledger, over(id), null, opened);
      await claim(ledger, order('newest'));
      await ledger.change('gone', erasing({ at: 20, by: 'Ben' }));
      await replaceOrder(ledger, { ...over('kept'), next_check_at: 90, version: 2 });
      assert.equal(await purge(ledger, 50, 10), 1);
      // in memory nothing but the intent knows the customer
      assert.equal(await ledger.forgetCustomer('alice', []), name !== 'memory');
      assert.equal(await ledger.forgetCustomer('alice', []), false);
      const found = await ledger.intentsOfCustomer('alice', '', 9);
      assert.deepEqual(
        found.map(({ intent_id }) => intent_id),
        ['kept'],
      );
    });

    it('keeps an old intent with a younger order or a check that is due', async () => {
      const ledger = await open();
      const opened = { created_at: 10 };
      const pending = { ...over('again'), sending: 'answered', version: 2 } as const;
      await claim(ledger, over('again'), null, opened);
      await replaceOrder(ledger, pending);
      await claim(ledger, { ...order('again', 2), next_check_at: null }, 'again');
      await claim(ledger, { ...over('due'), next_check_at: 40 }, null, opened);
      // those that stay come first, and all were created at the same time
      await claim(ledger, over('gone'), null, opened);
      await claim(ledger, over('gone too'), null, opened);
      await claim(ledger, order('newest'));
      let deleted = 0;
      for (let after: Place | null | undefined; after !== null;) {
        const step = await ledger.purge(50, 1, after ?? null);
        deleted += step.deleted;
        after = step.next;
      }
      assert.equal(deleted, 2);
      const kept = ['again', 'due', 'gone', 'gone too'].map((id) => ledger.intent(id));
      const found = (await Promise.all(kept)).flatMap((each) => each?.intent_id ?? []);
      assert.deepEqual(found, ['again', 'due']);
    });

    it('deletes the oldest intents first, also among those of which nothing was sent', async () => {
      const ledger = await open();
      const times = { young: 30, old: 10, middle: 20 };
      for (const [id, created_at] of Object.entries(times)) {
        await claim(ledger, { ...order(id), created_at }, null, { created_at });
        const unsent = { sending: 'unsent', next_check_at: null, version: 2 } as const;
        await replaceOrder(ledger, { ...order(id), created_at, ...unsent });
      }
      await claim(ledger, order('newest'));
      const kept = async () => {
        const found = await Promise.all(Object.keys(times).map((id) => ledger.intent(id)));
        return found.flatMap((each) => each?.intent_id ?? []);
      };
      assert.equal(await purge(ledger, 50, 1), 1);
      assert.deepEqual(await kept(), ['young', 'middle']);
      assert.equal(await purgeUnsent(ledger, 50, 1), 1);
      assert.deepEqual(await kept(), ['young']);
    });

    it('forgets when a deleted order was queried, and its signals', async () => {
      const ledger = await open();
      const opened = { created_at: 10 };
      await claim(ledger, over('again'), null, opened);
      const ask = () => ledger.claimQuerySlot('again', 1000, 500);
      await ledger.claimQuerySlot('again', 1000, 500, { first: 900, last: 950, count: 2 });
      assert.equal(await ask(), null);
      await claim(ledger, order('newest'));
      assert.equal(await purge(ledger, 50, 10), 1);
      await claim(ledger, order('again'), null, opened);
      assert.equal((await ledger.signalsOf(['again'])).size, 0);
      assert.equal((await ask())?.order.request_id, 'again');
    });

    it('deletes no intent that was created at the time before which it deletes', async () => {
      const ledger = await open();
      await claim(ledger, { ...order('edge'), created_at: 50 }, null, { created_at: 50 });
      const unsent = { sending: 'unsent', next_check_at: null, version: 2 } as const;
      await replaceOrder(ledger, { ...order('edge'), created_at: 50, ...unsent });
      await claim(ledger, order('newest'));
      assert.deepEqual([await purge(ledger, 50, 10), await purgeUnsent(ledger, 50, 10)], [0, 0]);
      assert.equal(await purgeUnsent(ledger, 51, 10), 1);
      assert.equal(await ledger.intent('edge'), null);
    });

    it('counts orders by hour as their bodies are, after any history', async () => {
      const ledger = await open();
      const runs = fc.asyncProperty(histories, async (history) => {
        await runHistory([ledger, ledger], history);
        await assertCounted(ledger);
      });
      await fc.assert(runs, { numRuns: 15 });
    });

    it('names the intents that have waited for the same thing, the longest first', async () => {
      const ledger = await open();
      for (const [id, created_at] of [
        ['w1', 30],
        ['w2', 10],
        ['w3', 20],
        ['w4', 40],
      ] as const)
        await claim(ledger, { ...order(id), created_at, outcome: 'review' }, null, { created_at });
      await claim(ledger, { ...order('other'), created_at: 5, outcome: 'confirming' });
      const ids = async (until: number, limit: number) =>
        (await ledger.oldestOpen('review', until, limit)).map(({ intent_id }) => intent_id);
      assert.deepEqual(await ids(30, 9), ['w2', 'w3', 'w1']);
      assert.deepEqual(await ids(99, 2), ['w2', 'w3']);
    });

    it('finds no problem in rows that it wrote', async () => {
      const ledger = await open();
      await claim(ledger, order('sound'));
      await replaceOrder(ledger, { ...order('sound'), version: 2 }, (_of, { sequence }) => [
        event('sound', 'told', sequence),
      ]);
      assert.deepEqual(await ledger.verify(), []);
    });

    it('writes events with their change, numbers them, and leases each of them once', async () => {
      const ledger = await open();
      for (const id of ['e1', 'e2']) await claim(ledger, order(id));
      /** What each write told its events, in its last call. */
      const seen: unknown[] = [];
      const write = async (
        id: string,
        version: number,
        name: string,
        outcome: 'pending' | 'succeeded' = 'pending',
      ): Promise<boolean> => {
        let told: unknown = null;
        const changed = { ...order(id), version, outcome };
        const written = await replaceOrder(ledger, changed, (of, { sequence }) => {
          told = [of.paid_request_id, sequence];
          return [event(id, name, sequence)];
        });
        if (written) seen.push(told);
        return written;
      };
      assert.ok(await write('e1', 2, 'first'));
      assert.ok(await write('e1', 3, 'second', 'succeeded'));
      assert.ok(await write('e2', 2, 'first'));
      assert.equal(await write('e2', 2, 'lost race'), false);
      assert.deepEqual(seen, [
        [null, 1],
        ['e1', 2],
        [null, 1],
      ]);

      const takers = await Promise.all([
        ledger.leaseDueEvents(200, 300, 10),
        ledger.leaseDueEvents(200, 300, 10),
      ]);
      const names = (events: { event_id: string }[]): string[] =>
        events.map(({ event_id }) => event_id).sort();
      assert.deepEqual(names(takers.flat()), ['e1-first', 'e1-second', 'e2-first']);
      await ledger.recordDelivery(
        leased('e2-first', 300),
        { nextTryAt: 250, failure: 'HTTP 500' },
        '["refused"]',
      );
      assert.deepEqual(
        (await ledger.leaseDueEvents(260, 400, 10)).map(({ event_id, tries }) => [event_id, tries]),
        [['e2-first', 1]],
      );
      await ledger.recordDelivery(leased('e1-first', 300), { deliveredAt: 265 }, '["taken"]');
      const answersOf = async (id: string) => (await ledger.event(id))?.answers;
      assert.deepEqual(await answersOf('e2-first'), '["refused"]');
      assert.deepEqual(await answersOf('e1-first'), '["taken"]');
      assert.deepEqual(await ledger.outbox(), { waiting: 2, oldest: 100, stopped: 0 });
      // the lease of a crashed relay has ended
      assert.deepEqual(names(await ledger.leaseDueEvents(500, 600, 10)), ['e1-second', 'e2-first']);
    });

    it('makes rows due and shortens a claim when the clock that wrote them was ahead', async () => {
      const ledger = await open();
      const at = 1_000_000;
      const ids = ['ahead', 'slow', 'claim'] as const;
      const sending = { ahead: 'answered', slow: 'answered', claim: 'claimed' } as const;
      for (const id of ids) {
        const created_at = id === 'slow' ? at - 1000 : at + 500_000;
        await claim(ledger, {
          ...order(id),
          sending: sending[id],
          created_at,
          next_check_at: at + 600_000,
        });
      }
      await replaceOrder(
        ledger,
        { ...order('ahead'), ...writtenAhead(at), version: 2 },
        (_of, place) => [{ ...event('ahead', 'late', place.sequence), created_at: at + 500_000 }],
      );
      const longest = { claimMs: 14_000, retryMs: [0, 5000], checkMs: () => 600_000 };
      assert.equal(await ledger.repairSchedules(at, longest, null), null);
      assert.deepEqual(
        await Promise.all(ids.map(async (id) => (await findOrder(ledger, id))?.next_check_at)),
        [at, at + 600_000, at + 14_000],
      );
      assert.equal((await ledger.leaseDueEvents(at, at + 1, 10)).length, 1);
    });

    it('makes an order due that was written ahead, beside an older one that is due', async () => {
      const ledger = await open();
      const at = 1_000_000;
      const answered = {
        sending: 'answered',
        created_at: at - 500,
        next_check_at: at - 100,
      } as const;
      await claim(ledger, { ...order('first'), ...answered });
      await claim(ledger, { ...order('first', 2), ...writtenAhead(at) }, 'first');
      const longest = { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 };
      await ledger.repairSchedules(at, longest, null);
      assert.equal((await findOrder(ledger, 'first.2'))?.next_check_at, at);
    });

    it('lists an order whose schedule it repaired after all others, as a change', async () => {
      const ledger = await open();
      const at = 1_000_000;
      const watched = { sending: 'answered', created_at: at, next_check_at: at } as const;
      await claim(ledger, { ...order('a'), ...watched, next_check_at: at + 600_000 });
      for (const id of ['b', 'c']) await claim(ledger, { ...order(id), ...watched });
      const { cursor } = await ledger.changes(null);
      await ledger.repairSchedules(
        at,
        { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 },
        null,
      );
      const listed: string[] = [];
      for (let last: Position | null = null, more = true; more;) {
        const page: Awaited<ReturnType<Ledger['listOrders']>> = await ledger.listOrders(last, 1);
        listed.push(...page.rows.map((row) => row.order.request_id));
        ({ last, more } = page);
      }
      assert.deepEqual(listed, ['b', 'c', 'a']);
      const { changed } = await ledger.changes(cursor);
      assert.deepEqual(changed, [{ intent_id: 'a', version: written(2) }]);
    });

    it('leaves checks as they are when they come in time', async () => {
      const ledger = await open();
      const at = 1_000_000;
      const orders = {
        due: { sending: 'answered', created_at: at + 500, next_check_at: at - 10 },
        made: { sending: 'answered', created_at: at, next_check_at: at + 5000 },
        claim: { sending: 'claimed', created_at: at - 1000, next_check_at: at + 3000 },
      } as const;
      for (const [id, times] of Object.entries(orders))
        await claim(ledger, { ...order(id), ...times });
      const longest = { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 };
      await ledger.repairSchedules(at, longest, null);
      for (const [id, { next_check_at }] of Object.entries(orders))
        assert.equal((await findOrder(ledger, id))?.next_check_at, next_check_at, id);
    });

    it('makes an order due that was leased while the clock was ahead', async () => {
      const ledger = await open();
      const at = 1_000_000;
      const watched = { sending: 'answered', created_at: at - 1000 } as const;
      await claim(ledger, { ...order('leased'), ...watched, next_check_at: at });
      await claim(ledger, { ...order('later'), ...watched, next_check_at: at + 5000 });
      // the clock is ten minutes ahead, and the process ends before it queries the order
      assert.equal((await ledger.leaseDueOrders(at + 600_000, at + 610_000, 1)).length, 1);
      const longest = { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 };
      await ledger.repairSchedules(at, longest, null);
      const due = (await ledger.leaseDueOrders(at, at + 10_000, 10)).map((each) => each.request_id);
      assert.deepEqual(due, ['leased']);
    });

    it('shortens the wait for a retry that was dated while the clock was ahead', async () => {
      const ledger = await open();
      const at = 1_000_000;
      const longest = { claimMs: 14_000, retryMs: [0, 5000, 300_000], checkMs: () => 5000 };
      await claim(ledger, order('retry'));
      const events = ['first', 'second'] as const;
      await replaceOrder(ledger, { ...order('retry'), version: 2 }, (_of, { sequence }) =>
        events.map((name, index) => event('retry', name, sequence + index)),
      );
      // tried once while the clock was two hours ahead, and twice in its right time
      const ahead = at + 7_200_000;
      await ledger.recordDelivery(leased('retry-first', 100), {
        nextTryAt: ahead + 5000,
        failure: 'HTTP 500',
      });
      await ledger.recordDelivery(leased('retry-second', 100), {
        nextTryAt: at,
        failure: 'HTTP 500',
      });
      await ledger.recordDelivery(leased('retry-second', at, 1), {
        nextTryAt: at + 300_000,
        failure: 'HTTP 500',
      });
      await ledger.repairSchedules(at, longest, null);
      const dueAt = async (now: number): Promise<string[]> =>
        (await ledger.leaseDueEvents(now, now + 1, 10)).map(({ event_id }) => event_id);
      assert.deepEqual(await dueAt(at + 4999), []);
      assert.deepEqual(await dueAt(at + 5000), ['retry-first']);
      await ledger.recordDelivery(leased('retry-first', at + 5001, 1), { deliveredAt: at + 5000 });
      assert.deepEqual(await dueAt(at + 299_999), []);
      assert.deepEqual(await dueAt(at + 300_000), ['retry-second']);
    });

    it('makes only events from the future due, and repeats no delivered event', async () => {
      const ledger = await open();
      const at = 1_000_000;
      await claim(ledger, order('told'));
      const createdAt = { delivered: at - 1, present: at, future: at + 1 };
      await replaceOrder(ledger, { ...order('told'), version: 2 }, (_of, { sequence }) =>
        Object.entries(createdAt).map(([name, created_at], index) => ({
          ...event('told', name, sequence + index),
          created_at,
        })),
      );
      await ledger.recordDelivery(leased('told-delivered', 100), { deliveredAt: at - 1 });
      for (const name of ['present', 'future'])
        await ledger.recordDelivery(leased(`told-${name}`, 100), {
          nextTryAt: at + 3000,
          failure: 'HTTP 500',
        });
      const longest = { claimMs: 14_000, retryMs: [0, 5000], checkMs: () => 5000 };
      await ledger.repairSchedules(at, longest, null);
      const dueAt = async (now: number): Promise<string[]> =>
        (await ledger.leaseDueEvents(now, at + 9000, 10)).map(({ event_id }) => event_id);
      assert.deepEqual(await dueAt(at + 2999), ['told-future']);
      assert.deepEqual(await dueAt(at + 3000), ['told-present']);
    });

    it('keeps the first address of a network and the first value of a setting', async () => {
      const ledger = await open();
      const row = {
        customer_ref_id: 'c',
        currency: 'XRP',
        network: 'XRP Ledger',
        address: 'r1',
        tag: '0',
        created_at: 1,
      };
      assert.deepEqual(await ledger.keepDepositAddress(row), row);
      assert.deepEqual(await ledger.keepDepositAddress({ ...row, address: 'r2' }), row);
      assert.deepEqual(await ledger.depositAddress('c', 'XRP', 'XRP Ledger'), row);
      assert.equal(await ledger.depositAddress('c', 'XRP', 'another network'), null);
      assert.equal(await ledger.depositAddress('c', 'BTC', 'XRP Ledger'), null);
      assert.equal(await ledger.keepSetting('key', 'one'), 'one');
      assert.equal(await ledger.keepSetting('key', 'two'), 'one');
      await ledger.writeSetting('key', 'three');
      assert.equal(await ledger.setting('key'), 'three');
      assert.equal(await ledger.setting('none'), null);
    });

    it('reclaims an order once, unless its intent is paid or has another order', async () => {
      const ledger = await open();
      const unsent = { sending: 'unsent', next_check_at: null, version: 2 } as const;
      for (const id of ['free', 'paid', 'moved']) {
        await claim(ledger, order(id));
        await replaceOrder(ledger, { ...order(id), ...unsent });
      }
      await claim(ledger, order('moved', 2), 'moved');
      await claim(ledger, order('paid', 2), 'paid');
      await replaceOrder(ledger, { ...order('paid', 2), ...unsent });
      await replaceOrder(ledger, { ...order('paid'), outcome: 'succeeded', version: 3 });
      const again = (row: OrderRow): ReturnType<typeof reclaimOrder> =>
        reclaimOrder(ledger, { ...row, ...unsent });
      const both = await Promise.all([again(order('free')), again(order('free'))]);
      assert.deepEqual(both.sort(), [false, true]);
      assert.equal(await again(order('moved')), false);
      assert.equal(await again(order('paid', 2)), false);
      assert.equal((await findOrder(ledger, 'paid.2'))?.sending, 'unsent');
    });

    for (const sending of ['answered', 'lost', 'unsent'] as const)
      it(`claims no order that was deleted and placed anew, and is ${sending}`, async () => {
        const ledger = await open();
        const placeAt = async (created_at: number, change: Partial<OrderRow>) => {
          const first = { ...order('anew'), created_at, next_check_at: null };
          await claim(ledger, first, null, { created_at });
          const next: OrderRow = { ...first, ...change, version: 2 };
          assert.equal(await replaceOrder(ledger, next), true);
          return next;
        };
        const read = await placeAt(10, { sending: 'unsent' });
        const known = (await ledger.intent('anew'))!;
        await claim(ledger, order('newest'));
        assert.equal(await purgeUnsent(ledger, 50, 10), 1);
        await placeAt(60, { sending });
        const stored = await ledger.intent('anew');
        assert.equal(await reclaimOrder(ledger, read, { known }), false);
        assert.equal(await ledger.postpone(known, 99, 50), false);
        assert.deepEqual(await ledger.intent('anew'), stored);
      });

    it('closes an unpaid intent once, and refuses a claim of a closed intent', async () => {
      const ledger = await open();
      const close = (id: string, at: number) =>
        closeIntent(ledger, intent(id), { at, reason: `at ${at}` });
      await claim(ledger, order('closed'));
      await claim(ledger, order('paid'));
      await replaceOrder(ledger, { ...order('paid'), outcome: 'succeeded', version: 2 });
      const { cursor } = await ledger.changes(null);
      const closed = await close('closed', 5);
      assert.deepEqual([closed.closed_at, closed.close_reason], [5, 'at 5']);
      // other relays see the change
      assert.deepEqual((await ledger.changes(cursor)).changed, [
        { intent_id: 'closed', version: written(2) },
      ]);
      assert.deepEqual(await close('closed', 6), closed);
      assert.equal((await close('paid', 6)).closed_at, null);
      assert.equal((await close('unknown', 7)).closed_at, 7);
      const late = await claim(ledger, order('closed', 2), 'closed');
      assert.deepEqual([late.claimed, late.order?.request_id], [false, 'closed']);
      const none = await claim(ledger, order('unknown', 2));
      assert.deepEqual([none.claimed, none.order], [false, null]);
      const unsent: OrderRow = { ...order('closed'), sending: 'unsent', version: 2 };
      await replaceOrder(ledger, unsent);
      assert.equal(await reclaimOrder(ledger, unsent), false);
      assert.equal(await purgeUnsent(ledger, 2 ** 50, 10), 0);
    });

    it('lists orders by their last change, from the start for an unknown position', async () => {
      const ledger = await open();
      for (const id of ['o1', 'o2', 'o3']) await claim(ledger, order(id));
      const ids = (rows: readonly OrderInIntent[]): string[] =>
        rows.map((row) => row.order.request_id);
      const first = await ledger.listOrders(null, 2);
      assert.deepEqual([ids(first.rows), first.more], [['o1', 'o2'], true]);
      await replaceOrder(ledger, { ...order('o1'), version: 2 });
      const second = await ledger.listOrders(first.last, 2);
      assert.deepEqual([ids(second.rows), second.more], [['o3', 'o1'], false]);
      const third = await ledger.listOrders(second.last, 2);
      assert.deepEqual([third.rows, third.last, third.isReset], [[], second.last, false]);
      await claim(ledger, order('o4'));
      assert.deepEqual(ids((await ledger.listOrders(third.last, 2)).rows), ['o4']);
      const far = await ledger.listOrders({ number: 2 ** 50, id: 'x' }, 1);
      assert.deepEqual([ids(far.rows), far.isReset], [['o2'], true]);
    });

    it('counts the open orders by their outcome, with the time of the oldest', async () => {
      const ledger = await open();
      assert.deepEqual(await ledger.openOrders(), []);
      const outcomes = [
        'review',
        'succeeded',
        'pending',
        'review',
        'failed',
        'confirming',
      ] as const;
      for (const [index, outcome] of outcomes.entries())
        await claim(ledger, { ...order(`g${index}`), outcome, created_at: 100 - index });
      const found = await ledger.openOrders();
      assert.deepEqual(
        found.sort((a, b) => (a.outcome < b.outcome ? -1 : 1)),
        [
          { outcome: 'confirming', count: 1, oldest: 95 },
          { outcome: 'pending', count: 1, oldest: 98 },
          { outcome: 'review', count: 2, oldest: 97 },
        ],
      );
    });

    it('begins a list again when the number of its position belongs to another row', async () => {
      // a ledger in memory is not restored
      if (name === 'memory') return;
      const ledger = await open();
      for (const id of ['h1', 'h2']) {
        await claim(ledger, order(id));
        await replaceOrder(ledger, { ...order(id), version: 2 }, (_of, { sequence }) => [
          event(id, 'told', sequence),
        ]);
      }
      const [orders, events] = [await ledger.listOrders(null, 1), await ledger.listEvents(null, 1)];
      const lost = { id: 'lost', number: orders.last.number };
      assert.equal((await ledger.listOrders(lost, 10)).isReset, true);
      const early = { id: 'h1', number: orders.last.number + 1 };
      assert.equal((await ledger.listOrders(early, 10)).isReset, true);
      const lostEvent = { id: 'lost', number: events.last.number };
      const again = await ledger.listEvents(lostEvent, 10);
      assert.deepEqual([again.isReset, again.rows.length], [true, 2]);
      // a position goes on when its order has changed since, or its row is purged
      await replaceOrder(ledger, { ...order('h1'), version: 3 });
      assert.equal((await ledger.listOrders(orders.last, 10)).isReset, false);
      const purged = await ledger.listOrders({ id: 'purged', number: orders.last.number }, 10);
      assert.deepEqual([purged.isReset, purged.rows.length], [false, 2]);
    });

    it('lists events in the order of their numbers, and makes resent events due', async () => {
      const ledger = await open();
      for (const id of ['e1', 'e2']) await claim(ledger, order(id));
      const write = (id: string, version: number, created_at: number): Promise<boolean> =>
        replaceOrder(ledger, { ...order(id), version }, ({ intent_id }, { sequence }) => [
          { ...event(intent_id, String(version), sequence), created_at, next_try_at: null },
        ]);
      await write('e1', 2, 100);
      await write('e2', 2, 200);
      await write('e1', 3, 300);
      const idsSince = async (since: Position | null, of?: string): Promise<string[]> =>
        (await ledger.listEvents(since, 10, { intentId: of })).rows.map(({ event_id }) => event_id);
      assert.deepEqual(await idsSince(null), ['e1-2', 'e2-2', 'e1-3']);
      assert.deepEqual(await idsSince(null, 'e1'), ['e1-2', 'e1-3']);
      const page = await ledger.listEvents(null, 1);
      assert.deepEqual([page.rows.length, page.more], [1, true]);
      assert.deepEqual(await idsSince(page.last), ['e2-2', 'e1-3']);
      assert.deepEqual((await ledger.outbox()).waiting, 0);

      await ledger.resend(['nobody', 'e1-2'], 400, askedAt(400));
      assert.equal((await ledger.outbox()).waiting, 1);
      await ledger.resend(['e2-2', 'e1-3'], 500, askedAt(500));
      const due = await ledger.leaseDueEvents(500, 600, 10);
      assert.deepEqual(
        due.map(({ event_id }) => event_id),
        ['e1-2', 'e2-2', 'e1-3'],
      );
    });

    it('retries a resent event when the last try from before the resend fails', async () => {
      const ledger = await open();
      await claim(ledger, order('anew'));
      await replaceOrder(
        ledger,
        { ...order('anew'), version: 2 },
        ({ intent_id }, { sequence }) => [
          { ...event(intent_id, 'told', sequence), next_try_at: 100 },
        ],
      );
      await ledger.recordDelivery(leased('anew-told', 100), {
        nextTryAt: 200,
        failure: 'HTTP 500',
      });
      await ledger.recordDelivery(leased('anew-told', 200, 1), {
        nextTryAt: 300,
        failure: 'HTTP 500',
      });
      const [last] = await ledger.leaseDueEvents(300, 400, 10);
      assert.equal(last?.tries, 2);
      await ledger.resend(['anew-told'], 310, askedAt(310));
      const [first] = await ledger.leaseDueEvents(310, 410, 10);
      assert.equal(first?.tries, 0);
      await ledger.recordDelivery(first, { nextTryAt: 500, failure: 'HTTP 500' });
      await ledger.recordDelivery(last, { nextTryAt: null, failure: 'HTTP 500' });
      const [second] = await ledger.leaseDueEvents(500, 600, 10);
      assert.equal(second?.tries, 1);
      assert.equal((await ledger.outbox()).stopped, 0);
      await ledger.recordDelivery(second, { nextTryAt: null, failure: 'HTTP 500' });
      assert.deepEqual(await ledger.outbox(), { waiting: 0, oldest: null, stopped: 1 });
    });

    for (const [how, outcome, delivered] of [
      ['ends with success', { deliveredAt: 150 }, 150],
      ['fails', { nextTryAt: 5100, failure: 'HTTP 500' }, null],
    ] as const)
      it(`keeps an event due when it was resent during a delivery that ${how}`, async () => {
        const ledger = await open();
        await claim(ledger, order('held'));
        await replaceOrder(ledger, { ...order('held'), version: 2 }, ({ intent_id }, place) => [
          event(intent_id, 'told', place.sequence),
          event(intent_id, 'other', place.sequence + 1),
        ]);
        const events = await ledger.leaseDueEvents(100, 200, 10);
        await ledger.resend(['held-told'], 110, askedAt(110));
        await Promise.all(events.map((each) => ledger.recordDelivery(each, outcome)));
        const again = await ledger.leaseDueEvents(110, 210, 10);
        assert.deepEqual(
          again.map(({ delivered_at, event_id, tries }) => [event_id, tries, delivered_at]),
          [['held-told', 0, delivered]],
        );
        await ledger.recordDelivery(again[0]!, { deliveredAt: 120 });
        assert.equal((await ledger.outbox()).waiting, delivered === null ? 1 : 0);
      });

    describe('events of one intent', () => {
      /** A ledger with events that are due from 100 on. */
      const withEvents = async (...names: readonly string[]): Promise<Ledger> => {
        const ledger = await open();
        await claim(ledger, order('of'));
        await replaceOrder(ledger, { ...order('of'), version: 2 }, (_, { sequence }) =>
          names.map((each, index) => ({
            ...event('of', each, sequence + index),
            created_at: 100 + index,
          })),
        );
        return ledger;
      };
      const named = (events: readonly { event_id: string }[]): string[] =>
        events.map(({ event_id }) => event_id);

      it('are leased in the order in which they were written', async () => {
        const ledger = await withEvents('1', '2', '3');
        for (const id of ['of-3', 'of-1', 'of-2']) await ledger.resend([id], 110, askedAt(110));
        const due = await ledger.leaseDueEvents(120, 200, 10);
        assert.deepEqual(named(due), ['of-1', 'of-2', 'of-3']);
      });

      it('are leased one by one with the longest due first', async () => {
        const ledger = await withEvents('1', '2', '3');
        for (const each of await ledger.leaseDueEvents(105, 200, 10))
          await ledger.recordDelivery(each, { deliveredAt: 106 });
        await ledger.resend(['of-1'], 120, askedAt(120));
        await ledger.resend(['of-2'], 130, askedAt(130));
        await ledger.resend(['of-3'], 110, askedAt(110));
        const taken: string[] = [];
        for (let count = 0; count < 3; count++)
          taken.push(...named(await ledger.leaseDueEvents(150, 200, 1)));
        assert.deepEqual(taken, ['of-3', 'of-1', 'of-2']);
      });

      it('are leased fresh ones first, then those that are repeated', async () => {
        const ledger = await withEvents('1', '2', '3');
        for (const each of await ledger.leaseDueEvents(110, 200, 10))
          await ledger.recordDelivery(each, { deliveredAt: 120 });
        await resendAll(ledger, 130, askedAt(130));
        await replaceOrder(ledger, { ...order('of'), version: 3 }, (_, { sequence }) =>
          ['4', '5'].map((name, index) => ({
            ...event('of', name, sequence + index),
            created_at: 140,
            next_try_at: 140,
          })),
        );
        const taken: string[][] = [];
        for (let count = 0; count < 3; count++)
          taken.push(named(await ledger.leaseDueEvents(150, 200, 2)));
        assert.deepEqual(taken[0], ['of-4', 'of-5']);
        assert.deepEqual(taken.flat().sort(), ['of-1', 'of-2', 'of-3', 'of-4', 'of-5']);
      });

      it('are resent once by several requests of one moment', async () => {
        const ledger = await withEvents('1', '2', '3');
        for (const each of await ledger.leaseDueEvents(110, 200, 10))
          await ledger.recordDelivery(each, { deliveredAt: 120 });
        const asked = { ...askedAt(130), leaseEnd: 130 + 100 };
        await resendAll(ledger, 130, asked);
        const [first] = await ledger.leaseDueEvents(140, 240, 1);
        assert.ok(first);
        await ledger.recordDelivery(first, { deliveredAt: 145 });
        const [second] = await ledger.leaseDueEvents(146, 246, 1);
        await resendAll(ledger, 150, asked);
        const rest = await ledger.leaseDueEvents(160, 260, 10);
        assert.equal(rest.length, 1);
        assert.equal(new Set(named([first, second!, ...rest])).size, 3);
        // a request of a later moment repeats them, also while they are being delivered
        await resendAll(ledger, 270, { ...askedAt(270), leaseEnd: 370 });
        assert.equal((await ledger.leaseDueEvents(270, 370, 10)).length, 3);
      });

      it('are leased once when several relays ask at once', async () => {
        const ledger = await withEvents('1', '2', '3');
        const ask = (): Promise<unknown[]> => ledger.leaseDueEvents(120, 200, 10);
        // so that every connection of a pool is open
        await Promise.all(Array.from({ length: 8 }, () => ledger.outbox()));
        const taken = await Promise.all(Array.from({ length: 8 }, ask));
        assert.equal(taken.flat().length, 3);
      });

      it('are numbered without a gap when one change has several of them', async () => {
        const ledger = await withEvents('1', '2');
        let number = 0;
        await replaceOrder(ledger, { ...order('of'), version: 3 }, (_, { sequence }) => {
          number = sequence;
          return [];
        });
        assert.equal(number, 3);
        await replaceOrder(ledger, { ...order('of'), version: 4 }, (_, { sequence }) => {
          number = sequence;
          return [event('of', '3', sequence)];
        });
        assert.equal(number, 3);
      });

      it('get no time before their delivery when they are delivered together', async () => {
        const ledger = await withEvents('1', '2');
        const ends = [150, 160];
        const due = await ledger.leaseDueEvents(120, 200, 10);
        await Promise.all(
          due.map((each, index) => ledger.recordDelivery(each, { deliveredAt: ends[index]! })),
        );
        const { rows } = await ledger.listEvents(null, 10);
        for (const [index, { delivered_at }] of rows.entries())
          assert.ok(delivered_at !== null && delivered_at >= ends[index]!, `${delivered_at}`);
        assert.deepEqual(await ledger.outbox(), { waiting: 0, oldest: null, stopped: 0 });
      });

      it('stay due when they are resent for the moment when the lease of others ends', async () => {
        const ledger = await withEvents('1', '2');
        const [first] = await ledger.leaseDueEvents(120, 200, 1);
        const [second] = await ledger.leaseDueEvents(120, 300, 1);
        assert.ok(first && second);
        await ledger.resend([first.event_id], 300, askedAt(300));
        await Promise.all(
          [first, second].map((each) => ledger.recordDelivery(each, { deliveredAt: 150 })),
        );
        assert.deepEqual(named(await ledger.leaseDueEvents(300, 400, 10)), [first.event_id]);
      });

      it('count neither as waiting nor as undelivered when the shop gets them again', async () => {
        const ledger = await withEvents('1', '2');
        const [first] = await ledger.leaseDueEvents(120, 300, 1);
        assert.ok(first);
        await ledger.recordDelivery(first, { deliveredAt: 150 });
        await ledger.resend([first.event_id], 300, askedAt(300));
        assert.equal((await ledger.outbox()).waiting, 1);
        const lacking = (await ledger.undelivered()).map(({ event_id }) => event_id);
        assert.deepEqual([lacking.length, lacking.includes(first.event_id)], [1, false]);
        assert.equal((await ledger.leaseDueEvents(300, 400, 10)).length, 2);
      });

      it('wait for their delivery, and the oldest of them is named', async () => {
        const ledger = await withEvents('1', '2', '3');
        assert.deepEqual(await ledger.outbox(), { waiting: 3, oldest: 100, stopped: 0 });
      });

      it('have the time of the oldest also when the clock stepped back between them', async () => {
        const ledger = await withEvents('1', '2');
        await replaceOrder(ledger, { ...order('of'), version: 3 }, (_, { sequence }) => [
          { ...event('of', '3', sequence), created_at: 50 },
          { ...event('of', '4', sequence + 1), created_at: 70 },
        ]);
        assert.deepEqual(await ledger.outbox(), { waiting: 4, oldest: 50, stopped: 0 });
      });

      it('are listed with the position of the last one, and with whether more follow', async () => {
        const ledger = await withEvents('1', '2');
        const { last, more, rows } = await ledger.listEvents(null, 2);
        assert.deepEqual([named(rows), more], [['of-1', 'of-2'], false]);
        const rest = await ledger.listEvents(last, 2);
        assert.deepEqual(rest, { rows: [], last, more: false, isReset: false });
      });
    });

    it('names the intents first that have been due as unpaid for the longest', async () => {
      const ledger = await open();
      for (const [id, unpaid_due_at] of Object.entries({ first: 30, second: 10, third: 20 }))
        await claim(ledger, order(id), null, { unpaid_due_at });
      const due = (await ledger.dueUnpaid(50, 2)).map(({ intent_id }) => intent_id);
      assert.deepEqual(due, ['second', 'third']);
    });

    it('settles an unpaid intent once when it is due', async () => {
      const ledger = await open();
      for (const id of ['u1', 'u2', 'later'])
        await claim(ledger, order(id), null, { unpaid_due_at: id === 'later' ? 99 : 10 });
      const due = async (now: number): Promise<string[]> =>
        (await ledger.dueUnpaid(now, 10)).map(({ intent_id }) => intent_id);
      assert.deepEqual(await due(9), []);
      assert.deepEqual((await due(10)).sort(), ['u1', 'u2']);
      assert.equal((await ledger.dueUnpaid(10, 1)).length, 1);
      const report = (id: string): Promise<unknown> =>
        settleUnpaid(ledger, id, 10, ({ intent_id, orders }, { sequence }) => {
          assert.deepEqual(orders.map(withoutHistory), [order(id)]);
          return [event(intent_id, 'unpaid', sequence)];
        });
      await Promise.all([report('u1'), report('u1')]);
      await settleUnpaid(ledger, 'u2', 10, () => ({ postponeTo: 50 }));
      assert.deepEqual(await due(49), []);
      await settleUnpaid(ledger, 'u2', 50, () => 'drop');
      await closeIntent(ledger, intent('later'), { at: 60, reason: null });
      assert.deepEqual(await due(1000), []);
      const { rows } = await ledger.listEvents(null, 10);
      assert.deepEqual(
        rows.map(({ event_id, sequence }) => [event_id, sequence]),
        [['u1-unpaid', 1]],
      );
      let next: number | undefined;
      await replaceOrder(ledger, { ...order('u1'), version: 2 }, (_, { sequence }) => {
        next = sequence;
        return [];
      });
      assert.equal(next, 2);
    });

    it('deletes an intent early only when its orders were never sent', async () => {
      const ledger = await open();
      for (const id of ['unsent', 'sent', 'young']) {
        const created_at = id === 'young' ? 90 : 10;
        await claim(ledger, { ...order(id), created_at }, null, { created_at });
      }
      for (const id of ['unsent', 'young'])
        await replaceOrder(ledger, {
          ...order(id),
          created_at: id === 'young' ? 90 : 10,
          sending: 'unsent',
          next_check_at: null,
          version: 2,
        });
      assert.equal(await purgeUnsent(ledger, 50, 10), 1);
      assert.equal(await ledger.intent('unsent'), null);
      assert.equal((await ledger.intent('sent'))?.intent_id, 'sent');
      assert.equal((await ledger.intent('young'))?.intent_id, 'young');
    });

    it('deletes no more intents early than one step allows', async () => {
      const ledger = await open();
      const unsent = { sending: 'unsent', next_check_at: null, version: 2 } as const;
      for (const id of ['unsent1', 'unsent2']) {
        await claim(ledger, { ...order(id), created_at: 10 }, null, { created_at: 10 });
        await replaceOrder(ledger, { ...order(id), created_at: 10, ...unsent });
      }
      await claim(ledger, order('newest'));
      const steps: number[] = [];
      do steps.push(await purgeUnsent(ledger, 50, 1));
      while (steps.at(-1) !== 0);
      assert.deepEqual(steps, [1, 1, 0]);
    });

    it('lists a change after a position whose order was deleted', async () => {
      const ledger = await open();
      assert.equal(await purge(ledger, 50, 10), 0);
      await claim(ledger, over('z'), null, { created_at: 10 });
      const { last } = await ledger.listOrders(null, 10);
      // in SQLite the row with the highest number stays until a later change has a higher one
      assert.equal(await purge(ledger, 50, 10), name === 'sqlite' ? 0 : 1);
      await claim(ledger, order('a'));
      const { rows } = await ledger.listOrders(last, 10);
      assert.deepEqual(
        rows.map((row) => row.order.request_id),
        ['a'],
      );
      assert.equal(await purge(ledger, 50, 10), name === 'sqlite' ? 1 : 0);
    });

    it('adds an order that it lost once', async () => {
      const ledger = await open();
      const closed = { ...intent('lost'), closed_at: 5 };
      const lost = { ...order('lost'), next_check_at: 50 };
      assert.equal(await addLostOrder(ledger, lost, closed), true);
      const again = { ...closed, closed_at: 6 };
      assert.equal(await addLostOrder(ledger, { ...lost, next_check_at: 60 }, again), false);
      assert.deepEqual(withoutHistory((await findOrder(ledger, 'lost'))!), lost);
      assert.deepEqual(rowOf(await ledger.intent('lost')), closed);
      assert.equal(await addLostOrder(ledger, order('lost', 2)), true);
      const added = (await ordersOf(ledger, 'lost')).map(withoutHistory);
      assert.deepEqual(added, [lost, order('lost', 2)]);
    });

    it('deletes no intent early when a later order of it was sent', async () => {
      const ledger = await open();
      await claim(ledger, { ...order('i1'), created_at: 10 }, null, { created_at: 10 });
      const unsent = { sending: 'unsent', next_check_at: null, version: 2 } as const;
      await replaceOrder(ledger, { ...order('i1'), created_at: 10, ...unsent });
      const second = { ...order('i1', 2), created_at: 20 };
      await claim(ledger, second, order('i1').request_id);
      await claim(ledger, order('newest'), null);
      assert.equal(await purgeUnsent(ledger, 50, 10), 0);
      assert.equal((await ordersOf(ledger, 'i1')).length, 2);
    });
  });

describe('ledger of one process', () => {
  for (const name of ['memory', 'sqlite'] as const)
    it(`lists orders from the start after a position that ${name} has not reached`, async () => {
      const ledger = await ledgers[name]!();
      await claim(ledger, order('a'));
      const { last } = await ledger.listOrders(null, 10);
      const reached = await ledger.listOrders(last, 10);
      assert.deepEqual([reached.rows, reached.isReset], [[], false]);
      // the next change gets this number, and its order may come before x
      const next = await ledger.listOrders({ number: last.number + 1, id: 'x' }, 10);
      assert.deepEqual([next.rows.length, next.isReset], [1, true]);
    });

  it('refuses to back up a ledger in memory', async () => {
    const ledger = await openLedger('memory:');
    await assert.rejects(ledger.backup(join(folder, 'backup.db')), /cannot be backed up/);
  });
});

describe('ledger file', () => {
  it('commits the transactions under way when a ledger file is closed', async () => {
    const ledger = await openLedger(`sqlite:${join(folder, 'closing.db')}`);
    const claims = Promise.all([claim(ledger, order('c1')), claim(ledger, order('c2'))]);
    await ledger.close();
    assert.deepEqual(
      (await claims).map(({ claimed }) => claimed),
      [true, true],
    );
  });

  it('creates a ledger file once when two processes open it, and keeps its rows', async () => {
    const name = `sqlite:${join(folder, 'shared.db')}`;
    const [one, two] = await Promise.all([openLedger(name), openLedger(name)]);
    const claims = await Promise.all([one, two].map((ledger) => claim(ledger, order('shared'))));
    assert.equal(claims.filter(({ claimed }) => claimed).length, 1);
    await Promise.all([one.close(), two.close()]);
    const again = await openLedger(name);
    assert.equal((await again.find('shared'))?.order.amount, '12.50');
  });

  it('keeps who resolved an order', async () => {
    const file = join(folder, `${files++}.db`);
    const ledger = await openLedger(`sqlite:${file}`);
    await claim(ledger, order('r'));
    const resolution = {
      request_id: 'r',
      resolved_as: 'failed',
      resolved_by: 'Ann',
      note: 'seen in the bank',
      review_reason: 'amount',
      resolved_at: 9,
    } as const;
    await replaceOrder(ledger, { ...order('r'), version: 2 }, () => [], { resolution });
    assert.deepEqual((await ledger.intent('r'))?.resolutions, [resolution]);
  });

  it('reclaims no order when a newer relay has upgraded the file', async () => {
    const ledger = await openLedger(`sqlite:${join(folder, `${files++}.db`)}`);
    await claim(ledger, order('n'));
    const unsent: OrderRow = { ...order('n'), sending: 'unsent', version: 2 };
    await replaceOrder(ledger, unsent);
    await ledger.writeSetting('generation', String(GENERATION + 1));
    await assert.rejects(reclaimOrder(ledger, unsent), GenerationError);
    assert.equal((await findOrder(ledger, 'n'))?.version, 2);
  });
});

describe('ledger on PostgreSQL', () => {
  it('names an order that no relay would follow or find', async () => {
    const url = await (await postgres()).ledger();
    const ledger = await openLedger(url);
    await claim(ledger, order('v1'));
    await claim(ledger, { ...order('v2'), order_no: 'n2' });
    assert.equal((await ledger.leaseDueOrders(1_900_000_000_000, 1_900_000_001_000, 1)).length, 1);
    assert.deepEqual(await ledger.verify(), []);
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`update intents set due_at = null where intent_id = 'v1'`);
    await client.query(`delete from requests where request_id = 'v2'`);
    await client.query(`delete from lookups where kind = 'order_no'`);
    await client.end();
    assert.deepEqual(await ledger.verify(), [
      'intent whose due_at contradicts its body: v1',
      'order that is not found by its request_id: v2',
      'intent that is not found by its order_no: v2',
    ]);
  });

  it('reports each claim of many relays, and reads again after PostgreSQL crashed', async () => {
    const url = await (await postgres()).ledger();
    const relays = await Promise.all(Array.from({ length: 4 }, () => openLedger(url)));
    const [first] = relays;
    if (!first) throw new Error('no relay');
    const reported = new Set<string>();
    let { cursor } = await first.changes(null);
    const listen = async (): Promise<void> => {
      const changes = await first.changes(cursor);
      cursor = changes.cursor;
      for (const { intent_id } of changes.changed) reported.add(intent_id);
    };
    const ids = Array.from({ length: 400 }, (_, index) => `late${index}`);
    let writing = true;
    const writers = Promise.all(
      relays.flatMap((ledger, relay) =>
        Array.from({ length: 4 }, async (_, writer) => {
          for (const id of ids.filter((_id, index) => index % 16 === relay * 4 + writer)) {
            await claim(ledger, order(id));
          }
        }),
      ),
    ).finally(() => (writing = false));
    while (writing) await listen();
    await writers;
    await listen();
    assert.equal(reported.size, ids.length);

    await (await postgres()).crash();
    const amount = async (): Promise<string | undefined> =>
      (await findOrder(first, 'late7').catch(() => null))?.amount;
    await until(async () => (await amount()) === '12.50', 'read again after the crash');
  });
});
