/** The order store writes events to the ledger, and calls the listeners of a change. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import type { OrderEvent } from '../../../../relay/orders/order-event.js';
import {
  claimMs,
  createOrderStore,
  readOrder,
  type Change,
} from '../../../../relay/orders/order-store.js';
import { createParts, type Parts } from './parts.js';
import { findOrder, replaceOrder } from '../../support/ledger-calls.js';
import { ref } from './fresh-order.js';

const answered = ({ clock }: Parts, status: number, order_no?: string): OrderEvent => ({
  type: 'query_answered',
  at: clock.now(),
  answer: { status, request_id: 'r1', order_no },
});
const paid = (parts: Parts): OrderEvent => answered(parts, 20);

describe('the store of orders', () => {
  it('applies an event to the newer order when another writer was faster', async () => {
    const parts = await createParts();
    const order = await parts.add();
    const { ledger } = parts.context;
    const known = (await ledger.intent('i1'))!;
    await replaceOrder(ledger, { ...order, order_no: 'P9', version: 2 });
    const { order: written } = await parts.store.apply(ref('r1'), paid(parts), { known });
    assert.deepEqual([written.outcome, written.order_no, written.version], ['succeeded', 'P9', 3]);
    assert.deepEqual(await findOrder(ledger, 'r1'), written);
  });

  it('rejects an event when the ledger does not have its order', async () => {
    const parts = await createParts();
    await assert.rejects(parts.store.apply(ref('r9'), paid(parts)), /no order r9/);
    await assert.rejects(readOrder(parts.context.ledger, 'r9'), /no order r9/);
  });

  it('calls the listeners of the intent until they unsubscribe', async () => {
    const parts = await createParts();
    await parts.add();
    await parts.add({ request_id: 'r2', intent_id: 'i2' });
    const called: string[] = [];
    const ends = ['a', 'b'].map((name) => parts.store.onChange('i1', () => void called.push(name)));
    parts.store.onChange('i2', () => void called.push('of another intent'));
    await parts.store.apply(ref('r1'), paid(parts));
    assert.deepEqual(called.splice(0), ['a', 'b']);
    ends[0]?.();
    parts.store.announce('i1');
    assert.deepEqual(called.splice(0), ['b']);
    ends[1]?.();
    parts.store.announce('i1');
    parts.store.announce('unknown');
    assert.deepEqual(called, []);
  });

  it('calls the listeners of orders that other relays changed, once for each change', async () => {
    const parts = await createParts();
    await parts.add();
    const other = createOrderStore(parts.context);
    const called: string[] = [];
    parts.store.onChange('i1', () => void called.push('i1'));
    await parts.store.pollChanges();
    assert.deepEqual(called, []);
    await other.apply(ref('r1'), paid(parts));
    assert.deepEqual(called, []);
    await parts.store.pollChanges();
    assert.deepEqual(called, ['i1']);
    await parts.store.pollChanges();
    assert.deepEqual(called, ['i1']);
    assert.equal(parts.store.changeCount(), 1);
  });

  it('writes a resolution only with the event that ends the review', async () => {
    const parts = await createParts();
    await parts.add({ outcome: 'review', review_reason: 'by_table' });
    const at = parts.clock.now();
    const resolution = {
      request_id: 'r1',
      resolved_as: 'failed',
      resolved_by: 'Ann',
      note: 'n',
      review_reason: 'by_table',
      resolved_at: at,
    } as const;
    await parts.store.apply(ref('r1'), { type: 'resolved', as: 'failed', at }, { resolution });
    await parts.store.apply(ref('r1'), { type: 'resolved', as: 'failed', at }, { resolution });
    assert.deepEqual((await parts.context.ledger.intent('i1'))?.resolutions, [resolution]);
  });

  it('lets a claim last four seconds longer than its request', async () =>
    assert.equal(claimMs((await createParts()).context), 4400));
});

describe('an answer to a scheduled query', () => {
  type Seen = { asked: Change[]; order: OrderRow; version: number | undefined };

  async function askedBySchedule(
    { store, ...parts }: Parts,
    event: OrderEvent,
    beforeAnswer: () => unknown = () => {},
  ): Promise<Seen> {
    const known = (await parts.context.ledger.intent('i1'))!;
    await beforeAnswer();
    const asked: Change[] = [];
    const stop = store.onChange('i1', (change) => void asked.push(change));
    const { order } = await store.apply(ref('r1'), event, { known, isScheduled: true });
    stop();
    assert.deepEqual(await findOrder(parts.context.ledger, 'r1'), order);
    return { asked, order, version: (await parts.context.ledger.intent('i1'))?.version };
  }
  const add = async (parts: Parts): Promise<OrderRow> => {
    const order = await parts.add({ next_action: { kind: 'wait' } });
    await parts.clock.advance(2000);
    return order;
  };

  it('moves only the schedule when it says nothing new', async () => {
    const parts = await createParts();
    const before = await add(parts);
    const { asked, order, version } = await askedBySchedule(parts, answered(parts, 11));
    assert.deepEqual(order, { ...before, next_check_at: parts.clock.now() + 2000 });
    assert.deepEqual([version, parts.store.changeCount()], [1, 0]);
    const { next_check_at, request_id } = order;
    assert.deepEqual(asked, [{ type: 'scheduled', request_id, next_check_at }]);
  });

  it('moves only the schedule of an order that was replaced and has no link any more', async () => {
    const parts = await createParts();
    await parts.add({ next_action: null, sending: 'answered', status: 11 });
    await parts.clock.advance(2000);
    const { order, version } = await askedBySchedule(parts, answered(parts, 11));
    assert.deepEqual([order.next_action, version], [null, 1]);
  });

  it('moves the schedule when no usable answer came', async () => {
    const parts = await createParts();
    await add(parts);
    const missed = { type: 'query_missed', at: parts.clock.now() } as const;
    assert.equal((await askedBySchedule(parts, missed)).version, 1);
  });

  it('is written when it says something new, however little', async () => {
    const parts = await createParts();
    await add(parts);
    const { asked, order, version } = await askedBySchedule(parts, answered(parts, 11, 'P7'));
    assert.deepEqual([order.order_no, order.version, version], ['P7', 2, 2]);
    assert.deepEqual([asked.length, parts.store.changeCount()], [1, 1]);
  });

  for (const sending of ['lost', 'claimed'] as const)
    it(`is written when it is the first: an order ${sending} now is not resent later`, async () => {
      const parts = await createParts();
      const lost = { sending, outcome: 'confirming', status: null, lost_at: 1 } as const;
      await parts.add({ ...lost, next_action: null });
      await parts.clock.advance(2000);
      const answer: OrderEvent = {
        type: 'query_answered',
        at: parts.clock.now(),
        answer: { status: 11 },
      };
      const { order } = await askedBySchedule(parts, answer);
      assert.deepEqual([order.sending, order.checked_at], [sending, answer.at]);
    });

  it('is written when another writer was faster', async () => {
    const parts = await createParts();
    const before = await add(parts);
    const write = (): unknown =>
      replaceOrder(parts.context.ledger, { ...before, order_no: 'P9', version: 2 });
    const { order } = await askedBySchedule(parts, answered(parts, 11), write);
    assert.deepEqual([order.order_no, order.version], ['P9', 3]);
  });

  it('is written when another order of the intent is due as well', async () => {
    const parts = await createParts();
    await add(parts);
    await parts.add({ request_id: 'r2', ordinal: 2, next_check_at: parts.clock.now() });
    assert.equal((await askedBySchedule(parts, answered(parts, 11))).order.version, 2);
  });

  it('is written when it is the last that follows the order', async () => {
    const parts = await createParts({ limits: { follow_days: 1 } });
    await add(parts);
    await parts.clock.advance(2 * 86_400_000);
    assert.equal((await askedBySchedule(parts, answered(parts, 11))).order.next_check_at, null);
  });

  it('is written with its time when somebody asked', async () => {
    const parts = await createParts();
    await add(parts);
    const known = (await parts.context.ledger.intent('i1'))!;
    const { order } = await parts.store.apply(ref('r1'), answered(parts, 11), { known });
    assert.deepEqual([order.checked_at, order.version], [parts.clock.now(), 2]);
  });
});

describe('the changes of other relays', () => {
  it('are known up to the poll before the last, and for five seconds', async () => {
    const parts = await createParts();
    const { clock, store } = parts;
    assert.equal(store.isUpToDate(), false);
    await store.pollChanges();
    assert.equal(store.isUpToDate(), false);
    await store.pollChanges();
    assert.equal(store.isUpToDate(), true);
    assert.equal(store.isUpToDate(clock.now() - 1), true);
    assert.equal(store.isUpToDate(clock.now()), false);
    await clock.advance(4999);
    assert.equal(store.isUpToDate(), true);
    await clock.advance(1);
    assert.equal(store.isUpToDate(), false);
  });

  it('are missing while a change that was begun earlier has not ended', async () => {
    const parts = await createParts();
    const { clock, context, store } = parts;
    let settled = 4;
    context.ledger.changes = async () => ({ cursor: String(settled), last: 9, changed: [] });
    await store.pollChanges();
    for (let second = 0; second < 6; second++) {
      await store.pollChanges();
      await clock.advance(1000);
    }
    assert.equal(store.isUpToDate(), false);
    settled = 9;
    await store.pollChanges();
    await store.pollChanges();
    assert.equal(store.isUpToDate(), true);
  });
});

describe('logs and metrics of a change', () => {
  const logged = (parts: Parts): unknown[] =>
    parts.lines.map(([level, event, { outcome, status, message }]) => [
      level,
      event,
      outcome ?? status,
      message !== undefined,
    ]);

  it('logs and counts a new outcome, and logs nothing when nothing changed', async () => {
    const parts = await createParts();
    await parts.add();
    await parts.store.apply(ref('r1'), answered(parts, 11));
    assert.deepEqual([parts.lines, parts.counted], [[], []]);
    await parts.store.apply(ref('r1'), paid(parts));
    assert.deepEqual(parts.lines, [
      [
        'info',
        'order',
        {
          intent_id: 'i1',
          request_id: 'r1',
          change: 'query_answered',
          outcome: 'succeeded',
          status: 20,
          review_reason: null,
        },
      ],
    ]);
    assert.deepEqual(parts.counted, [['orders', 1, { option: 'qr', outcome: 'succeeded' }]]);
  });

  it('logs a change of the status alone, and does not count it', async () => {
    const parts = await createParts();
    await parts.add({ outcome: 'unmapped', status: 77 });
    await parts.store.apply(ref('r1'), answered(parts, 78));
    assert.equal(parts.counted.filter(([name]) => name === 'orders').length, 0);
    assert.deepEqual(logged(parts)[0], ['info', 'order', 'unmapped', false]);
  });

  it('warns of what contradicts a payment, and counts it as a review', async () => {
    const parts = await createParts();
    await parts.add({ outcome: 'succeeded', status: 20, next_check_at: null });
    for (const status of [30, 30]) await parts.store.apply(ref('r1'), answered(parts, status));
    assert.deepEqual(logged(parts), [['warn', 'order', 'succeeded', false]]);
    const reason = 'status_after_success';
    assert.deepEqual(parts.counted, [['reviews', 1, { option: 'qr', reason }]]);
  });

  it('warns when an order goes to review', async () => {
    const parts = await createParts();
    await parts.add();
    const wrong: OrderEvent = {
      type: 'query_answered',
      at: parts.clock.now(),
      answer: { status: 11, currency: 'EUR' },
    };
    await parts.store.apply(ref('r1'), wrong);
    assert.deepEqual(logged(parts), [['warn', 'order', 'review', false]]);
  });

  it('logs an unmapped status once, with the first order that had it', async () => {
    const parts = await createParts();
    await parts.add();
    await parts.add({ request_id: 'r2', intent_id: 'i2' });
    await parts.store.apply(ref('r1'), answered(parts, 77));
    const second = { ...answered(parts, 77), answer: { status: 77, request_id: 'r2' } };
    await parts.store.apply(ref('r2', 'i2'), second);
    assert.deepEqual(
      parts.lines.filter(([, event]) => event === 'unmapped_status'),
      [['warn', 'unmapped_status', { status: 77, intent_id: 'i1', request_id: 'r1' }]],
    );
    assert.deepEqual(
      parts.counted.filter(([name]) => name === 'unmapped_statuses'),
      [['unmapped_statuses', 1, { status: '77' }]],
    );
  });

  it('tells of a change also when the ledger cannot keep its unmapped status', async () => {
    const parts = await createParts();
    await parts.add();
    parts.context.ledger.keepSetting = () => Promise.reject(new Error('busy'));
    const told: Change[] = [];
    parts.store.onChange('i1', (change) => void told.push(change));
    const { order } = await parts.store.apply(ref('r1'), answered(parts, 77));
    assert.deepEqual([order.outcome, told.length], ['unmapped', 1]);
    const [level, event, { error, status }] = parts.lines.at(-1)!;
    assert.deepEqual([level, event, status, error], ['error', 'order', 77, 'Error: busy']);
  });

  it('logs each unmapped status', async () => {
    const parts = await createParts();
    await parts.add();
    await parts.add({ request_id: 'r2', intent_id: 'i2' });
    await parts.store.apply(ref('r1'), answered(parts, 77));
    const second = { ...answered(parts, 78), answer: { status: 78, request_id: 'r2' } };
    await parts.store.apply(ref('r2', 'i2'), second);
    const named = parts.lines.filter(([, event]) => event === 'unmapped_status');
    assert.deepEqual(
      named.map(([, , { status }]) => status),
      [77, 78],
    );
  });

  it('warns when the service gives an order another order_no', async () => {
    const parts = await createParts();
    const warned = (): number =>
      logged(parts).filter((line) => String(line).endsWith('true')).length;
    await parts.add({ order_no: null });
    await parts.store.apply(ref('r1'), answered(parts, 30, 'P1'));
    assert.equal(warned(), 0);
    await parts.store.apply(ref('r1'), answered(parts, 11, 'P1'));
    assert.equal(warned(), 0);
    await parts.store.apply(ref('r1'), answered(parts, 30, 'P2'));
    assert.equal(warned(), 1);
    const row: OrderRow | null = await findOrder(parts.context.ledger, 'r1');
    assert.equal(row?.order_no, 'P2');
    const [level, event] = parts.lines.find(([, , { message }]) => message !== undefined)!;
    assert.deepEqual([level, event], ['warn', 'order']);
  });
});
