/** A customer's data is taken out of the ledger. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from '../../../../relay/contract/durations.js';
import { erase } from '../../../../relay/operator/erase.js';
import { listEvents } from '../../../../relay/operator/events.js';
import { find } from '../../../../relay/operator/find.js';
import { list } from '../../../../relay/operator/list.js';
import { listLinks, revokeLink } from '../../../../relay/operator/links.js';
import { resend } from '../../../../relay/operator/resend.js';
import { resolve } from '../../../../relay/operator/resolve.js';
import { outputs } from '../../../../relay/operator/shapes.js';
import { ref } from '../orders/fresh-order.js';
import { createParts } from '../orders/parts.js';
import { askedAt } from '../../support/ledger-calls.js';

const HOOKS = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
const paid = { status: 20, request_id: 'r1', currency: 'USD', order_amount: '12.50' };

describe('erase', () => {
  it('waits until nothing can be paid, and then leaves no trace of the customer', async () => {
    const parts = await createParts({ shop_events: HOOKS });
    const { clock, context } = parts;
    const { ledger } = context;
    await parts.add({}, { customer_ref_id: 'cust-9', product_name: 'A gift', remark: 'for Ann' });
    const go = () => erase(context, 'cust-9', 'Ben');
    await assert.rejects(go(), /order r1 may still change: it is pending/);
    const at = clock.now();
    await parts.store.apply(ref('r1'), { type: 'query_answered', at, answer: paid });
    await assert.rejects(go(), /the event evt_\S+ \(order.succeeded\) of i1 is undelivered/);
    const deliver = async (): Promise<void> => {
      for (const event of await ledger.leaseDueEvents(clock.now(), clock.now() + 1, 9))
        await ledger.recordDelivery(event, { deliveredAt: clock.now() });
    };
    await deliver();
    const [event] = (await listEvents(ledger, {}, { limit: 9 })).events;
    await ledger.resend([event?.id ?? ''], clock.now(), askedAt(clock.now()));
    await assert.rejects(
      go(),
      /the event evt_\S+ \(order.succeeded\) of i1 is being delivered again/,
    );
    await deliver();
    assert.deepEqual(await go(), {
      ...{ customer_ref_id: 'cust-9', intents: 1, events: 1, links: 0 },
      pay_back: [],
    });
    const kept = JSON.stringify([await ledger.intent('i1'), await ledger.event(event?.id ?? '')]);
    assert.doesNotMatch(kept, /cust-9|A gift|for Ann/);
    assert.deepEqual(await find(context, 'cust-9'), { matches: [], more: false });
    assert.equal((await ledger.event(event?.id ?? ''))?.erased_at, clock.now());
    const one = { event_id: event?.id ?? '' };
    await assert.rejects(resend(context, one, 'Ann'), { code: 'erased' });
    assert.deepEqual(await resend(context, { since: 0 }, 'Ann'), { resent: 0 });
    await ledger.resend([one.event_id], clock.now(), askedAt(clock.now()));
    assert.deepEqual(await ledger.leaseDueEvents(clock.now() + 9, clock.now() + 99, 9), []);
    const [order] = (await list(context, {}, { limit: 9 })).orders;
    assert.deepEqual([order?.amount, order?.customer_ref_id], ['12.50', 'erased']);
    assert.ok(order?.paid_at);
    await assert.rejects(go(), /knows no customer cust-9/);
  });

  it('erases an order that nobody paid, when the relay asks about it no more', async () => {
    const parts = await createParts();
    const open = { status: 11, sending: 'answered', next_check_at: null } as const;
    await parts.add(open, { customer_ref_id: 'cust-9' });
    const go = () => erase(parts.context, 'cust-9', 'Ben');
    assert.equal((await go()).intents, 1);
    const intent = (await parts.context.ledger.intent('i1'))!;
    assert.deepEqual([intent.customer_ref_id, intent.closed_by], ['erased', 'Ben']);
  });

  it('names the payments that must be given back, which it does not stop at', async () => {
    const { add, context } = await createParts();
    const customer = { customer_ref_id: 'cust-9' };
    await add({ outcome: 'succeeded', next_check_at: null }, customer);
    await add({ request_id: 'r2', ordinal: 2, outcome: 'succeeded', next_check_at: null });
    assert.deepEqual((await erase(context, 'cust-9', 'Ben')).pay_back, ['r2']);
  });

  it('erases an unmapped order that the service forgot, once a person has decided', async () => {
    const parts = await createParts();
    const { clock, context } = parts;
    const unmapped = { status: 77, outcome: 'unmapped', sending: 'answered' } as const;
    const created_at = clock.now() - 5 * DAY_MS;
    const order = { ...unmapped, created_at, next_check_at: null };
    await parts.add(order, { created_at, customer_ref_id: 'cust-9' });
    await parts.store.apply(ref('r1'), { type: 'query_not_found', at: clock.now() });
    const go = () => erase(context, 'cust-9', 'Ben');
    await assert.rejects(go(), /order r1 may still change: it is unmapped/);
    const decision = { id: 'i1', as: 'failed', by: 'Ann', note: 'no money came' } as const;
    await assert.rejects(resolve(context, { ...decision, status: 78 }), /look at the order again/);
    const resolved = await resolve(context, { ...decision, status: 77 });
    assert.equal(resolved.order.outcome, 'failed');
    assert.equal(resolved.evidence.review_reason, 'unmapped');
    assert.match(resolved.evidence.for_shop, /First write what the status means into "statuses"/);
    const { events } = await listEvents(context.ledger, {}, { limit: 9 });
    assert.deepEqual(events.map(({ type }) => type).sort(), ['order.failed', 'order.resolved']);
    await assert.rejects(resolve(context, decision), /is not in review, it is failed; Ann/);
    assert.equal((await context.ledger.openOrders()).length, 0);
    assert.equal((await go()).intents, 1);
  });

  it('waits for no event once the shop receives none, delivered or given up', async () => {
    const parts = await createParts({ shop_events: HOOKS });
    const { clock, context } = parts;
    const { ledger } = context;
    const without = { ...context, config: { ...context.config, shop_events: undefined } };
    for (const [id, customer_ref_id] of [
      ['r1', 'c-waits'],
      ['r2', 'c-given-up'],
    ] as const) {
      await parts.add({ request_id: id, intent_id: `i ${id}` }, { customer_ref_id });
      const at = clock.now();
      const answer = { ...paid, request_id: id };
      const order = { request_id: id, intent_id: `i ${id}` };
      await parts.store.apply(order, { type: 'query_answered', at, answer });
    }
    for (const event of await ledger.leaseDueEvents(clock.now(), clock.now() + 1, 9))
      if (event.intent_id === 'i r2')
        await ledger.recordDelivery(event, { nextTryAt: null, failure: 'HTTP 500' });
    for (const customer of ['c-waits', 'c-given-up']) {
      await assert.rejects(erase(context, customer, 'Ben'), /is undelivered/);
      assert.equal((await erase(without, customer, 'Ben')).events, 1);
    }
    // once shop_events is back, the shop learns of the payment, and not whose it was
    const due = await ledger.leaseDueEvents(clock.now() + 9, clock.now() + 99, 9);
    assert.deepEqual(
      due.map(({ body, intent_id }) => [intent_id, body.includes('c-waits')]),
      [['i r1', false]],
    );
  });

  it('waits until a person has ended the review', async () => {
    const parts = await createParts();
    const review = { outcome: 'review', review_reason: 'by_table', next_check_at: null } as const;
    await parts.add(review, { customer_ref_id: 'cust-9' });
    await assert.rejects(erase(parts.context, 'cust-9', 'Ben'), /it is review/);
  });

  it('keeps the event of a payment that comes while it erases', async () => {
    const parts = await createParts({ shop_events: HOOKS });
    const { ledger } = parts.context;
    await parts.add({ outcome: 'failed', next_check_at: null }, { customer_ref_id: 'cust-9' });
    const now = parts.clock.now();
    const change: typeof ledger.change = async (...given) => {
      await parts.store.apply(ref('r1'), { type: 'query_answered', at: now, answer: paid });
      return ledger.change(...given);
    };
    const meanwhile = { ...parts.context, ledger: { ...ledger, change } };
    await assert.rejects(erase(meanwhile, 'cust-9', 'Ben'), /succeeded\) of i1 is undelivered/);
    const [event] = await ledger.leaseDueEvents(now, now + 1, 9);
    assert.match(event?.body ?? '', /cust-9/);
  });

  it('erases the links of a customer who has nothing else, and keeps who did it', async () => {
    const { clock, context } = await createParts();
    const { ledger } = context;
    const terms = { ...sale, customer_ref_id: 'c-7', remark: 'for Ann', jti: 'bill-7-of-may' };
    await ledger.addPayLink({
      pay_link_id: 'pl_7',
      token_digest: 'digest',
      terms: JSON.stringify(terms),
      uses: 1,
      used: 0,
      created_at: 0,
      expires_at: clock.now() + 1,
      revoked_at: null,
      revoked_by: null,
      erased_at: null,
      erased_by: null,
    });
    const go = () => erase(context, 'c-7', 'Ben');
    await assert.rejects(go(), /the pay link pl_7 is open: revoke it/);
    await revokeLink(context, 'pl_7', 'Ann');
    assert.deepEqual(await go(), {
      ...{ customer_ref_id: 'c-7', intents: 0, events: 0, links: 1 },
      pay_back: [],
    });
    const { links } = outputs['links list'].parse(await listLinks(context, { limit: 9 }));
    const at = new Date(clock.now()).toISOString();
    assert.deepEqual(
      links.map((link) => [link.customer_ref_id, link.erased_at, link.erased_by, link.revoked_by]),
      [['erased', at, 'Ben', 'Ann']],
    );
    assert.doesNotMatch(JSON.stringify(await ledger.payLinkById('pl_7')), /c-7|A tree|for Ann/);
    // its terms name the customer `erased` now
    await assert.rejects(erase(context, 'erased', 'Cleo'), /knows no customer erased/);
    assert.equal((await ledger.payLinkById('pl_7'))?.erased_by, 'Ben');
  });

  it('closes an unpaid intent, so that its old token opens nothing anew', async () => {
    const parts = await createParts();
    await parts.add({ outcome: 'failed', next_check_at: null }, { customer_ref_id: 'c-8' });
    const { content } = (await parts.context.ledger.intent('i1'))!;
    await erase(parts.context, 'c-8', 'Ben');
    const intent = (await parts.context.ledger.intent('i1'))!;
    assert.equal(intent.content, content);
    assert.deepEqual([intent.closed_by, intent.erased_by], ['Ben', 'Ben']);
  });

  it('leaves no note of a decision, no reason of a close, and no item', async () => {
    const { add, clock, context } = await createParts();
    const { ledger } = context;
    const decided = { outcome: 'failed', resolved_as: 'failed', next_check_at: null } as const;
    await add(decided, { customer_ref_id: 'c-9', sku: 'book-of-ann', close_reason: 'Ann moved' });
    const resolution = {
      request_id: 'r1',
      resolved_as: 'failed',
      resolved_by: 'Ben',
      note: 'Ann rang',
      review_reason: 'by_table',
      resolved_at: clock.now(),
    } as const;
    await ledger.change('i1', (intent) => {
      return intent && { intent: { ...intent, resolutions: [resolution] } };
    });
    await erase(context, 'c-9', 'Ben');
    assert.doesNotMatch(JSON.stringify(await ledger.intent('i1')), /ann/i);
  });

  it('forgets only what it has erased, when the customer begins a purchase meanwhile', async () => {
    const { add, context } = await createParts();
    const { ledger } = context;
    await add({ outcome: 'failed', next_check_at: null }, { customer_ref_id: 'c-10' });
    const forgotten: (readonly string[])[] = [];
    ledger.forgetCustomer = async (_id, intentIds) => {
      if (forgotten.push(intentIds) === 1)
        await add({ request_id: 'r2', intent_id: 'i2' }, { customer_ref_id: 'c-10' });
      return true;
    };
    await assert.rejects(erase(context, 'c-10', 'Ben'), /the intent i2 changed meanwhile/);
    assert.deepEqual(forgotten, [['i1']]);
  });
});
