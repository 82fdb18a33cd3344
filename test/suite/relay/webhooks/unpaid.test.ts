/** Decides which intents are reported as unpaid, and when. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Intent, Rule } from '../../../../relay/ledger/intent.js';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { createReportUnpaid, orderToReport } from '../../../../relay/webhooks/unpaid.js';
import { fresh, freshIntent, ref } from '../orders/fresh-order.js';
import { createParts, type Parts } from '../orders/parts.js';
import { asNew } from '../../../../relay/ledger/rules.js';

const order = (change: Partial<OrderRow> = {}): Promise<OrderRow> =>
  createParts().then(({ add }) => add(change));

describe('orderToReport', () => {
  for (const outcome of ['pending', 'failed', 'expired'] as const)
    it(`returns the current order when it is ${outcome}`, async () => {
      const current = await order({ outcome });
      assert.equal(orderToReport({ orders: [current] }), current);
    });

  for (const [what, change] of [
    ['confirming', { outcome: 'confirming' }],
    ['unmapped', { outcome: 'unmapped' }],
    ['in review', { outcome: 'review' }],
    ['paid', { outcome: 'succeeded' }],
    ['being sent', { sending: 'claimed' }],
  ] as const)
    it(`returns no order to report while any order is ${what}`, async () => {
      const other = await order({ request_id: 'r2', ...change });
      assert.equal(orderToReport({ orders: [await order(), other] }), null);
    });

  it('returns the earlier order when the later order was not sent', async () => {
    const sent = await order();
    const unsent = await order({ request_id: 'r2', ordinal: 2, sending: 'unsent' });
    assert.equal(orderToReport({ orders: [sent, unsent] }), sent);
  });

  it('returns no order to report when none was ever sent', async () => {
    assert.equal(orderToReport({ orders: [await order({ sending: 'unsent' })] }), null);
    assert.equal(orderToReport({ orders: [] }), null);
  });
});

describe('createReportUnpaid', () => {
  const reporter = (
    { context }: Parts,
    ask: () => Promise<void> = async () => {},
  ): (() => Promise<void>) =>
    createReportUnpaid({
      config: context.config,
      ledger: context.ledger,
      ledgerClock: context.ledgerClock,
      orderKey: (requestId) => context.capabilities.mint('order', requestId),
      ask,
    });
  const report = (parts: Parts): Promise<void> => reporter(parts)();
  const due = async (
    change: Partial<OrderRow> = {},
    intent: Partial<IntentRow> = {},
  ): Promise<Parts> => {
    const parts = await createParts({
      shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } },
    });
    const now = parts.clock.now();
    await parts.add(
      { checked_at: now, ...change },
      { created_at: now, unpaid_due_at: now, ...intent },
    );
    return parts;
  };
  const events = async ({ context }: Parts): Promise<Record<string, unknown>[]> =>
    (await context.ledger.listEvents(null, 100)).rows.map(
      ({ body }) => JSON.parse(body) as Record<string, unknown>,
    );

  it('reports an intent once, with a link that leads to its order', async () => {
    const parts = await due();
    await report(parts);
    await report(parts);
    const [event, ...more] = await events(parts);
    assert.deepEqual([event?.type, more], ['order.unpaid', []]);
    const { request_id, resume_url } = event?.data as Record<string, string>;
    assert.equal(request_id, 'r1');
    assert.match(resume_url ?? '', /^https:\/\/shop\.example\/pay\/r#/);
  });

  it('reports no intent before it is due', async () => {
    const parts = await due({}, { unpaid_due_at: 1_800_000_000_001 });
    await report(parts);
    assert.deepEqual(await events(parts), []);
  });

  it('postpones the report by a minute while a payment is uncertain', async () => {
    const parts = await due({ outcome: 'confirming' });
    await report(parts);
    const { unpaid_due_at } = (await parts.context.ledger.intent('i1'))!;
    assert.deepEqual([await events(parts), unpaid_due_at], [[], 1_800_000_060_000]);
  });

  it('postpones the report while nobody knows whether an order is lost', async () => {
    const parts = await due();
    await reporter(parts, () => Promise.reject(new Error('no answer')))();
    const { unpaid_due_at } = (await parts.context.ledger.intent('i1'))!;
    assert.deepEqual([await events(parts), unpaid_due_at], [[], 1_800_000_060_000]);
  });

  it('looks at an uncertain intent ever more rarely, and not after following', async () => {
    const parts = await due({ outcome: 'confirming' });
    const reportDue = reporter(parts);
    const pauses: Record<string, number> = {};
    const isWaiting = async (): Promise<number | null | undefined> =>
      (await parts.context.ledger.intent('i1'))?.unpaid_due_at;
    for (let dueAt = await isWaiting(); typeof dueAt === 'number';) {
      await parts.clock.advance(dueAt - parts.clock.now());
      await reportDue();
      const next = await isWaiting();
      const pause = typeof next === 'number' ? `${(next - dueAt) / 60_000} min` : 'dropped';
      pauses[pause] = (pauses[pause] ?? 0) + 1;
      dueAt = next;
    }
    assert.deepEqual(pauses, { '1 min': 60, '60 min': 23, '1440 min': 3, dropped: 1 });
    assert.deepEqual(await events(parts), []);
  });

  it('tries for an hour to report an intent that is due after following', async () => {
    const parts = await due();
    await parts.clock.advance(5 * 86_400_000);
    const config = {
      ...parts.context.config,
      shop_events: { ...parts.context.config.shop_events!, unpaid_after_s: 5 * 86_400 },
    };
    const late = { ...parts, context: { ...parts.context, config } };
    const reportDue = reporter(late);
    await reportDue();
    assert.deepEqual(await events(late), []);
    await parts.clock.advance(60_000);
    const answer = { status: 11 };
    await parts.store.apply(ref('r1'), { type: 'query_answered', at: parts.clock.now(), answer });
    await reportDue();
    assert.equal((await events(late)).length, 1);
  });

  it('drops the report when a person called a paid order failed', async () => {
    const parts = await due({ outcome: 'failed', resolved_as: 'failed', status: 20 });
    await report(parts);
    const { unpaid_due_at } = (await parts.context.ledger.intent('i1'))!;
    assert.deepEqual([await events(parts), unpaid_due_at], [[], null]);
  });

  it('reports an intent when a person called its failed order failed', async () => {
    const parts = await due({ outcome: 'failed', resolved_as: 'failed', status: 30 });
    await report(parts);
    assert.equal((await events(parts)).length, 1);
  });

  it('postpones the report until the service answers the query of the report', async () => {
    const parts = await due();
    await parts.clock.advance(30_000);
    const reportDue = reporter(parts);
    for (let minutes = 0; minutes < 3; minutes++) {
      await reportDue();
      await parts.clock.advance(60_000);
    }
    assert.deepEqual(await events(parts), []);
    await parts.store.apply(ref('r1'), {
      type: 'query_answered',
      at: parts.clock.now() - 20_000,
      answer: { status: 11 },
    });
    await reportDue();
    assert.equal((await events(parts)).length, 1);
  });

  it('postpones the report while only one of two orders was answered', async () => {
    const parts = await due();
    await parts.add({ request_id: 'r2', ordinal: 2, checked_at: parts.clock.now() });
    await parts.clock.advance(30_000);
    const reportDue = reporter(parts);
    await reportDue();
    const answered = (id: string): Promise<unknown> =>
      parts.store.apply(ref(id), {
        type: 'query_answered',
        at: parts.clock.now(),
        answer: { status: 11 },
      });
    await parts.clock.advance(30_000);
    await answered('r2');
    await parts.clock.advance(30_000);
    await reportDue();
    assert.deepEqual(await events(parts), []);
    await answered('r1');
    await parts.clock.advance(60_000);
    await reportDue();
    assert.equal((await events(parts)).length, 1);
  });

  for (const sending of ['unsent', 'refused'] as const)
    it(`waits for no answer about an order that is ${sending}`, async () => {
      const parts = await due();
      const never = { status: null, first_status: null, checked_at: null };
      await parts.add({ request_id: 'r2', ordinal: 2, outcome: 'failed', sending, ...never });
      await report(parts);
      assert.equal((await events(parts)).length, 1);
    });

  it('waits for an answer about an order that was placed between two looks', async () => {
    const parts = await due();
    await parts.clock.advance(30_000);
    const reportDue = reporter(parts);
    await reportDue();
    await parts.add({ request_id: 'r2', ordinal: 2, checked_at: null });
    const answer = { status: 11 };
    await parts.store.apply(ref('r1'), { type: 'query_answered', at: parts.clock.now(), answer });
    await parts.clock.advance(60_000);
    await reportDue();
    assert.deepEqual(await events(parts), []);
  });

  for (const [ageMs, count] of [
    [4999, 1],
    [5000, 0],
  ] as const)
    it(`sends ${count} reports when the last answer came ${ageMs} ms ago`, async () => {
      const parts = await due();
      await parts.clock.advance(ageMs);
      await report(parts);
      assert.equal((await events(parts)).length, count);
    });

  it('remembers ten thousand postponed intents, and forgets the oldest above that', async () => {
    const { context } = await createParts();
    const asked = new Map<string, number>();
    const order = (id: string): OrderRow => ({
      ...fresh,
      request_id: `r-${id}`,
      intent_id: id,
      sending: 'answered',
      checked_at: asked.get(id) ?? null,
    });
    const reported: string[] = [];
    let intents: string[] = [];
    const intentOf = (id: string): Intent => ({
      ...asNew({ ...freshIntent, intent_id: id, unpaid_due_at: 0 }),
      orders: [order(id)],
    });
    const ledger = {
      dueUnpaid: async () => intents.map(intentOf),
      intent: async (id: string) => intentOf(id),
      change: async (id: string, rule: Rule) => {
        const changed = rule(intentOf(id), 'e');
        if (changed?.events) reported.push(id);
        return { result: 'written', intent: intentOf(id) } as const;
      },
    };
    const { config } = context;
    const reportDue = createReportUnpaid({
      config,
      ledger,
      ledgerClock: { ageOf: () => 0, agingNow: () => 0, now: () => 1_000_000 },
      orderKey: async () => 'key',
      ask: async () => {},
    });
    const [oldest = '', second = '', ...others] = Array.from(
      { length: 10_001 },
      (_, index) => `i${index}`,
    );
    intents = [oldest, second, ...others];
    await reportDue();
    for (const id of intents) asked.set(id, 1);
    // each was answered since the first look, but the first look at the oldest one is forgotten
    intents = [oldest, second];
    await reportDue();
    assert.deepEqual(reported, [second]);
  });

  it('uses no answer that came while the order was uncertain', async () => {
    const parts = await due({ outcome: 'unmapped', status: 77 });
    const reportDue = reporter(parts);
    await reportDue();
    const { clock, store } = parts;
    await clock.advance(30_000);
    const answer = { status: 11 };
    await store.apply(ref('r1'), { type: 'query_answered', at: clock.now(), answer });
    await clock.advance(30_000);
    await reportDue();
    assert.deepEqual(await events(parts), []);
    await clock.advance(60_000);
    await store.apply(ref('r1'), { type: 'query_answered', at: clock.now(), answer });
    await reportDue();
    assert.equal((await events(parts)).length, 1);
  });

  it('postpones the report when the order was replaced while its link was made', async () => {
    const parts = await due();
    await parts.clock.advance(30_000);
    const { ledger } = parts.context;
    const { change } = ledger;
    ledger.change = async (...args) => {
      ledger.change = change;
      await parts.add({ request_id: 'r2', ordinal: 2, checked_at: parts.clock.now() });
      return change(...args);
    };
    const reportDue = reporter(parts);
    await reportDue();
    assert.deepEqual(await events(parts), []);
    const answered = (id: string): Promise<unknown> =>
      parts.store.apply(ref(id), {
        type: 'query_answered',
        at: parts.clock.now(),
        answer: { status: 11 },
      });
    await answered('r1');
    await parts.clock.advance(60_000);
    await reportDue();
    assert.deepEqual(await events(parts), []);
    await parts.clock.advance(60_000);
    for (const id of ['r1', 'r2']) await answered(id);
    await reportDue();
    const [event] = await events(parts);
    assert.equal((event?.data as Record<string, unknown>).request_id, 'r2');
  });

  for (const [what, change] of [
    ['paid', { paid_request_id: 'r9' }],
    ['closed', { closed_at: 5 }],
  ] as const)
    it(`drops the report of an intent that is ${what}`, async () => {
      const parts = await createParts();
      const row = { ...freshIntent, ...change, unpaid_due_at: parts.clock.now() };
      const intent = { ...asNew(row), orders: [{ ...fresh, sending: 'answered' } as const] };
      const { ledger } = parts.context;
      ledger.dueUnpaid = async () => [intent];
      const decided: unknown[] = [];
      ledger.change = async (_id, rule) => {
        const changed = rule(intent, 'e');
        decided.push([changed?.intent.unpaid_due_at, changed?.events]);
        return { result: 'written', intent };
      };
      await report(parts);
      assert.deepEqual(decided, [[null, undefined]]);
    });
});
