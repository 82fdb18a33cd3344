/** The verbs of an operator, on a ledger in memory: what they find, change and refuse. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foundText, listedText, shownText } from '../../../../relay/commands/orders-text.js';
import { closeDeps } from '../../../../relay/commands/operator-context.js';
import { HOUR_MS } from '../../../../relay/contract/durations.js';
import { MAX_UNDELIVERED, prefixed } from '../../../../relay/ledger/operator-ledger.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { listEvents, showEvent } from '../../../../relay/operator/events.js';
import { find as findIn } from '../../../../relay/operator/find.js';
import { list, type OrderFilter } from '../../../../relay/operator/list.js';
import { listLinks } from '../../../../relay/operator/links.js';
import { switchOption } from '../../../../relay/operator/options.js';
import { Refusal } from '../../../../relay/operator/refusal.js';
import { resolve } from '../../../../relay/operator/resolve.js';
import { show } from '../../../../relay/operator/show.js';
import { outputs } from '../../../../relay/operator/shapes.js';
import { todo } from '../../../../relay/operator/todo.js';
import { verbs } from '../../../../relay/operator/verbs.js';
import { createParts, type Parts } from '../orders/parts.js';
import { ref, rules } from '../orders/fresh-order.js';
import { closeIntent } from '../../support/ledger-calls.js';
import { bearer, createWorld } from '../../support/world.js';
import { signedPay } from './signed-pay.js';

const paid = { status: 20, request_id: 'r1', currency: 'USD', order_amount: '12.50' };
const pay = (parts: Parts, id = 'r1', intentId = 'i1') =>
  parts.store.apply(ref(id, intentId), {
    type: 'query_answered',
    at: parts.clock.now(),
    answer: { ...paid, request_id: id },
  });

describe('an event that is shown', () => {
  it('lacks the key with which its reader would open the order as its customer', async () => {
    const resume_url = 'https://shop.example/pay/r#r1~m.key';
    const metadata = { resume_url: 'https://shop.example/pay/r#r2~m.key' };
    const data = { metadata, resume_url, amount: '1' };
    const body = JSON.stringify({ type: 'order.unpaid', data });
    const shop_events = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
    const parts = await createParts({ shop_events });
    await parts.add();
    await pay(parts);
    const [event] = (await parts.context.ledger.listEvents(null, 1)).rows;
    assert.ok(event);
    const shown = await showEvent({ event: async () => ({ ...event, body }) }, 'e1');
    assert.deepEqual(JSON.parse(shown.body), {
      type: 'order.unpaid',
      data: {
        metadata: { resume_url: 'https://shop.example/pay/r#r2~(withheld)' },
        resume_url: 'https://shop.example/pay/r#r1~(withheld)',
        amount: '1',
      },
    });
  });
});

const find = (ledger: Ledger, text: string) => findIn({ config: rules, ledger }, text);

describe('find', () => {
  it('finds an order by each of its names, and by six characters of one', async () => {
    const world = createWorld();
    const order = signedPay(world);
    const requestId = await order('order-10042', 'customer-42');
    const number = (await world.ledger.find(requestId))?.order.order_no ?? '';
    const kinds = async (text: string) =>
      (await find(world.ledger, text)).matches.map(({ kind, request_id }) => [kind, request_id]);
    assert.deepEqual(await kinds('order-10042'), [['intent_id', requestId]]);
    assert.deepEqual(await kinds(' order-1 '), [['intent_id', requestId]]);
    assert.deepEqual(await kinds('order'), [], 'five characters are looked up as they are');
    assert.deepEqual(await kinds(requestId.slice(0, 6)), [['request_id', requestId]]);
    assert.deepEqual(await kinds('customer-42'), [['customer_ref_id', requestId]]);
    assert.deepEqual(await kinds(number), [['order_no', requestId]]);
    for (const text of [
      `I paid, and nothing came! Payment no. ${number}.`,
      number.toLowerCase(),
      requestId.toUpperCase(),
    ])
      assert.equal((await kinds(text))[0]?.[1], requestId, text);
    const grouped = requestId.replace(/(.{4})(?=.)/g, '$1 ');
    assert.deepEqual(await kinds(grouped), [['request_id', requestId]]);
    const url = `https://shop.example/pay/r#${requestId}~key`;
    assert.deepEqual(await kinds(url), [['request_id', requestId]]);
    outputs['orders find'].parse(await find(world.ledger, number));
  });

  it('finds the orders of a pay link by its address and by its id', async () => {
    const world = createWorld();
    const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
    const terms = { ...sale, customer_ref_id: 'c', jti: 'bill-7-of-may', expires_in: 600 };
    const { body } = await world.ask('/v1/pay-links', terms, bearer);
    const { pay_link_id, url } = body as unknown as { pay_link_id: string; url: string };
    const order_token = url.split('/').at(-1);
    await world.ask('/v1/pay', { order_token, attempt: crypto.randomUUID(), option: 'card' });
    for (const text of [url, pay_link_id, `${url}?from=mail`])
      assert.equal((await find(world.ledger, text)).matches[0]?.intent_id, 'bill-7-of-may', text);
  });

  it('finds a pay link that nobody has used, and not the order of a longer number', async () => {
    const world = createWorld();
    const terms = { ...sale, customer_ref_id: 'c-9', jti: 'bill-00-1', expires_in: 600 };
    const { body } = await world.ask('/v1/pay-links', terms, bearer);
    const { pay_link_id, url } = body as unknown as { pay_link_id: string; url: string };
    await signedPay(world)('bill-00-12', 'c-10');
    for (const text of [url, pay_link_id]) {
      const { matches } = outputs['orders find'].parse(await find(world.ledger, text));
      assert.deepEqual(
        matches.map(({ amount, customer_ref_id, intent_id, kind }) => [
          ...[kind, intent_id],
          ...[amount, customer_ref_id],
        ]),
        [['pay_link_id', null, '12.50', 'c-9']],
      );
    }
  });

  it('has null in place of what an intent lacks that was closed before any order', async () => {
    const world = createWorld();
    await world.ask('/v1/close', { intent_id: 'never-ordered' }, bearer);
    const { matches } = outputs['orders find'].parse(await find(world.ledger, 'never-ordered'));
    const [{ amount, currency, customer_ref_id } = assert.fail()] = matches;
    assert.deepEqual([amount, currency, customer_ref_id], [null, null, null]);
  });

  it('has the newest 50 of more orders, and says that there are more', async () => {
    const { add, context } = await createParts();
    const found = () => find(context.ledger, 'customer-7');
    for (let n = 0; n < 50; n++)
      await add(
        { request_id: `r${n}`, intent_id: `i${n}` },
        { created_at: n, customer_ref_id: 'customer-7' },
      );
    assert.equal((await found()).more, false);
    await add(
      { request_id: 'r50', intent_id: 'i50' },
      { created_at: 50, customer_ref_id: 'customer-7' },
    );
    const { matches, more } = await found();
    assert.deepEqual([matches.length, matches[0]?.intent_id, more], [50, 'i50', true]);
  });

  it('finds the customer whose name has the spaces of the text, else the one without', async () => {
    const { add, context } = await createParts();
    const ids = async (text: string) =>
      (await find(context.ledger, text)).matches.map(({ intent_id }) => intent_id);
    await add({}, { customer_ref_id: 'Robert' });
    await add({ request_id: 'r2', intent_id: 'i2' }, { customer_ref_id: 'Robert Smith' });
    assert.deepEqual((await ids('Robert ')).sort(), ['i1', 'i2']);
    await add({ request_id: 'r3', intent_id: 'i3' }, { customer_ref_id: 'Robert ' });
    assert.deepEqual(await ids('Robert '), ['i3']);
  });

  it('finds nothing by texts that no ledger holds', async () => {
    const { add, context } = await createParts();
    await add();
    const texts = [
      '%',
      "'; drop table intents",
      'x'.repeat(10_000),
      '🌳🌳🌳🌳🌳🌳',
      '<b>P1</b>',
      '\0',
      ' ',
    ];
    for (const text of texts)
      assert.deepEqual((await find(context.ledger, text)).matches, [], text.slice(0, 20));
    const range = prefixed('i');
    assert.equal((await context.ledger.search('intent_id', range, 5)).length, 1);
  });
});

describe('list', () => {
  it('walks all orders in pages, each once, and sums what it lists', async () => {
    const parts = await createParts();
    for (let n = 0; n < 7; n++) {
      await parts.add(
        { request_id: `r${n}`, intent_id: `i${n}` },
        { created_at: 100 + Math.floor(n / 2) },
      );
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(
        parts.context,
        { since: 101, until: 103 },
        { cursor, limit: 2 },
      );
      seen.push(...page.orders.map(({ request_id }) => request_id));
      if (page.orders.length === 2) assert.deepEqual(page.sums, { USD: '25.00' });
      cursor = page.cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, ['r6', 'r5', 'r4', 'r3', 'r2']);
    const refused = list(parts.context, {}, { cursor: 'nonsense', limit: 2 });
    await assert.rejects(refused, Refusal);
    const backwards = list(parts.context, { since: 2, until: 1 }, { limit: 2 });
    await assert.rejects(backwards, /until: expected a time after since/);
  });

  it('finds a lost order although another order of the intent is in review', async () => {
    const { add, context } = await createParts();
    await add({ outcome: 'review', review_reason: 'by_table' });
    await add({ request_id: 'r2', ordinal: 2, outcome: 'confirming', sending: 'lost' });
    const ids = async (outcome: 'confirming' | 'review' | 'unmapped') =>
      (await list(context, { outcome }, { limit: 9 })).orders.map(({ request_id }) => request_id);
    assert.deepEqual(await ids('confirming'), ['r2']);
    assert.deepEqual(await ids('review'), ['r1']);
    assert.deepEqual(await ids('unmapped'), []);
    const listed = await list(context, { reason: 'by_table' }, { limit: 9 });
    assert.equal(listed.orders.length, 1);
  });

  it('finds a currency in small letters, and a paid order that is in review too', async () => {
    const { add, context } = await createParts();
    const reason = 'status_after_success';
    await add({ outcome: 'succeeded', review_reason: reason });
    await add({ request_id: 'r2', intent_id: 'i2', currency: 'usdt' });
    const found = async (filter: OrderFilter): Promise<number> =>
      (await list(context, filter, { limit: 9 })).orders.length;
    for (const currency of ['usd', 'USD', 'usdt', 'USDT'])
      assert.equal(await found({ currency }), 1, currency);
    assert.equal(await found({ outcome: 'review', reason }), 1);
    assert.equal(await found({ outcome: 'failed', reason }), 0);
  });

  it('has the pending and confirming orders without news when it lists what hangs', async () => {
    const { add, clock, context, store } = await createParts();
    const now = clock.now();
    const orders: readonly (Partial<OrderRow> & { age: number })[] = [
      { age: 2 * HOUR_MS },
      { age: 2 * HOUR_MS, outcome: 'confirming', sending: 'lost' },
      { age: 9 * HOUR_MS, checked_at: 0, outcome: 'succeeded', next_check_at: null },
      { age: 9 * HOUR_MS, sending: 'unsent', next_check_at: null },
      { age: HOUR_MS - 1 },
      { age: 9 * HOUR_MS },
      { age: 9 * HOUR_MS, outcome: 'review', review_reason: 'by_table' },
      // the service has just said again what it said nine hours ago
      { age: 9 * HOUR_MS, checked_at: now },
      // nobody asks about it any more
      { age: 9 * HOUR_MS, outcome: 'confirming', sending: 'lost', next_check_at: null },
    ];
    for (const [index, { age, ...order }] of orders.entries()) {
      const named = { request_id: `r${index}`, intent_id: `i${index}` };
      await add({ ...named, created_at: now - age, ...order }, { created_at: now - age });
    }
    // the service named a status that it had not named before
    const answer = { ...paid, status: 11, request_id: 'r5' };
    const at = now - HOUR_MS + 1;
    await store.apply(ref('r5', 'i5'), { type: 'query_answered', at, answer });
    const hanging = async (filter: OrderFilter = {}) =>
      (await list(context, { hanging: true, ...filter }, { limit: 9 })).orders
        .map(({ request_id }) => request_id)
        .sort();
    assert.deepEqual(await hanging(), ['r0', 'r1', 'r7', 'r8']);
    assert.deepEqual(await hanging({ outcome: 'confirming' }), ['r1', 'r8']);
  });
});

describe('payments that must be given back', () => {
  it('are not listed while a person must decide about the payment again', async () => {
    const parts = await createParts();
    const { add, context } = parts;
    await add({ outcome: 'review', review_reason: 'amount_mismatch' });
    await resolve(context, { id: 'r1', as: 'failed', by: 'Ann', note: 'no money came' });
    const at = parts.clock.now();
    const { order_amount: _, ...answer } = { ...paid, request_id: 'r1' };
    await parts.store.apply(ref('r1'), { type: 'query_answered', at, answer });
    const again = (await show(context, 'r1')).reviews[0];
    assert.match(
      again?.for_shop ?? '',
      /resolved as failed before, so the money may have been paid/,
    );
    assert.deepEqual((await list(context, { pay_back: true }, { limit: 9 })).orders, []);
    await resolve(context, { id: 'r1', as: 'failed', by: 'Ben', note: 'given back' });
    const [listed] = (await list(context, { pay_back: true }, { limit: 9 })).orders;
    assert.deepEqual([listed?.pay_back, listed?.resolved_by], ['resolved_as_failed', 'Ben']);
  });

  it('are listed and counted with the reason, and no other payment is', async () => {
    const parts = await createParts();
    const { add, context } = parts;
    const order = (intent_id: string, request_id: string) => ({ intent_id, request_id });
    await add(order('twice', 'r1'));
    await add({ ...order('twice', 'r2'), ordinal: 2 });
    await pay(parts, 'r1', 'twice');
    await pay(parts, 'r2', 'twice');
    await add(order('closed', 'r3'));
    const closed = await context.ledger.intent('closed');
    assert.ok(closed);
    await closeIntent(context.ledger, closed, { at: parts.clock.now(), reason: null });
    await pay(parts, 'r3', 'closed');
    const review_reason = 'amount_mismatch';
    await add({ ...order('refused', 'r4'), outcome: 'review', review_reason });
    await resolve(context, { id: 'r4', as: 'failed', by: 'Ann', note: 'given back' });
    await pay(parts, 'r4', 'refused');
    await add({ ...order('unpaid', 'r5') });
    await add(order('too little', 'r6'));
    const answer = { ...paid, request_id: 'r6', order_amount: '1.00' };
    const at = parts.clock.now();
    await parts.store.apply(ref('r6', 'too little'), { type: 'query_answered', at, answer });
    await resolve(context, { id: 'r6', as: 'failed', by: 'Ann', note: 'too little' });

    const listed = await list(context, { pay_back: true }, { limit: 9 });
    const { orders } = listed;
    const reasons = Object.fromEntries(orders.map((each) => [each.request_id, each.pay_back]));
    const expected = {
      r2: 'duplicate_payment',
      r3: 'late_payment',
      r4: 'resolved_as_failed',
      r6: 'resolved_as_failed',
    };
    assert.deepEqual(reasons, expected);
    const [found] = (await find(context.ledger, 'r2')).matches;
    assert.equal(found?.pay_back, 'duplicate_payment');
    const printed = listedText(listed).replace(/\s+/g, ' ');
    const refused =
      'pay back what came of r6: resolved_as_failed, asked 12.50 USD, the service named 1.00 USD';
    assert.ok(printed.includes(`${refused}, decided by Ann: too little`), printed);
    assert.ok(printed.includes('to be paid back: 37.50 USD in no sum, because'), printed);
    const shown = shownText(await show(context, 'r6')).replace(/\s+/g, ' ');
    assert.ok(shown.includes(refused), shown);
    const oneFound = foundText({ matches: found ? [found] : [], more: false });
    assert.match(oneFound, /succeeded duplicate_payment/);
    const counted = parts.counted.filter(([name]) => name === 'pay_backs');
    assert.deepEqual(
      counted.map(([, , labels]) => labels?.reason).sort(),
      Object.values(expected).sort(),
    );
  });
});

describe('show', () => {
  it('tells who did what, and marks a second payment', async () => {
    const parts = await createParts();
    await parts.add();
    await parts.add({ request_id: 'r2', ordinal: 2 });
    await pay(parts);
    await pay(parts, 'r2');
    const shown = outputs['orders show'].parse(await show(parts.context, 'r2'));
    const payments = shown.timeline.filter(({ outcome }) => outcome === 'succeeded');
    assert.deepEqual(
      payments.map(({ duplicate = false, request_id, source }) => [request_id, source, duplicate]),
      [
        ['r1', 'service', false],
        ['r2', 'service', true],
      ],
    );
    assert.equal(shown.intent.paid_request_id, 'r1');
    await assert.rejects(show(parts.context, 'nobody'), Refusal);
  });

  it('names the order that the customer sees: one paid in review, not the last', async () => {
    const { add, context } = await createParts();
    await add({ outcome: 'review', review_reason: 'amount_mismatch', status: 20 });
    await add({ request_id: 'r2', ordinal: 2 });
    const shown = outputs['orders show'].parse(await show(context, 'r2'));
    assert.equal(shown.shown_request_id, 'r1');
  });

  it('tells when the service signalled first and last, and how often', async () => {
    const { add, clock, context, store } = await createParts();
    await add({ created_at: clock.now() - 5000 }, { created_at: clock.now() - 5000 });
    await add({ request_id: 'r2', ordinal: 2 });
    const signals = { first: clock.now() - 3000, last: clock.now() - 1000, count: 3 };
    await context.ledger.claimQuerySlot('r1', clock.now(), 0, signals);
    await store.apply(ref('r1', 'i1'), { type: 'query_answered', at: clock.now(), answer: paid });
    const { timeline } = outputs['orders show'].parse(await show(context, 'r1'));
    const told = timeline.filter(({ what }) => what === 'signals');
    const instant = (ms: number): string => new Date(ms).toISOString();
    assert.deepEqual(told, [
      {
        at: instant(signals.first),
        source: 'service',
        what: 'signals',
        request_id: 'r1',
        signals: 3,
        last_at: instant(signals.last),
      },
    ]);
    assert.ok(timeline.findIndex(({ status }) => status === 20) > timeline.indexOf(told[0]!));
  });

  it('lets one of two people end a review, and tells the other who did', async () => {
    const { add, context } = await createParts();
    await add({
      outcome: 'review',
      review_reason: 'amount_mismatch',
      echoed_amount: '10.00',
      echoed_currency: 'USD',
    });
    const decide = (by: string) => resolve(context, { id: 'i1', as: 'failed', by, note: 'seen' });
    const both = await Promise.allSettled([decide('Ann'), decide('Ben')]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    await assert.rejects(decide('Cleo'), /it is failed; (Ann|Ben) resolved it as failed/);
    const done = both.find((each) => each.status === 'fulfilled');
    assert.equal(done?.value.evidence.difference, '-2.50');
    const { timeline } = await show(context, 'r1');
    assert.equal(timeline.filter(({ what }) => what === 'resolved').length, 1);
  });
});

describe('resolve', () => {
  it('answers whether the payment that a person keeps is to be paid back', async () => {
    const parts = await createParts();
    const review = { outcome: 'review', review_reason: 'amount_mismatch' } as const;
    await parts.add({ ...review });
    await parts.add({ request_id: 'r2', ordinal: 2, ...review });
    const payBacks: unknown[] = [];
    for (const id of ['r1', 'r2']) {
      const decision = { id, as: 'succeeded', by: 'Ann', note: 'kept' } as const;
      payBacks.push((await resolve(parts.context, decision)).order.pay_back);
    }
    assert.deepEqual(payBacks, [null, 'duplicate_payment']);
  });
});

describe('a switch of an option', () => {
  it('refuses pays with the sentence for customers, and keeps who did it', async () => {
    const world = createWorld();
    const order = signedPay(world);
    const { ledger } = world;
    const context = { config: (await createParts()).context.config, ledger, ledgerClock: Date };
    await assert.rejects(
      switchOption(context, { id: 'cash', off: true, by: 'Ann' }),
      /no option cash; the configuration has qr/,
    );
    const message = { en: 'Not today' };
    await switchOption(context, { id: 'card', off: true, by: 'Ann', message });
    await world.relay.tick();
    const failure = await order.refused('order-1-off', 'c', 'card');
    assert.deepEqual([failure.code, failure.notice], ['option_unknown', message]);
    const answer = await world.ask('/v1/checkout', { ...sale, attempt: crypto.randomUUID() });
    const { options } = answer.body.checkout as { options: { id: string }[] };
    assert.ok(options.length > 0 && !options.some(({ id }) => id === 'card'));
    const { options: listed } = await switchOption(context, { id: 'card', off: false, by: 'Ben' });
    const card = listed.find(({ id }) => id === 'card');
    assert.deepEqual([card?.offered, card?.by], [true, 'Ben']);
    assert.deepEqual(
      card?.earlier.map(({ by, off }) => [by, off]),
      [['Ann', true]],
    );
    // the next start knows it before its first request
    await switchOption(context, { id: 'card', off: true, by: 'Ann' });
    const restarted = createWorld({ ledger });
    assert.equal(
      (await signedPay(restarted).refused('order-2-off', 'c', 'card')).code,
      failure.code,
    );
  });
});

describe('what the shop lacks', () => {
  it('is listed and counted whole when there is more than one call returns', async () => {
    const shop_events = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
    const parts = await createParts({ shop_events });
    const { clock, context } = parts;
    const { ledger } = context;
    for (const n of [1, 2, 3, 4]) {
      await parts.add({ request_id: `r${n}`, intent_id: `i${n}` });
      await pay(parts, `r${n}`, `i${n}`);
      await clock.advance(1);
    }
    const [received, ...others] = await ledger.leaseDueEvents(clock.now(), clock.now() + 1, 9);
    await ledger.recordDelivery(received!, { deliveredAt: clock.now() });
    for (const event of others)
      await ledger.recordDelivery(event, { nextTryAt: null, failure: 'HTTP 500' });
    const [newest] = await ledger.undelivered();
    const waits = { ...newest!, next_try_at: clock.now() };
    ledger.undelivered = async () => Array.from({ length: MAX_UNDELIVERED }, () => waits);

    const { orders } = await list(context, { undelivered: true }, { limit: 9 });
    assert.deepEqual(
      orders.map(({ request_id }) => request_id),
      ['r4', 'r3', 'r2'],
    );
    const page = async (cursor: string | null) =>
      listEvents(ledger, { undelivered: true }, { limit: 2, cursor });
    const first = await page(null);
    const second = await page(first.cursor);
    assert.deepEqual(
      [first, second].map(({ cursor, events }) => [
        events.map(({ intent_id }) => intent_id),
        cursor === null,
      ]),
      [
        [['i4', 'i3'], false],
        [['i2'], true],
      ],
    );
    assert.equal((await todo(ledger, clock.now(), true)).events_stopped, 3);
  });
});

describe('customers/erase', () => {
  it('erases the customer that it names, and no other whose name lacks the spaces', async () => {
    const { add, context } = await createParts();
    const over = { outcome: 'failed', next_check_at: null } as const;
    await add(over, { customer_ref_id: '7' });
    await add({ ...over, request_id: 'r2', intent_id: 'i2' }, { customer_ref_id: '7 ' });
    const deps = closeDeps(context);
    const eraseById = (id: string) => verbs['customers/erase'].run(deps, { id }, 'Ann');
    assert.equal((await eraseById('7 ')).customer_ref_id, '7 ');
    assert.equal((await context.ledger.intent('i1'))?.customer_ref_id, '7');
    assert.equal((await context.ledger.intent('i2'))?.customer_ref_id, 'erased');
    await assert.rejects(eraseById('7\0'), { code: 'invalid_request', field: 'id' });
  });
});

const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree' };

describe('links list', () => {
  it('ends without a cursor when no link follows, and counts several uses only', async () => {
    const { context } = await createParts();
    const { ledger } = context;
    for (const [uses, id] of ['pl_1', 'pl_2', 'pl_3'].entries())
      await ledger.addPayLink({
        pay_link_id: id,
        token_digest: id,
        terms: JSON.stringify({ ...sale, customer_ref_id: 'c-7' }),
        uses: uses + 1,
        used: uses,
        created_at: 0,
        expires_at: 9 - uses,
        revoked_at: null,
        revoked_by: null,
        erased_at: null,
        erased_by: null,
      });
    const page = async (limit: number, cursor?: string | null) => {
      const { links, cursor: next } = await listLinks(context, { limit, cursor });
      return { ids: links.map((link) => [link.pay_link_id, link.used]), next };
    };
    const whole = [
      ['pl_1', null],
      ['pl_2', 1],
      ['pl_3', 2],
    ];
    assert.deepEqual(await page(3), { ids: whole, next: null });
    const first = await page(2);
    assert.deepEqual(first.ids, whole.slice(0, 2));
    assert.deepEqual(await page(1, first.next), { ids: whole.slice(2), next: null });
  });
});
