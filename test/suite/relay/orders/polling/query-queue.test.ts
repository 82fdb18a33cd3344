/** The queue decides whose query is sent next, and how many are sent in a second. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTokenBucket } from '../../../../../relay/orders/polling/budget.js';
import {
  createQueryQueue,
  type QueryQueue,
  type QuerySlot,
  type Urgency,
} from '../../../../../relay/orders/polling/query-queue.js';
import { manualClock, settle, type ManualClock } from '../../../support/manual-clock.js';

type TestQueue = {
  clock: ManualClock;
  queue: QueryQueue;
  /** The names of the queries that got a slot, in their order. */
  sent: string[];
  add(name: string, urgency: Urgency, createdAt?: number): QuerySlot;
};

/** @param limits all queries may be scheduled ones, unless it says otherwise */
const queueOf = (
  clock: ManualClock,
  limits: { atOnce: number; perSecond: () => number; scheduledPerSecond?: () => number },
): QueryQueue => {
  const { atOnce, perSecond, scheduledPerSecond = perSecond } = limits;
  const slots = createTokenBucket(perSecond, clock.elapsed);
  return createQueryQueue({ atOnce, perSecond, scheduledPerSecond, slots }, clock);
};

function createQueue(
  perSecond: number | (() => number),
  atOnce = Infinity,
  scheduledPerSecond?: () => number,
): TestQueue {
  const clock = manualClock();
  const rate = typeof perSecond === 'number' ? () => perSecond : perSecond;
  const queue = queueOf(clock, {
    atOnce,
    perSecond: rate,
    ...(scheduledPerSecond && { scheduledPerSecond }),
  });
  const sent: string[] = [];
  return {
    clock,
    queue,
    sent,
    add: (name, urgency, createdAt = 0) => {
      const slot = queue.querySlot(createdAt, urgency);
      void slot.ready.then(() => sent.push(name));
      return slot;
    },
  };
}
const isRaised = (name: string): boolean => Number(name) >= 2000 && Number(name) < 4000;

/** A queue whose saved slot is used up, so that the next query waits. */
async function createBusyQueue(perSecond = 1): Promise<TestQueue> {
  const made = createQueue(perSecond);
  made.add('first', 'scheduled');
  await settle();
  assert.deepEqual(made.sent.splice(0), ['first']);
  return made;
}

describe('the queue of queries', () => {
  it('sends one query at once and the others at the configured rate', async () => {
    const { add, clock, queue, sent } = createQueue(2);
    for (const name of ['a', 'b', 'c']) add(name, 'scheduled');
    await settle();
    assert.deepEqual([sent, queue.waiting()], [['a'], 2]);
    await clock.advance(499);
    assert.deepEqual(sent, ['a']);
    await clock.advance(1);
    assert.deepEqual(sent, ['a', 'b']);
    await clock.advance(500);
    assert.deepEqual([sent, queue.waiting()], [['a', 'b', 'c'], 0]);
  });

  it('serves a query after the queue was empty', async () => {
    const { add, clock, sent } = await createBusyQueue();
    await clock.advance(10_000);
    add('later', 'scheduled');
    await settle();
    assert.deepEqual(sent, ['later']);
  });

  it('saves the slots of a tenth of a second at most, and never less than one', async () => {
    const fast = createQueue(50);
    await fast.clock.advance(60_000);
    for (let index = 0; index < 9; index++) fast.add(`q${index}`, 'scheduled');
    await settle();
    assert.equal(fast.sent.length, 5);
    const slow = createQueue(1);
    await slow.clock.advance(60_000);
    for (const name of ['a', 'b']) slow.add(name, 'scheduled');
    await settle();
    assert.deepEqual(slow.sent, ['a']);
  });

  it('gives a slot that was not used to another query', async () => {
    const { add, clock, sent } = createQueue(20);
    const [a, b] = ['a', 'b', 'c', 'd', 'e'].map((name) => add(name, 'scheduled'));
    await settle();
    assert.deepEqual(sent, ['a', 'b']);
    a?.end(true);
    await settle();
    assert.deepEqual(sent, ['a', 'b']);
    b?.end(false);
    await clock.advance(50);
    assert.deepEqual(sent, ['a', 'b', 'c', 'd']);
  });

  it('lets only so many queries be under way, and then sends an urgent one first', async () => {
    const { add, clock, queue, sent } = createQueue(1000, 2);
    const [first] = ['a', 'b', 'c', 'd'].map((name) => add(name, 'scheduled'));
    await clock.advance(1000);
    assert.deepEqual([sent, queue.waiting()], [['a', 'b'], 2]);
    const signalled = add('signalled', 'urgent');
    first?.end(true);
    await settle();
    assert.deepEqual([sent, clock.sleeping()], [['a', 'b', 'signalled'], 0]);
    signalled.end(true);
    await settle();
    assert.deepEqual(sent, ['a', 'b', 'signalled', 'c']);
  });

  it('sends two scheduled queries in a turn of the event loop, then urgent ones', async () => {
    const { add, sent } = createQueue(1000);
    for (let index = 0; index < 6; index++) add(`${index}`, 'scheduled');
    // queries get their slots after all code that already waits in this turn
    await Promise.resolve();
    assert.equal(sent.length, 2);
    for (let index = 0; index < 5; index++) add('signalled', 'urgent');
    await settle();
    assert.equal(sent.slice(2, 8).filter((name) => name === 'signalled').length, 5);
    assert.equal(sent.length, 11);
  });

  it('holds back only scheduled queries while the process is busy', async () => {
    let scheduledPerSecond = 10;
    const { add, clock, sent } = createQueue(1000, Infinity, () => scheduledPerSecond);
    for (let index = 0; index < 4; index++) add(`${index}`, 'scheduled');
    await settle();
    assert.deepEqual(sent, ['0']);
    add('asked', 'asked');
    add('signalled', 'urgent');
    await settle();
    assert.deepEqual(sent, ['0', 'asked', 'signalled']);
    await clock.advance(99);
    assert.equal(sent.length, 3);
    await clock.advance(1);
    assert.deepEqual(sent.slice(3), ['1']);
    scheduledPerSecond = 1000;
    await clock.advance(100);
    assert.deepEqual(sent.slice(3), ['1', '2', '3']);
  });

  it('sends a held query at once when a page asks for it', async () => {
    const { add, sent } = createQueue(1000, Infinity, () => 1);
    add('first', 'scheduled');
    const held = add('held', 'scheduled');
    await settle();
    assert.deepEqual(sent, ['first']);
    held.raise('asked');
    await settle();
    assert.deepEqual(sent, ['first', 'held']);
  });

  it('gives a slot that was not used to another query while the process is busy', async () => {
    const { add, sent } = createQueue(1000, Infinity, () => 1);
    const first = add('first', 'scheduled');
    add('next', 'scheduled');
    await settle();
    first.end(false);
    await settle();
    assert.deepEqual(sent, ['first', 'next']);
  });

  it('gives urgent queries no slot of scheduled ones while the process is busy', async () => {
    const { add, sent } = createQueue(1000, Infinity, () => 10);
    add('signal', 'urgent').end(false);
    add('first', 'scheduled');
    await settle();
    add('unused signal', 'urgent').end(false);
    add('second', 'scheduled');
    await settle();
    assert.deepEqual(sent, ['signal', 'first', 'unused signal']);
  });

  it('gives back the slot of a scheduled query that was raised after it got its slot', async () => {
    const { add, sent } = createQueue(1000, Infinity, () => 10);
    const raised = add('raised', 'scheduled');
    await settle();
    raised.raise('urgent');
    raised.end(false);
    add('other', 'scheduled');
    await settle();
    assert.deepEqual(sent, ['raised', 'other']);
  });

  it('sends the next query at its time when the last one ended before', async () => {
    const { add, clock, sent } = createQueue(1, 1);
    const first = add('a', 'scheduled');
    add('b', 'scheduled');
    await clock.advance(400);
    first.end(true);
    await clock.advance(599);
    assert.deepEqual(sent, ['a']);
    await clock.advance(1);
    assert.deepEqual(sent, ['a', 'b']);
  });

  it('saves a part of a slot while nobody waits', async () => {
    const { add, clock, sent } = await createBusyQueue();
    await clock.advance(500);
    add('a', 'scheduled');
    await clock.advance(499);
    assert.deepEqual(sent, []);
    await clock.advance(1);
    assert.deepEqual(sent, ['a']);
  });

  it('follows a budget that changes while queries wait', async () => {
    let rate = 1;
    const { add, clock, sent } = createQueue(() => rate);
    for (const name of ['a', 'b', 'c']) add(name, 'scheduled');
    await settle();
    rate = 10;
    await clock.advance(1000);
    assert.deepEqual(sent.slice(0, 2), ['a', 'b']);
    await clock.advance(100);
    assert.equal(sent.length, 3);
  });

  it('serves urgent queries first, and never lowers the urgency of a waiting query', async () => {
    const { add, clock, sent } = await createBusyQueue();
    add('scheduled', 'scheduled');
    const raised = add('raised', 'scheduled');
    const kept = add('kept', 'urgent');
    kept.raise('scheduled');
    assert.deepEqual([raised.urgency(), kept.urgency()], ['scheduled', 'urgent']);
    raised.raise('asked');
    raised.raise('urgent');
    assert.equal(raised.urgency(), 'urgent');
    await clock.advance(3000);
    // the queries became urgent in this order
    assert.deepEqual(sent, ['kept', 'raised', 'scheduled']);
  });

  it('gives each of thousands of queries one slot, in their order', async () => {
    const { add, clock, queue, sent } = createQueue(1000);
    const names = Array.from({ length: 5000 }, (_, index) => `${index}`);
    const slots = names.map((name) => add(name, 'scheduled'));
    for (const slot of slots.slice(2000, 4000)) slot.raise('urgent');
    await clock.advance(10_000);
    assert.deepEqual([sent.length, new Set(sent).size, queue.waiting()], [5000, 5000, 0]);
    const [raised, others] = [sent.filter(isRaised), sent.filter((name) => !isRaised(name))];
    assert.deepEqual(raised, names.slice(2000, 4000));
    assert.deepEqual(others, [...names.slice(0, 2000), ...names.slice(4000)]);
  });

  it('keeps two slots of each round for queries that are not urgent', async () => {
    const { add, clock, sent } = createQueue(1);
    add('slot 0', 'urgent');
    await settle();
    for (let index = 0; index < 20; index++) add('old', 'scheduled', 1);
    for (let index = 0; index < 20; index++) add('urgent', 'urgent', 100);
    add('young', 'scheduled', 200);
    add('asked', 'asked', 50);
    // slots 4 and 12 of a round are not for urgent queries
    await clock.advance(16_000);
    assert.deepEqual(
      sent.map((name, slot) => (name === 'old' ? slot : -1)).filter((slot) => slot >= 0),
      [4, 12],
    );
  });

  it('gives one slot of a round to the youngest order and one to a page’s query', async () => {
    const { add, clock, sent } = createQueue(1);
    for (const name of ['first', 'second']) add(name, 'scheduled', 1);
    for (let index = 0; index < 20; index++) add('old', 'scheduled', 1);
    add('younger', 'scheduled', 300);
    add('young', 'scheduled', 200);
    add('asked', 'asked', 1);
    await clock.advance(17_000);
    assert.deepEqual(
      ['first', 'second', 'asked', 'younger', 'young'].map((name) => sent.indexOf(name)),
      [0, 1, 8, 16, -1],
    );
  });

  it('gives that slot to the order that came first, of several youngest ones', async () => {
    const ages = fc.array(fc.nat(4), { minLength: 17, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(ages, async (createdAt) => {
        const { add, clock, sent } = createQueue(1);
        createdAt.forEach((at, index) => add(`${index}`, 'scheduled', at));
        await clock.advance(16_000);
        const youngest = Math.max(...createdAt.slice(16));
        assert.equal(sent[16], `${createdAt.indexOf(youngest, 16)}`);
      }),
    );
  });

  it('gives no second slot to a page’s query that got one before its turn', async () => {
    const { add, clock, queue, sent } = createQueue(1);
    const asked = add('asked', 'asked', 1);
    for (let index = 0; index < 11; index++) add('old', 'scheduled', 1);
    await settle();
    asked.raise('urgent');
    await clock.advance(11_000);
    assert.deepEqual([sent.length, queue.waiting()], [12, 0]);
    assert.deepEqual([sent.indexOf('asked'), sent.lastIndexOf('asked')], [0, 0]);
  });

  it('gives one slot to a page’s query that becomes urgent', async () => {
    const { add, clock, queue, sent } = createQueue(1);
    for (let index = 0; index < 12; index++) add('old', 'scheduled', 1);
    const asked = add('asked', 'asked', 1);
    await clock.advance(3000);
    asked.raise('urgent');
    await clock.advance(9000);
    assert.deepEqual([sent.length, queue.waiting()], [13, 0]);
    // slot 4 of a round is not for urgent queries
    assert.deepEqual([sent.indexOf('asked'), sent.lastIndexOf('asked')], [5, 5]);
  });

  it('sleeps until the next slot, and not more often', async () => {
    const clock = manualClock();
    let sleeps = 0;
    const sleep: ManualClock['sleep'] = (...args) => {
      sleeps++;
      return clock.sleep(...args);
    };
    const queue = queueOf({ ...clock, sleep }, { atOnce: 9, perSecond: () => 2 });
    for (let index = 0; index < 4; index++) queue.querySlot(0, 'scheduled');
    await clock.advance(1500);
    assert.deepEqual([queue.waiting(), sleeps], [0, 3]);
  });

  it('gives each slot to the query that waited longest when no page has asked', async () => {
    const { add, clock, sent } = createQueue(1);
    for (let index = 0; index < 12; index++) add(`q${index}`, 'scheduled', 1);
    await clock.advance(11_000);
    assert.deepEqual(
      sent,
      Array.from({ length: 12 }, (_, index) => `q${index}`),
    );
  });
});
