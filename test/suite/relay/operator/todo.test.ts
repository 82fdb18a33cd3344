/** What waits for a person: which orders and events, and in which order. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../../../relay/contract/durations.js';
import { replacing } from '../../../../relay/ledger/rules.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { listEvents } from '../../../../relay/operator/events.js';
import { resend } from '../../../../relay/operator/resend.js';
import { resolve } from '../../../../relay/operator/resolve.js';
import { todoShape } from '../../../../relay/operator/shapes.js';
import { show } from '../../../../relay/operator/show.js';
import { todo } from '../../../../relay/operator/todo.js';
import { createParts, type Parts } from '../orders/parts.js';

const HOOKS = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };

/** Adds orders of as many intents; each was created so long before now. */
async function added(
  orders: readonly (Partial<OrderRow> & { age: number })[],
): Promise<Parts & { now: number }> {
  const parts = await createParts({ shop_events: HOOKS });
  const now = parts.clock.now();
  for (const [index, { age, ...order }] of orders.entries()) {
    const named = { request_id: `r${index}`, intent_id: `i${index}` };
    await parts.add({ ...named, created_at: now - age, ...order }, { created_at: now - age });
  }
  return { ...parts, now };
}

describe('to do', () => {
  it('names every order that waits for a person, the oldest first, and what to do', async () => {
    const review = { outcome: 'review', review_reason: 'two_links' } as const;
    const { context, now } = await added([
      { age: 5, ...review },
      { age: 3 * HOUR_MS, outcome: 'confirming', sending: 'lost', status: null },
      { age: 2 * HOUR_MS, outcome: 'unmapped', status: 77, sending: 'answered' },
      { age: HOUR_MS - 1, outcome: 'confirming', sending: 'lost' },
      { age: 4 * HOUR_MS, outcome: 'pending' },
      { age: 5 * HOUR_MS, outcome: 'failed', next_check_at: null },
    ]);
    const { items, more } = todoShape.parse(await todo(context.ledger, now, true));
    assert.deepEqual(
      items.map(({ kind, reason, request_id }) => [kind, request_id, reason]),
      [
        ['confirming', 'r1', null],
        ['unmapped', 'r2', 'status 77'],
        ['review', 'r0', 'two_links'],
      ],
    );
    assert.equal(more, false);
    const [lost, unmapped, inReview] = items.map(({ what_to_do }) => what_to_do);
    assert.match(lost ?? '', /has not confirmed/);
    assert.match(unmapped ?? '', /status 77.*and reload every relay/);
    assert.match(inReview ?? '', /sent two links for one order/);
    assert.equal(items[0]?.since, new Date(now - 3 * HOUR_MS).toISOString());
  });

  it('names what contradicts a payment or a decision, until a person has looked', async () => {
    const taken = { outcome: 'succeeded', review_reason: 'status_after_success' } as const;
    const contrary = { outcome: 'failed', review_reason: 'by_table', status: 12 } as const;
    const { context, now } = await added([
      { age: 2, ...taken },
      { age: 1, resolved_as: 'failed', ...contrary },
    ]);
    const { items } = await todo(context.ledger, now, true);
    assert.deepEqual(
      items.map(({ kind, reason }) => [kind, reason]),
      [
        ['review', 'status_after_success'],
        ['review', 'by_table'],
      ],
    );
    assert.match(items[0]?.what_to_do ?? '', /another status after the payment.* stays paid/);
    assert.match(items[1]?.what_to_do ?? '', /service contradicts the last decision \(by_table\)/);
    const { reviews } = await show(context, 'i1');
    assert.deepEqual(
      reviews.map(({ request_id, status }) => [request_id, status]),
      [['r1', 12]],
    );
    for (const [id, as] of [
      ['i0', 'succeeded'],
      ['i1', 'failed'],
    ] as const)
      await resolve(context, { id, as, by: 'Ann', note: 'asked the service' });
    assert.deepEqual((await todo(context.ledger, now, true)).items, []);
  });

  it('takes back no delivery because of a payment that was to be paid back', async () => {
    const paid = { outcome: 'succeeded', review_reason: 'status_after_success' } as const;
    const { context, now } = await added([
      { age: 4, ...paid },
      { age: 3, ...paid },
      { age: 2, ...paid },
      { age: 1, ...paid, review_reason: 'request_id_mismatch' },
      { age: 0, ...paid, resolved_as: 'failed' },
    ]);
    const read = context.ledger.oldestOpen;
    const changes = [{}, { paid_request_id: 'r9' }, { closed_at: now }, {}, {}];
    context.ledger.oldestOpen = async (...given) =>
      (await read(...given)).map((intent, index) => ({ ...intent, ...changes[index] }));
    const { items } = await todo(context.ledger, now, true);
    const advice = items.map(({ what_to_do }) => what_to_do);
    const isTold = (sentence: RegExp) => advice.map((each) => sentence.test(each));
    assert.deepEqual(isTold(/take back what you delivered/), [true, false, false, false, false]);
    assert.deepEqual(isTold(/take back nothing/), [false, true, true, false, true]);
  });

  it('says that no decision keeps a payment of a purchase that is paid or closed', async () => {
    const review = { outcome: 'review', review_reason: 'amount_mismatch' } as const;
    const { add, context, now } = await added([
      { age: 4, ...review },
      { age: 3, ...review },
      { age: 2, ...review },
      { age: 1, ...review },
    ]);
    const paid = { ordinal: 2, outcome: 'succeeded' } as const;
    await add({ request_id: 'r1.2', intent_id: 'i1', ...paid });
    await add({ request_id: 'r2.2', intent_id: 'i2', ...paid, resolved_as: 'failed' });
    const read = context.ledger.oldestOpen;
    context.ledger.oldestOpen = async (...given) =>
      (await read(...given)).map((intent) =>
        intent.intent_id === 'i3' ? { ...intent, closed_at: now } : intent,
      );
    const { items } = await todo(context.ledger, now, true);
    const why = items.map(({ what_to_do }) => /The purchase is .*$/.exec(what_to_do)?.[0]);
    const end = 'also after "succeeded" this payment is to be paid back.';
    const expected = [`The purchase is paid by the order r1.2: ${end}`, undefined];
    assert.deepEqual(why, [undefined, ...expected, `The purchase is closed: ${end}`]);
  });

  it('names a second order of an intent that is in review', async () => {
    const { add, context, now } = await added([
      { age: 5, outcome: 'review', review_reason: 'two_links' },
    ]);
    const lost = { outcome: 'confirming', sending: 'lost', created_at: now - 2 * HOUR_MS } as const;
    await add({ request_id: 'r0.2', intent_id: 'i0', ordinal: 2, ...lost });
    const { items } = await todo(context.ledger, now, true);
    assert.deepEqual(
      items.map(({ request_id }) => request_id),
      ['r0.2', 'r0'],
    );
  });

  it('names an order an hour after it began to be confirming, however old it is', async () => {
    const { context, now } = await added([{ age: 9 * HOUR_MS }]);
    const { ledger } = context;
    const order = (await ledger.find('r0'))!.order;
    const confirming = { ...order, outcome: 'confirming', version: order.version + 1 } as const;
    await ledger.change('i0', replacing(order)(confirming, now));
    assert.deepEqual((await todo(ledger, now + HOUR_MS - 1, true)).items, []);
    const [item] = (await todo(ledger, now + HOUR_MS, true)).items;
    assert.deepEqual([item?.kind, item?.since], ['confirming', new Date(now).toISOString()]);
  });

  it('does not name an order that nobody asks about any more, beside one in review', async () => {
    const { add, context, now } = await added([
      { age: 5, outcome: 'review', review_reason: 'two_links' },
    ]);
    const lost = { outcome: 'confirming', sending: 'lost', created_at: now - 2 * HOUR_MS } as const;
    const named = { request_id: 'r0b', intent_id: 'i0', ordinal: 2 };
    await add({ ...named, ...lost, next_check_at: null });
    const { items } = await todo(context.ledger, now, true);
    assert.deepEqual(
      items.map(({ request_id }) => request_id),
      ['r0'],
    );
  });

  it('names events that failed for ten minutes, one item for each intent', async () => {
    const { clock, context, now, store } = await added([{ age: 0 }, { age: 0 }]);
    const { ledger } = context;
    for (const [request_id, intent_id] of [
      ['r0', 'i0'],
      ['r1', 'i1'],
    ] as const) {
      const paid = { status: 20, request_id, order_no: undefined };
      const answer = { ...paid, currency: 'USD', order_amount: '12.50' };
      await store.apply({ request_id, intent_id }, { type: 'query_answered', at: now, answer });
    }
    const due = await ledger.leaseDueEvents(now, now + 1, 9);
    for (const event of due) {
      const isFirst = event.intent_id === 'i0';
      await ledger.recordDelivery(
        event,
        isFirst ? { nextTryAt: now + HOUR_MS, failure: 'HTTP 500' } : { deliveredAt: now },
      );
    }
    const early = await todo(ledger, now + 10 * MINUTE_MS - 1, true);
    assert.deepEqual([early.items, early.events_stopped], [[], 0]);
    const { items } = todoShape.parse(await todo(ledger, now + 10 * MINUTE_MS, true));
    assert.deepEqual(
      items.map(({ amount, intent_id, kind, reason }) => [kind, intent_id, amount, reason]),
      [['undelivered', 'i0', '12.50', 'HTTP 500']],
    );
    assert.match(items[0]?.what_to_do ?? '', /order\.succeeded.*still tries/);
    // given up at once, so nobody waits for ten minutes
    const [again] = await ledger.leaseDueEvents(now + HOUR_MS, now + 2 * HOUR_MS, 1);
    await ledger.recordDelivery(again!, { nextTryAt: null, failure: 'HTTP 410' });
    const [givenUp] = (await todo(ledger, clock.now(), true)).items;
    assert.match(givenUp?.what_to_do ?? '', /given up/);
    assert.equal((await todo(ledger, clock.now(), true)).events_stopped, 1);
    assert.equal(givenUp?.reason, 'HTTP 410');
  });

  it('names an event that was written without a receiver once there is one', async () => {
    const parts = await createParts();
    const { clock, context, store } = parts;
    const { ledger } = context;
    await parts.add({ request_id: 'r0', intent_id: 'i0' });
    const answer = { status: 20, request_id: 'r0', currency: 'USD', order_amount: '12.50' };
    const ref = { request_id: 'r0', intent_id: 'i0' };
    await store.apply(ref, { type: 'query_answered', at: clock.now(), answer });
    const without = await todo(ledger, clock.now(), false);
    assert.deepEqual([without.items, without.events_stopped], [[], 0]);
    const [item] = (await todo(ledger, clock.now(), true)).items;
    assert.match(item?.what_to_do ?? '', /order\.succeeded. Send them again: no receiver/);
    const listed = await listEvents(ledger, { undelivered: true }, { limit: 9 });
    assert.deepEqual(
      listed.events.map(({ type }) => type),
      ['order.succeeded'],
    );
    const { context: withReceiver } = await createParts({ shop_events: HOOKS });
    const { config } = withReceiver;
    const receiving = { ...context, config };
    const resendSince = (since: number) => resend(receiving, { since, undelivered: true }, 'Ann');
    assert.deepEqual(await resendSince(Number.MAX_SAFE_INTEGER), { resent: 0 });
    assert.deepEqual(await resendSince(0), { resent: 1 });
    assert.equal((await todo(ledger, clock.now(), true)).events_stopped, 0);
    assert.equal((await ledger.leaseDueEvents(clock.now(), clock.now() + 1, 9)).length, 1);
  });

  it('names the hundred oldest when more wait, and says that there are more', async () => {
    const orders = Array.from({ length: 101 }, (_, age) => {
      return { age, outcome: 'review', review_reason: 'by_table' } as const;
    });
    const { context, now } = await added(orders);
    const { items, more } = await todo(context.ledger, now, true);
    assert.deepEqual([items.length, items[0]?.request_id, more], [100, 'r100', true]);
    assert.equal(items.at(-1)?.request_id, 'r1');
  });
});
