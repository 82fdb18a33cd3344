/** Checks when an order is queried: once for all callers, and within the budget. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../../relay/ledger/rows.js';
import { offerOf, type OptionSwitch } from '../../../../../relay/orders/option-switches.js';
import { readOrder } from '../../../../../relay/orders/order-store.js';
import { createTokenBucket } from '../../../../../relay/orders/polling/budget.js';
import {
  createQueryOrder,
  type QueryOrder,
} from '../../../../../relay/orders/polling/query-order.js';
import { settle } from '../../../support/manual-clock.js';
import { testConfig } from '../../../support/world.js';
import { createParts, refusing, unanswered, type Parts } from '../parts.js';
import { findOrder, replaceOrder } from '../../../support/ledger-calls.js';

type Querying = Parts & QueryOrder;

async function querying(perSecond = 100, config: Parameters<typeof createParts>[0] = {}) {
  const parts = await createParts(config);
  const made: Querying = {
    ...parts,
    ...createQueryOrder(
      parts.context,
      parts.store,
      () => perSecond,
      createTokenBucket(() => perSecond, parts.clock.elapsed),
    ),
  };
  return made;
}
/** Holds the answers of the service back until the test gives them. */
function holdAnswers({ service }: Parts): { answer(status: number): Promise<void> } {
  const waiting: ((status: number) => void)[] = [];
  service.query = ({ request_id }) =>
    new Promise((resolve) => waiting.push((status) => resolve({ status, request_id })));
  return {
    answer: async (status) => {
      waiting.shift()?.(status);
      await settle();
    },
  };
}

/** Makes a scheduled query, and lets a page ask about the order while the ledger claims it. */
async function queryWhilePageComes(parts: Querying, order: OrderRow): Promise<void> {
  const { ledger } = parts.context;
  const { claimQuerySlot } = ledger;
  let page: Promise<unknown> | null = null;
  ledger.claimQuerySlot = async (...args) => {
    page ??= parts.query(order, 'asked');
    return claimQuerySlot(...args);
  };
  await parts.query(order, 'scheduled');
  await page;
}

describe('a query', () => {
  it('sends one query for all callers, and gives its answer to all', async () => {
    const parts = await querying();
    const order = await parts.add();
    const { answer } = holdAnswers(parts);
    const callers = [1, 2, 3].map(() => parts.query(order, 'asked'));
    await settle();
    assert.equal(parts.isUnderWay('r1'), true);
    await answer(20);
    const outcomes = (await Promise.all(callers)).map(({ order: { outcome } }) => outcome);
    assert.deepEqual(outcomes, ['succeeded', 'succeeded', 'succeeded']);
    assert.deepEqual([parts.queried, parts.isUnderWay('r1')], [['r1'], false]);
  });

  it('leaves a quarter of the connections to customers', async () => {
    const parts = await querying(100, { service: { ...testConfig.service, connections: 4 } });
    const { answer } = holdAnswers(parts);
    for (const request_id of ['r1', 'r2', 'r3', 'r4', 'r5'])
      void parts.query(await parts.add({ request_id }), 'scheduled');
    await parts.clock.advance(1000);
    assert.deepEqual([parts.queried, parts.queued()], [['r1', 'r2', 'r3'], 2]);
    await answer(20);
    assert.deepEqual(parts.queried, ['r1', 'r2', 'r3', 'r4']);
  });

  it('hands waiting and later queries over to the next configuration', async () => {
    const parts = await querying(1);
    const [first, second] = [await parts.add(), await parts.add({ request_id: 'r2' })];
    const found = await readOrder(parts.context.ledger, 'r1');
    const handedOver: string[] = [];
    await parts.query(first, 'scheduled');
    const waiting = parts.query(second, 'asked');
    parts.drain(async ({ request_id }, urgency) => {
      handedOver.push(`${request_id} ${urgency}`);
      return found;
    });
    await parts.query(first, 'urgent');
    await parts.clock.advance(1000);
    await waiting;
    assert.deepEqual(handedOver, ['r1 urgent', 'r2 asked']);
    assert.deepEqual([parts.queried, parts.queued()], [['r1'], 0]);
  });

  it('sends only urgent queries when the relay stops', async () => {
    const parts = await querying(1);
    await parts.query(await parts.add(), 'scheduled');
    const asked = parts.query(await parts.add({ request_id: 'r2' }), 'asked');
    const urgent = parts.query(await parts.add({ request_id: 'r3' }), 'urgent');
    parts.drain();
    await parts.clock.advance(2000);
    await Promise.all([asked, urgent]);
    assert.deepEqual(parts.queried, ['r1', 'r3']);
  });

  it('sends queries also by the only connection', async () => {
    const parts = await querying(100, { service: { ...testConfig.service, connections: 1 } });
    for (const request_id of ['r1', 'r2', 'r3'])
      void parts.query(await parts.add({ request_id }), 'scheduled');
    await parts.clock.advance(1000);
    assert.deepEqual(parts.queried, ['r1', 'r2', 'r3']);
  });

  it('sends the next query after one that another relay had claimed', async () => {
    const parts = await querying(100, { service: { ...testConfig.service, connections: 1 } });
    const { claimQuerySlot } = parts.context.ledger;
    parts.context.ledger.claimQuerySlot = async (requestId, ...args) =>
      requestId === 'r1' ? null : claimQuerySlot(requestId, ...args);
    for (const request_id of ['r1', 'r2'])
      void parts.query(await parts.add({ request_id }), 'scheduled');
    await settle();
    assert.deepEqual(parts.queried, ['r2']);
  });

  it('sends the next query after one that the ledger could not claim', async () => {
    const parts = await querying(100, { service: { ...testConfig.service, connections: 1 } });
    const { claimQuerySlot } = parts.context.ledger;
    parts.context.ledger.claimQuerySlot = async (requestId, ...args) => {
      if (requestId === 'r1') throw new Error('disk full');
      return claimQuerySlot(requestId, ...args);
    };
    const failing = parts.query(await parts.add({ request_id: 'r1' }), 'scheduled');
    void parts.query(await parts.add({ request_id: 'r2' }), 'scheduled');
    await assert.rejects(failing, /disk full/);
    await settle();
    assert.deepEqual(parts.queried, ['r2']);
  });

  it('sends a second query for a signal that came after the first was sent', async () => {
    const parts = await querying();
    const order = await parts.add();
    const { answer } = holdAnswers(parts);
    void parts.query(order, 'asked');
    await settle();
    const signals = [parts.query(order, 'urgent'), parts.query(order, 'urgent')];
    await answer(11);
    assert.deepEqual(parts.queried, ['r1', 'r1']);
    await answer(20);
    for (const { order: asked } of await Promise.all(signals))
      assert.equal(asked.outcome, 'succeeded');
    assert.deepEqual(parts.queried, ['r1', 'r1']);
  });

  it('sends no second query for a page that asks while the first is under way', async () => {
    const parts = await querying();
    const order = await parts.add();
    const { answer } = holdAnswers(parts);
    void parts.query(order, 'scheduled');
    await settle();
    void parts.query(order, 'asked');
    await parts.clock.advance(1500);
    await answer(11);
    assert.deepEqual(parts.queried, ['r1']);
  });

  it('sends a query for a page that comes while a scheduled query is refused', async () => {
    const parts = await querying();
    const order = await parts.add({ created_at: parts.clock.now() - 7_200_000 });
    await parts.query(order, 'scheduled');
    await parts.clock.advance(5000);
    await queryWhilePageComes(parts, order);
    assert.deepEqual(parts.queried, ['r1', 'r1']);
  });

  it('keeps the slot of a scheduled query when a page comes while it is claimed', async () => {
    const parts = await querying();
    const order = await parts.add();
    await queryWhilePageComes(parts, order);
    assert.deepEqual(parts.queried, ['r1']);
  });

  it('moves a waiting query to the front when a signal comes for its order', async () => {
    const parts = await querying(1);
    for (const n of [1, 2, 3]) await parts.add({ request_id: `r${n}`, intent_id: `i${n}` });
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map(async (n) => (await findOrder(parts.context.ledger, `r${n}`))!),
    );
    for (const order of [one!, two!, three!]) void parts.query(order, 'scheduled');
    await settle();
    assert.deepEqual([parts.queried, parts.queued()], [['r1'], 2]);
    void parts.query(three!, 'urgent');
    await parts.clock.advance(1000);
    assert.deepEqual(parts.queried, ['r1', 'r3']);
  });

  it('sends one query a second for the signals of one order', async () => {
    const parts = await querying();
    const order = await parts.add();
    for (let n = 0; n < 5; n++) {
      void parts.query(order, 'urgent');
      await settle();
    }
    await parts.clock.advance(999);
    assert.deepEqual(parts.queried, ['r1']);
    await parts.clock.advance(1);
    assert.deepEqual(parts.queried, ['r1', 'r1']);
    await parts.clock.advance(5000);
    assert.deepEqual(parts.queried, ['r1', 'r1']);
    void parts.query(order, 'urgent');
    await settle();
    assert.deepEqual(parts.queried, ['r1', 'r1', 'r1']);
  });

  it('delays no signal of an order when another order has many', async () => {
    const parts = await querying();
    const order = await parts.add();
    const other = await parts.add({ request_id: 'r2', intent_id: 'i2' });
    for (const each of [order, order, other]) {
      void parts.query(each, 'urgent');
      await settle();
    }
    assert.deepEqual(parts.queried, ['r1', 'r2']);
  });

  it('reads only the ledger while the breaker is open', async () => {
    const parts = await querying();
    const order = await parts.add();
    parts.breaker.open = true;
    assert.deepEqual((await parts.query(order, 'urgent')).order, order);
    assert.deepEqual([await parts.queryDue(order), parts.queried], [undefined, []]);
  });

  it('returns the slot of a query when another relay has asked within the second', async () => {
    const parts = await querying(10);
    const order = await parts.add();
    const other = await parts.add({ request_id: 'r2', intent_id: 'i2' });
    await parts.context.ledger.claimQuerySlot('r1', parts.clock.now(), 0);
    assert.deepEqual((await parts.query(order, 'asked')).order, order);
    await parts.query(other, 'asked');
    assert.deepEqual([parts.queried, parts.clock.elapsed()], [['r2'], 0]);
  });

  it('writes the signals that came since the last query of the order', async () => {
    const { add, clock, context, query } = await querying();
    const order = await add();
    const { ledger, signalCounts } = context;
    const signal = (at: number) => signalCounts.add('r1', { first: at, last: at, count: 1 });
    const written = async () => (await ledger.signalsOf(['r1'])).get('r1') ?? null;
    signal(10);
    signal(20);
    await ledger.claimQuerySlot('r1', clock.now(), 0);
    await query(order, 'asked');
    assert.equal(await written(), null, 'another relay has the slot');
    await query(order, 'urgent');
    assert.deepEqual(await written(), { first: 10, last: 20, count: 2 });
    await clock.advance(1000);
    await query(order, 'urgent');
    assert.deepEqual(await written(), { first: 10, last: 20, count: 2 }, 'each once');
  });

  for (const [urgency, ago, verb] of [
    ['asked', 999, 'skips'],
    ['asked', 1000, 'sends'],
    ['urgent', 1, 'sends'],
    // an order of this age is due every two seconds
    ['scheduled', 1599, 'skips'],
    ['scheduled', 1600, 'sends'],
  ] as const)
    it(`${verb} a query (${urgency}) ${ago} ms after another relay’s`, async () => {
      const parts = await querying();
      const order = await parts.add();
      await parts.context.ledger.claimQuerySlot('r1', parts.clock.now() - ago, 0);
      await parts.query(order, urgency);
      assert.deepEqual(parts.queried, verb === 'sends' ? ['r1'] : []);
    });
});

describe('an order that is due', () => {
  it('queries an order when it is due', async () => {
    const parts = await querying();
    await parts.queryDue(await parts.add());
    assert.deepEqual(parts.queried, ['r1']);
  });

  it('marks an order as lost when its claim has ended, and queries it at once', async () => {
    const parts = await querying();
    const claimed = await parts.add({ sending: 'claimed', status: null, first_status: null });
    parts.service.query = unanswered;
    await parts.clock.advance(4400);
    await parts.queryDue(claimed);
    const row = await findOrder(parts.context.ledger, 'r1');
    assert.deepEqual([row?.sending, row?.outcome, parts.queried], ['lost', 'confirming', ['r1']]);
  });

  it('queries an order before waiting ones when its claim has ended', async () => {
    const parts = await querying(1);
    const others = [];
    for (const n of [2, 3, 4])
      others.push(await parts.add({ request_id: `r${n}`, intent_id: `i${n}` }));
    const claimed = await parts.add({ sending: 'claimed', status: null, first_status: null });
    await parts.clock.advance(4400);
    for (const order of others) void parts.query(order, 'scheduled');
    await settle();
    void parts.queryDue(claimed);
    await parts.clock.advance(1000);
    assert.deepEqual(parts.queried, ['r2', 'r1']);
  });

  it('keeps a claim until the clock has run for as long as a claim lasts', async () => {
    const parts = await querying();
    const claimed = await parts.add({ sending: 'claimed', status: null, first_status: null });
    await parts.clock.advance(4399);
    await parts.queryDue(claimed);
    assert.deepEqual(
      [parts.queried, (await findOrder(parts.context.ledger, 'r1'))?.sending],
      [[], 'claimed'],
    );
  });

  it('changes no order when its claim was answered meanwhile', async () => {
    const parts = await querying();
    const claimed = await parts.add({ sending: 'claimed' });
    const answered = { ...claimed, sending: 'answered' as const, version: 2 };
    await replaceOrder(parts.context.ledger, answered);
    await parts.clock.advance(4400);
    await parts.queryDue(claimed);
    assert.equal((await findOrder(parts.context.ledger, 'r1'))?.outcome, 'pending');
  });
});

describe('a lost order', () => {
  const resend = {
    service: {
      base_url: 'https://service.example',
      not_found_codes: ['4040'],
      timeout_ms: 400,
      resend_after_s: 1,
    },
  };
  const lost = {
    sending: 'lost',
    outcome: 'confirming',
    status: null,
    first_status: null,
    option: 'card',
  } as const;

  it('resends a lost order under its request_id when claim and grace are over', async () => {
    const parts = await querying(100, resend);
    const order = await parts.add({ ...lost, lost_at: parts.clock.now() });
    parts.service.query = refusing('4040');
    await parts.clock.advance(5399);
    await parts.queryDue(order);
    assert.deepEqual(parts.pays, []);
    await parts.clock.advance(2001);
    await parts.queryDue(order);
    assert.deepEqual(
      parts.pays.map(({ amount, request_id }) => [amount, request_id]),
      [['12.50', 'r1']],
    );
    const row = await findOrder(parts.context.ledger, 'r1');
    assert.deepEqual([row?.sending, row?.outcome, row?.order_no], ['answered', 'pending', 'P1']);
    assert.deepEqual(parts.queried, ['r1', 'r1']);
  });

  it('keeps the claim of a resend when its answer cannot be written', async () => {
    const parts = await querying(100, resend);
    const order = await parts.add({ ...lost, lost_at: parts.clock.now() });
    parts.service.query = refusing('4040');
    parts.service.pay = async () => {
      parts.context.ledger.change = async () => {
        throw new Error('the disk is full');
      };
      return { status: 11 };
    };
    await parts.clock.advance(5400);
    await assert.rejects(parts.queryDue(order), /the disk is full/);
    assert.equal((await findOrder(parts.context.ledger, 'r1'))?.sending, 'claimed');
  });

  it('claims a lost order for as long as its second request may take', async () => {
    const parts = await querying(100, resend);
    const order = await parts.add({ ...lost, lost_at: parts.clock.now() });
    parts.service.query = refusing('4040');
    let claimedUntil: number | null | undefined;
    parts.service.pay = async () => {
      claimedUntil = (await findOrder(parts.context.ledger, 'r1'))?.next_check_at;
      return { status: 11 };
    };
    await parts.clock.advance(5400);
    await parts.queryDue(order);
    assert.equal(claimedUntil, parts.clock.now() + 4400);
  });

  it('queries a lost order again when the answer to its second request is lost', async () => {
    const parts = await querying(100, resend);
    const order = await parts.add({ ...lost, lost_at: parts.clock.now() });
    parts.service.query = refusing('4040');
    parts.service.pay = unanswered;
    await parts.clock.advance(5400);
    await parts.queryDue(order);
    const row = await findOrder(parts.context.ledger, 'r1');
    assert.deepEqual([row?.sending, row?.lost_at], ['lost', parts.clock.now()]);
    assert.deepEqual([parts.queried, parts.pays.length], [['r1', 'r1'], 1]);
  });

  it('does not resend a lost order whose option is switched off during the signature', async () => {
    const parts = await querying(100, resend);
    const order = await parts.add({ ...lost, lost_at: parts.clock.now() });
    parts.service.query = refusing('4040');
    const { config, service } = parts.context;
    const off: OptionSwitch = { off: true, by: 'a test', at: 1, earlier: [] };
    const preparePay: typeof service.preparePay = (...request) => {
      const offer = offerOf(config, new Map([[order.option, off]]));
      Object.assign(parts.context, { offer: () => offer });
      return service.preparePay(...request);
    };
    Object.assign(parts.context, { service: { ...service, preparePay } });
    await parts.clock.advance(5400);
    await parts.queryDue(order);
    assert.deepEqual(parts.pays, []);
    assert.equal((await findOrder(parts.context.ledger, 'r1'))?.sending, 'lost');
  });

  for (const [what, change] of [
    ['its option is no longer configured', { option: 'gone' }],
    ['its option is switched off', { option: 'off' }],
    ['it was replaced', { ordinal: 1 }],
  ] as const)
    it(`does not resend a lost order when ${what}`, async () => {
      const off = { id: 'off', label: 'Off', payment_method: 'on_line', enabled: false } as const;
      const options = [...testConfig.options!, off];
      const parts = await querying(100, { ...resend, options });
      const order = await parts.add({ ...lost, lost_at: parts.clock.now(), ...change });
      if (order.option === 'card') await parts.add({ request_id: 'r2', ordinal: 2 });
      parts.service.query = refusing('4040');
      await parts.clock.advance(5400);
      await parts.queryDue(order);
      assert.deepEqual(parts.pays, []);
      assert.equal((await findOrder(parts.context.ledger, 'r1'))?.sending, 'lost');
    });
});
