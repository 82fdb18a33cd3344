/** A long poll waits for a page's order; the sweep queries orders for which no page waits. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderInIntent } from '../../../../../relay/ledger/intent.js';
import type { OrderRow } from '../../../../../relay/ledger/rows.js';
import { createTokenBucket } from '../../../../../relay/orders/polling/budget.js';
import {
  createLongPoll,
  type LongPoll,
  type PageState,
} from '../../../../../relay/orders/polling/long-poll.js';
import { nextTurn } from '../../../../../relay/orders/polling/pacing.js';
import { show, type ShownOrder } from '../../../../../relay/orders/projection.js';
import { onAbort } from '../../../../../relay/runtime.js';
import { settle } from '../../../support/manual-clock.js';
import { createParts, refusing, unanswered, type Parts } from '../parts.js';
import { closeIntent, findOrder, replaceOrder } from '../../../support/ledger-calls.js';
import { asNew } from '../../../../../relay/ledger/rules.js';
import { freshIntent, ref } from '../fresh-order.js';

type Poll = Parts & { poll: LongPoll };

const pollOf = ({ clock, context, store }: Parts, perSecond: number): LongPoll => {
  const slots = createTokenBucket(() => perSecond, clock.elapsed);
  return createLongPoll(context, store, () => perSecond, slots);
};

async function polling(perSecond = 100): Promise<Poll> {
  const parts = await createParts();
  return { ...parts, poll: pollOf(parts, perSecond) };
}

/** The only order of an open intent. */
const found = (order: OrderRow, closed_at: number | null = null): OrderInIntent => {
  return { intent: { ...asNew(freshIntent), closed_at, orders: [order] }, order };
};

const shown = ({ context }: Poll, order: OrderRow): ShownOrder =>
  show(context.config, found(order));

type Page = PageState & { closed_at?: number | null; readAtChange?: number };

/** A page that waits; `answer` returns null until its long poll has ended. */
function waiting(
  { poll, store }: Poll,
  order: OrderRow,
  seconds = 25,
  { closed_at = null, readAtChange = store.changeCount(), ...known }: Page = {},
): { answer: () => ShownOrder | null; end: AbortController } {
  const end = new AbortController();
  let answer: ShownOrder | null = null;
  const waited = poll.remember(found(order, closed_at), readAtChange);
  const page = { known_status: order.status, ...known };
  void poll
    .wait(waited, page, seconds, (work) => onAbort(end.signal, work))
    .then(() => (answer = waited.shown));
  return { answer: () => answer, end };
}

/** Writes that the service calls the order paid. */
const writePayment = ({ clock, store }: Poll): Promise<unknown> =>
  store.apply(ref('r1'), {
    type: 'query_answered',
    at: clock.now(),
    answer: { status: 20, request_id: 'r1' },
  });

/** Does `work` during the next read of the order, after the ledger has read its row. */
function duringRead({ context: { ledger } }: Poll, work: () => unknown): void {
  const read = ledger.find;
  ledger.find = async (requestId) => {
    const before = await read(requestId);
    ledger.find = read;
    await work();
    return before;
  };
}

const paidBy = (order: OrderRow): OrderRow => {
  return { ...order, status: 20, outcome: 'succeeded', version: order.version + 1 };
};

describe('a long poll', () => {
  it('returns the known order after the seconds of a long poll, and counts the wait', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    const page = waiting(parts, order);
    await parts.clock.advance(24_999);
    assert.equal(page.answer(), null);
    assert.deepEqual(parts.counted, [['waiting_checkouts', 1, undefined]]);
    await parts.clock.advance(1);
    assert.deepEqual(page.answer(), shown(parts, order));
    assert.deepEqual(parts.counted.slice(1), [['waiting_checkouts', -1, undefined]]);
    assert.equal(parts.clock.sleeping(), 0);
  });

  it('ends a long poll at once when the page knows another status', async () => {
    const parts = await polling();
    const order = await parts.add();
    const page = waiting(parts, order, 25, { known_status: 7 });
    await settle();
    assert.deepEqual(page.answer(), shown(parts, order));
  });

  it('ends a long poll when its order was written between the read and the wait', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    const readAtChange = parts.store.changeCount();
    await writePayment(parts);
    const page = waiting(parts, order, 25, { readAtChange });
    await settle();
    assert.equal(page.answer()?.outcome, 'succeeded');
  });

  it('ends a long poll when a change comes while it reads the order', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    duringRead(parts, () => writePayment(parts));
    const page = waiting(parts, order, 25, { readAtChange: -1 });
    await settle();
    assert.equal((page.answer() as ShownOrder | null)?.outcome, 'succeeded');
  });

  it('reads an order that just changed again before it queries it', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: parts.clock.now() });
    duringRead(parts, () => writePayment(parts));
    const page = waiting(parts, order, 25, { readAtChange: -1 });
    await settle();
    assert.deepEqual([page.answer()?.outcome, parts.queried], ['succeeded', []]);
  });

  it('ends a long poll when the page leaves while the order is read', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    duringRead(parts, () => page.end.abort());
    const page = waiting(parts, order, 25, { readAtChange: -1 });
    await settle();
    assert.deepEqual([page.answer(), parts.clock.sleeping()], [shown(parts, order), 0]);
  });

  it('reads the ledger only when it may lack what other relays wrote', async () => {
    const parts = await polling();
    const order = await parts.add({ next_action: { kind: 'wait' } });
    const { ledger } = parts.context;
    const read = ledger.find;
    let reads = 0;
    ledger.find = (requestId) => {
      reads++;
      return read(requestId);
    };
    const page = waiting(parts, order);
    for (let second = 1; second <= 25; second++) {
      await parts.store.pollChanges();
      await parts.clock.advance(1000);
    }
    assert.ok(parts.queried.length > 2, `${parts.queried.length} queries`);
    assert.deepEqual([reads, page.answer()], [0, shown(parts, order)]);
    const other = await parts.add({ request_id: 'r2', intent_id: 'i2', next_check_at: null });
    waiting(parts, other);
    await parts.clock.advance(25_000);
    assert.equal(reads, 1);
  });

  it('remembers the order of a page that asks again, until a change comes', async () => {
    const parts = await polling();
    const { poll, store } = parts;
    const order = await parts.add({ next_check_at: null });
    const remembers = async (): Promise<boolean> => {
      await store.pollChanges();
      await store.pollChanges();
      return poll.remembered('r1', {}) !== null;
    };
    assert.equal(await remembers(), false);
    waiting(parts, order);
    await parts.clock.advance(25_000);
    assert.equal(await remembers(), true);
    const page = waiting(parts, order, 25, { known_version: shown(parts, order).version });
    await parts.clock.advance(24_000);
    assert.equal(page.answer(), null);
    await writePayment(parts);
    await settle();
    assert.equal(page.answer()?.outcome, 'succeeded');
    await replaceOrder(parts.context.ledger, { ...order, status: 31, version: 3 });
    assert.equal(await remembers(), false);
  });

  it('remembers no order that differs from what the page knows', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.store.pollChanges();
    await parts.store.pollChanges();
    waiting(parts, order);
    const { version } = shown(parts, order);
    assert.notEqual(parts.poll.remembered('r1', { known_version: version }), null);
    assert.equal(parts.poll.remembered('r1', { known_version: version + 1 }), null);
  });

  it('ends a long poll at once when the page has another version', async () => {
    const parts = await polling();
    const page = waiting(parts, await parts.add(), 25, { known_version: 1 });
    await settle();
    assert.equal(page.answer()?.status, 11);
  });

  it('forgets nothing of an order that a page waits for', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    const page = waiting(parts, order, 200);
    await parts.clock.advance(100_000);
    await parts.poll.sweep(1);
    await writePayment(parts);
    await settle();
    assert.equal(page.answer()?.outcome, 'succeeded');
  });

  it('ends a long poll when another relay has written the order', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.store.pollChanges();
    const page = waiting(parts, order);
    const failed: OrderRow = { ...order, status: 30, outcome: 'failed', version: 2 };
    await replaceOrder(parts.context.ledger, failed);
    await parts.store.pollChanges();
    await settle();
    assert.equal(page.answer()?.outcome, 'failed');
  });

  it('ends a long poll when another relay has closed the intent', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.store.pollChanges();
    const page = waiting(parts, order);
    const intent = await parts.context.ledger.intent('i1');
    await closeIntent(parts.context.ledger, intent!, { at: parts.clock.now(), reason: null });
    await parts.store.pollChanges();
    await settle();
    assert.equal(page.answer()?.closed, true);
  });

  it('follows the schedule that another relay wrote', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.store.pollChanges();
    waiting(parts, order);
    const due = parts.clock.now() + 5000;
    await replaceOrder(parts.context.ledger, { ...order, next_check_at: due, version: 2 });
    await parts.store.pollChanges();
    await parts.clock.advance(4999);
    assert.deepEqual(parts.queried, []);
    await parts.clock.advance(1);
    assert.deepEqual(parts.queried, ['r1']);
  });

  it('ends a long poll at once when its order was not sent', async () => {
    const parts = await polling();
    const order = await parts.add({ sending: 'unsent', status: null });
    const page = waiting(parts, order);
    await settle();
    assert.deepEqual(page.answer(), shown(parts, order));
  });

  it('queries an order when it is due, and ends the long poll with the answer', async () => {
    const parts = await polling();
    const order = await parts.add();
    const page = waiting(parts, order);
    await parts.clock.advance(1999);
    assert.deepEqual(parts.queried, []);
    parts.service.query = async ({ request_id }) => ({ status: 20, request_id });
    await parts.clock.advance(1);
    assert.deepEqual([parts.queried, page.answer()?.outcome], [['r1'], 'succeeded']);
  });

  it('keeps a long poll waiting when an answer says nothing new', async () => {
    const parts = await polling();
    const order = await parts.add({ next_action: { kind: 'wait' } });
    const page = waiting(parts, order);
    await parts.clock.advance(2000);
    assert.deepEqual([parts.queried, page.answer()], [['r1'], null]);
    await parts.clock.advance(2000);
    assert.deepEqual(parts.queried, ['r1', 'r1']);
  });

  it('ends a long poll when another order of the intent is paid', async () => {
    const parts = await polling();
    await parts.add({ next_check_at: null });
    const second = await parts.add({ request_id: 'r2', ordinal: 2, next_check_at: null });
    const page = waiting(parts, second);
    await settle();
    const answer = { status: 20, request_id: 'r1' };
    const at = parts.clock.now();
    await parts.store.apply(ref('r1'), { type: 'query_answered', at, knownAt: null, answer });
    await settle();
    assert.equal(page.answer()?.paid_by, 'r1');
  });

  it('ends a long poll when the shop closes the intent, unless the page knows it', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    const page = waiting(parts, order);
    await settle();
    const intent = await parts.context.ledger.intent('i1');
    await closeIntent(parts.context.ledger, intent!, { at: parts.clock.now(), reason: null });
    parts.store.announce('i1');
    await settle();
    const told = page.answer();
    assert.equal(told?.closed, true);
    const closed = { closed_at: parts.clock.now() };
    const later = waiting(parts, order, 25, { ...closed, known_version: told.version });
    const onlyStatus = waiting(parts, order, 25, closed);
    await parts.clock.advance(999);
    assert.equal(onlyStatus.answer(), null);
    await parts.clock.advance(1);
    assert.deepEqual(onlyStatus.answer(), told);
    await parts.clock.advance(19_000);
    assert.equal(later.answer(), null);
  });

  it('tells a page that names only a status soon that its order was replaced', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.add({ request_id: 'r2', ordinal: 2, next_check_at: null });
    const waited = parts.poll.remember((await parts.context.ledger.find('r1'))!, 0);
    let hasEnded = false;
    const wait = parts.poll.wait(waited, { known_status: order.status }, 25, () => () => {});
    void wait.then(() => (hasEnded = true));
    await parts.clock.advance(1000);
    assert.deepEqual([waited.shown.replaced, hasEnded], [true, true]);
  });

  it('ends a long poll when the page leaves, and when the relay drains', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    const [left, stays] = [waiting(parts, order), waiting(parts, order)];
    await settle();
    left.end.abort();
    await settle();
    assert.deepEqual([left.answer(), stays.answer()], [shown(parts, order), null]);
    parts.poll.drain();
    await settle();
    assert.deepEqual(stays.answer(), shown(parts, order));
    const late = waiting(parts, order);
    await settle();
    assert.deepEqual(late.answer(), shown(parts, order));
  });

  it('ends eight long polls in one turn of the event loop, the others later', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    const pages = Array.from({ length: 20 }, () => waiting(parts, order));
    await settle();
    parts.poll.drain();
    const answered: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      // the calls above have asked for the end of the turn
      await nextTurn();
      answered.push(pages.filter((page) => page.answer()).length);
    }
    assert.deepEqual(answered, [8, 16, 20]);
  });

  it('ends a long poll at once when the page left before the wait began', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    const waited = parts.poll.remember(found(order), parts.store.changeCount());
    await parts.poll.wait(waited, { known_status: 11 }, 25, (work) =>
      onAbort(AbortSignal.abort(), work),
    );
    assert.equal(parts.clock.sleeping(), 0);
  });

  it('ends at its order’s next check while the relay may not query', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: parts.clock.now() + 500 });
    const page = waiting(parts, order);
    parts.breaker.open = true;
    await parts.clock.advance(499);
    assert.equal(page.answer(), null);
    await parts.clock.advance(1);
    assert.deepEqual([page.answer()?.outcome, parts.queried], ['pending', []]);
  });

  it('does not begin while the relay may not query', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: parts.clock.now() });
    parts.breaker.open = true;
    const page = waiting(parts, order);
    await parts.clock.advance(0);
    assert.deepEqual([page.answer()?.outcome, parts.clock.sleeping()], ['pending', 0]);
  });

  it('that cannot wait is told what another relay wrote before it asked', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.store.pollChanges();
    await parts.store.pollChanges();
    await parts.clock.advance(100);
    await replaceOrder(parts.context.ledger, paidBy(order));
    parts.breaker.open = true;
    const page = waiting(parts, order);
    await settle();
    assert.equal(page.answer()?.outcome, 'succeeded');
  });

  it('stops listening when it ends, and to changes a minute later', async () => {
    const parts = await createParts();
    let listening = 0;
    const counted = (stop: () => void): (() => void) => {
      listening++;
      return () => {
        listening--;
        stop();
      };
    };
    const { onChange } = parts.store;
    parts.store.onChange = (intentId, listener) => counted(onChange(intentId, listener));
    const poll = pollOf(parts, 100);
    const order = await parts.add({ next_check_at: null });
    const waited = poll.remember(found(order), parts.store.changeCount());
    const answer = poll.wait(waited, { known_status: 11 }, 1, () => counted(() => {}));
    assert.equal(listening, 2);
    await parts.clock.advance(1000);
    await answer;
    assert.equal(listening, 1);
    await parts.clock.advance(59_999);
    await poll.sweep(1);
    assert.equal(listening, 1);
    await parts.clock.advance(1);
    await poll.sweep(1);
    assert.equal(listening, 0);
  });

  it('spreads the ends of many long polls over the last two fifths of their time', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    const pages = Array.from({ length: 400 }, () => waiting(parts, order, 10));
    const ended = (): number => pages.filter(({ answer }) => answer() !== null).length;
    await parts.clock.advance(6000);
    assert.equal(ended(), 0);
    await parts.clock.advance(2000);
    assert.ok(ended() > 100 && ended() < 300, `${ended()} ended`);
    await parts.clock.advance(2000);
    assert.equal(ended(), 400);
  });
});

describe('pages that wait for one order', () => {
  /** Pages that wait for an order of which this relay knows all. */
  async function pagesOf(
    count: number,
  ): Promise<Poll & { order: OrderRow; outcomes: () => (string | null)[] }> {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.store.pollChanges();
    const pages = Array.from({ length: count }, () => waiting(parts, order));
    await settle();
    const outcomeOf = (shown: ShownOrder | null): string | null =>
      shown && (shown.closed ? 'closed' : shown.outcome);
    return { ...parts, order, outcomes: () => pages.map(({ answer }) => outcomeOf(answer())) };
  }

  /** Lets the reads of the order wait, and returns a function that ends one of them. */
  const holdReads = ({ context: { ledger } }: Poll): ((index: number) => void) => {
    const read = ledger.find;
    const ends: (() => void)[] = [];
    ledger.find = async (requestId) => {
      const row = await read(requestId);
      await new Promise<void>((resolve) => void ends.push(resolve));
      return row;
    };
    return (index) => ends[index]!();
  };

  /** The next read of the order fails, as when the connection to the ledger ends. */
  const failNextRead = (parts: Poll): void =>
    duringRead(parts, () => {
      throw new Error('connection reset');
    });

  for (const count of [2, 3]) {
    it(`are all told when the shop closes the intent (${count})`, async () => {
      const { outcomes, clock, context, store } = await pagesOf(count);
      const intent = await context.ledger.intent('i1');
      await closeIntent(context.ledger, intent!, { at: clock.now(), reason: null });
      store.announce('i1');
      await settle();
      assert.deepEqual(outcomes(), Array(count).fill('closed'));
    });

    it(`are all told when another relay has written the order (${count})`, async () => {
      const { outcomes, context, order, store } = await pagesOf(count);
      await replaceOrder(context.ledger, paidBy(order));
      await store.pollChanges();
      await settle();
      assert.deepEqual(outcomes(), Array(count).fill('succeeded'));
    });
  }

  it('are told what one of them reads at its end', async () => {
    const parts = await pagesOf(1);
    const { outcomes, context, order, poll, store } = parts;
    const end = new AbortController();
    const leaving = poll.remember(found(order), store.changeCount());
    const left = poll.wait(leaving, { known_status: 11 }, 25, (work) => onAbort(end.signal, work));
    await replaceOrder(context.ledger, paidBy(order));
    store.isUpToDate = () => false;
    end.abort();
    await left;
    await settle();
    assert.deepEqual(outcomes(), ['succeeded']);
  });

  it('are told what was read for a page that came later', async () => {
    const { outcomes, context, order, poll, store } = await pagesOf(1);
    await replaceOrder(context.ledger, paidBy(order));
    poll.remember((await context.ledger.find('r1'))!, store.changeCount());
    await settle();
    assert.deepEqual(outcomes(), ['succeeded']);
  });

  it('follow a schedule that one of them has read', async () => {
    const { clock, context, order, poll, queried, store } = await pagesOf(1);
    const due = clock.now() + 5000;
    await replaceOrder(context.ledger, { ...order, next_check_at: due, version: 2 });
    poll.remember((await context.ledger.find('r1'))!, store.changeCount());
    await clock.advance(5000);
    assert.deepEqual(queried, ['r1']);
  });

  it('are told the newer of two rows when the older read ends first', async () => {
    const parts = await pagesOf(2);
    const { outcomes, context, order, store } = parts;
    const endRead = holdReads(parts);
    const change = async (row: OrderRow): Promise<OrderRow> => {
      await replaceOrder(context.ledger, row);
      await store.pollChanges();
      await settle();
      return row;
    };
    const rescheduled = await change({ ...order, next_check_at: 9e15, version: 2 });
    await change(paidBy(rescheduled));
    endRead(0);
    await settle();
    endRead(1);
    await settle();
    assert.deepEqual(outcomes(), ['succeeded', 'succeeded']);
  });

  it('are told by a second read when the first fails', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.store.pollChanges();
    const waited = parts.poll.remember(found(order), parts.store.changeCount());
    const first = parts.poll.wait(waited, { known_status: 11 }, 25, () => () => {});
    const failed = assert.rejects(first, /connection reset/);
    const second = waiting(parts, order);
    await settle();
    await replaceOrder(parts.context.ledger, paidBy(order));
    failNextRead(parts);
    await parts.store.pollChanges();
    await failed;
    await settle();
    assert.equal(second.answer()?.outcome, 'succeeded');
  });

  it('leave an order that must be read when the only read has failed', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: null });
    await parts.store.pollChanges();
    await parts.store.pollChanges();
    const waited = parts.poll.remember(found(order), parts.store.changeCount());
    const wait = parts.poll.wait(waited, { known_status: 11 }, 25, () => () => {});
    const failed = assert.rejects(wait, /connection reset/);
    assert.notEqual(parts.poll.remembered('r1', {}), null);
    await replaceOrder(parts.context.ledger, paidBy(order));
    failNextRead(parts);
    await parts.store.pollChanges();
    await failed;
    await parts.store.pollChanges();
    assert.equal(parts.poll.remembered('r1', {}), null);
  });

  it('do not read a due order in turns while its claim may not end', async () => {
    const parts = await polling();
    const order = await parts.add({ next_check_at: parts.clock.now(), sending: 'claimed' });
    parts.context.ledgerClock.steadyMs = () => 0;
    const { ledger } = parts.context;
    const read = ledger.find;
    let reads = 0;
    ledger.find = (requestId) => {
      // else a page that is always awake would keep this process for ever
      if (++reads === 1000) parts.poll.drain();
      return read(requestId);
    };
    for (let page = 0; page < 3; page++) waiting(parts, order, 25, { readAtChange: -1 });
    await parts.clock.advance(5000);
    assert.ok(reads < 50, `${reads} reads`);
  });
});

describe('a check of an order', () => {
  it('queries the service, and returns the order with its answer', async () => {
    const parts = await polling();
    parts.service.query = async ({ request_id }) => ({ status: 20, request_id });
    const { order: checked } = await parts.poll.check(found(await parts.add()), 1000);
    assert.deepEqual([checked.outcome, parts.clock.sleeping()], ['succeeded', 0]);
  });

  it('returns the known order when the answer takes longer', async () => {
    const parts = await polling();
    const order = await parts.add();
    parts.service.query = () => new Promise(() => {});
    let checked: OrderRow | null = null;
    void parts.poll.check(found(order), 1000).then((known) => (checked = known.order));
    await parts.clock.advance(999);
    assert.equal(checked, null);
    await parts.clock.advance(1);
    assert.deepEqual(checked, order);
  });

  for (const [what, change] of [
    ['was asked about within the second', { checked_at: 1_800_000_000_000 - 999 }],
    ['was asked about just now', { checked_at: 1_800_000_000_000 }],
    ['is being sent', { sending: 'claimed' }],
    ['was never sent', { sending: 'unsent' }],
  ] as const)
    it(`sends no query for an order that ${what}`, async () => {
      const parts = await polling();
      const order = await parts.add(change);
      assert.deepEqual((await parts.poll.check(found(order), 1000)).order, order);
      assert.deepEqual(parts.queried, []);
    });

  it('queries an order whose claim has ended, and adopts only what the service finds', async () => {
    const parts = await polling();
    const next_check_at = parts.clock.now();
    const order = await parts.add({ sending: 'claimed', status: null, next_check_at });
    const checked = async (query: Parts['service']['query']): Promise<unknown[]> => {
      parts.service.query = query;
      const { order: after } = await parts.poll.check(found(order), 1000, 'urgent');
      await parts.clock.advance(1000);
      return [after.sending, after.outcome, after.version, after.next_check_at];
    };
    const stillClaimed = ['claimed', 'pending', order.version, next_check_at];
    assert.deepEqual(await checked(unanswered), stillClaimed);
    assert.deepEqual(await checked(refusing('4040')), stillClaimed);
    const paid = { status: 20, currency: 'USD', order_amount: '12.50' };
    const adopted = await checked(async ({ request_id }) => ({ ...paid, request_id }));
    assert.deepEqual(adopted, ['answered', 'succeeded', order.version + 1, null]);
  });

  for (const [what, checked_at] of [
    ['a second ago', 1_800_000_000_000 - 1000],
    ['in the future, by a clock that stepped back since', 1_800_000_000_001],
  ] as const)
    it(`queries an order that was checked ${what}`, async () => {
      const parts = await polling();
      await parts.poll.check(found(await parts.add({ checked_at })), 1000);
      assert.deepEqual(parts.queried, ['r1']);
    });

  it('sends a query a second after another relay’s, before the schedule would', async () => {
    const parts = await polling();
    const order = await parts.add();
    await parts.context.ledger.claimQuerySlot('r1', parts.clock.now() - 1000, 0);
    await parts.poll.check(found(order), 1000);
    assert.deepEqual(parts.queried, ['r1']);
  });

  it('sends a query at once after a signal', async () => {
    const parts = await polling();
    const order = await parts.add({ checked_at: parts.clock.now() });
    await parts.context.ledger.claimQuerySlot('r1', parts.clock.now(), 0);
    assert.equal((await parts.poll.queryNow(order)).order.request_id, 'r1');
    assert.deepEqual(parts.queried, ['r1']);
  });

  it('sends an urgent query however recent the last check is', async () => {
    const parts = await polling();
    const order = await parts.add({ checked_at: parts.clock.now() });
    await parts.poll.check(found(order), 1000, 'urgent');
    assert.deepEqual(parts.queried, ['r1']);
  });

  it('sends no query while the breaker is open', async () => {
    const parts = await polling();
    const order = await parts.add();
    parts.breaker.open = true;
    assert.deepEqual((await parts.poll.check(found(order), 1000, 'urgent')).order, order);
    assert.deepEqual(parts.queried, []);
  });

  it('returns at once when more orders wait than a second has slots', async () => {
    const parts = await polling(1);
    const orders = await Promise.all(
      [1, 2, 3, 4].map((n) => parts.add({ request_id: `r${n}`, intent_id: `i${n}` })),
    );
    parts.service.query = () => new Promise(() => {});
    const done: number[] = [];
    for (const [index, order] of orders.entries())
      void parts.poll.check(found(order), 5000).then(() => done.push(index));
    await parts.clock.advance(0);
    assert.deepEqual(done, [3]);
  });

  it('returns the known order when the ledger cannot be written', async () => {
    const parts = await polling();
    const order = await parts.add();
    parts.context.ledger.change = async () => {
      throw new Error('the disk is full');
    };
    assert.deepEqual((await parts.poll.check(found(order), 1000)).order, order);
    await settle();
    const fields = { intent_id: 'i1', request_id: 'r1', error: 'Error: the disk is full' };
    assert.deepEqual(parts.lines, [['error', 'query', fields]]);
  });
});

describe('the sweep', () => {
  it('queries due orders only, the longest due first', async () => {
    const parts = await polling();
    const now = parts.clock.now();
    await parts.add({ request_id: 'r1', intent_id: 'i1', next_check_at: now });
    await parts.add({ request_id: 'r2', intent_id: 'i2', next_check_at: now - 5 });
    await parts.add({ request_id: 'r3', intent_id: 'i3', next_check_at: now + 1 });
    parts.service.query = unanswered;
    await parts.poll.sweep(10);
    await settle();
    assert.deepEqual(parts.queried, ['r2', 'r1']);
  });

  it('leases a queried order for ten seconds', async () => {
    const parts = await polling();
    const now = parts.clock.now();
    await parts.add({ next_check_at: now });
    parts.service.query = () => new Promise(() => {});
    await parts.poll.sweep(10);
    assert.equal((await findOrder(parts.context.ledger, 'r1'))?.next_check_at, now + 10_000);
  });

  it('queries the next order while an earlier query hangs', async () => {
    const parts = await polling();
    await parts.add({ next_check_at: parts.clock.now() });
    parts.service.query = () => new Promise(() => {});
    await parts.poll.sweep(10);
    await parts.add({ request_id: 'r2', intent_id: 'i2', next_check_at: parts.clock.now() });
    await parts.poll.sweep(10);
    await settle();
    assert.deepEqual(parts.queried, ['r1', 'r2']);
  });

  it('sweeps no order while the breaker is open', async () => {
    const parts = await polling();
    await parts.add({ next_check_at: parts.clock.now() });
    parts.breaker.open = true;
    await parts.poll.sweep(10);
    await settle();
    assert.deepEqual(parts.queried, []);
  });

  it('takes no more orders than its limit, and none while more are queued', async () => {
    const parts = await polling(1);
    for (let n = 1; n <= 5; n++)
      await parts.add({ request_id: `r${n}`, intent_id: `i${n}`, next_check_at: 0 });
    await parts.poll.sweep(3);
    await settle();
    assert.equal(parts.poll.queued(), 2);
    await parts.poll.sweep(1);
    assert.equal(parts.poll.queued(), 2);
    await parts.poll.sweep(2);
    await settle();
    assert.equal(parts.poll.queued(), 4);
  });

  it('leases a hundred orders in a step, so that requests are read between', async () => {
    const parts = await polling(1000);
    for (let n = 1; n <= 250; n++)
      await parts.add({ request_id: `r${n}`, intent_id: `i${n}`, next_check_at: 0 });
    const { ledger } = parts.context;
    const lease = ledger.leaseDueOrders;
    const limits: number[] = [];
    ledger.leaseDueOrders = (now, until, limit) => {
      limits.push(limit);
      return lease(now, until, limit);
    };
    parts.service.query = () => new Promise(() => {});
    await parts.poll.sweep(230);
    assert.deepEqual(limits, [100, 100, 30]);
    await parts.poll.sweep(230);
    assert.deepEqual(limits.slice(3), [100]);
  });

  it('takes further orders while pages fill the queue with theirs', async () => {
    const parts = await polling(1);
    const add = (n: number): Promise<OrderRow> =>
      parts.add({ request_id: `r${n}`, intent_id: `i${n}`, next_check_at: 0 });
    for (const order of await Promise.all([1, 2, 3, 4, 5].map(add)))
      void parts.poll.check(found(order), 1000);
    await settle();
    await parts.poll.sweep(5);
    assert.equal(parts.poll.queued(), 4);
    await add(6);
    await parts.poll.sweep(1);
    assert.equal(parts.poll.queued(), 5);
  });
});
