/** Calls, on a filled ledger, every ledger method that the running relay calls. */
import assert from 'node:assert/strict';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { lookupKinds, prefixed } from '../../../../relay/ledger/operator-ledger.js';
import type { IntentRow, OrderRow } from '../../../../relay/ledger/rows.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { filledRequestId } from '../../support/filled-ledger.js';
import {
  addLostOrder,
  askedAt,
  claimOrder,
  closeIntent,
  findOrder,
  orderInIntent,
  ordersOf,
  purgeUnsent,
  reclaimOrder,
  replaceOrder,
  settleUnpaid,
  type EventsFor,
} from '../../support/ledger-calls.js';

/** `rows` is the number of filled orders; `now` is a moment after the youngest of them. */
type Filled = { rows: number; now: number };

const intent = (id: string, created_at: number): IntentRow => ({
  ...freshIntent,
  intent_id: id,
  created_at,
});
const orderAt =
  (now: number) =>
  (id: string, change: Partial<OrderRow> = {}): OrderRow => ({
    ...fresh,
    request_id: id,
    intent_id: id,
    created_at: now,
    next_check_at: now,
    ...change,
  });
const eventAt =
  (now: number, event_id: string): EventsFor =>
  ({ intent_id }, { sequence }) => [
    {
      event_id,
      intent_id,
      sequence,
      type: 'order.succeeded',
      body: '{}',
      created_at: now,
      next_try_at: now,
      traceparent: null,
    },
  ];

/** Calls the methods so that each of their branches reads or writes. */
export async function callEverything(ledger: Ledger, filled: Filled): Promise<void> {
  const { now } = filled;
  await callOrders(ledger, filled);
  await callFollowing(ledger, filled);
  await callForTheShop(ledger, filled);
  await callPayLinks(ledger, filled);
  await callForTheOperator(ledger, filled);
  await callCounts(ledger, filled);
  const address = {
    customer_ref_id: 'c',
    currency: 'BTC',
    network: '',
    address: 'a',
    tag: '',
    created_at: now,
  };
  await ledger.keepDepositAddress(address);
  await ledger.depositAddress('c', 'BTC', '');
  await ledger.keepSetting('a setting', 'one');
  await ledger.keepSetting('a setting', 'two');
  await ledger.writeSetting('a setting', 'three');
  await ledger.setting('a setting');
  await ledger.openOrders();
  await ledger.ping();
  await ledger.now();
  assert.equal(await purgeUnsent(ledger, now - 1, 50), 1);
  const { deleted, next } = await ledger.purge(now, 50, null);
  assert.equal(deleted, 50);
  await ledger.purge(now, 50, next);
}

async function callOrders(ledger: Ledger, { now, rows }: Filled): Promise<void> {
  const order = orderAt(now);
  const first = { intent: intent('a', now), order: order('a'), after: null };
  const second = { ...first, order: order('b', { intent_id: 'a', ordinal: 2 }) };
  const old = { intent: intent('old', now - 2), order: order('old', { created_at: now - 2 }) };
  assert.equal((await claimOrder(ledger, first)).claimed, true);
  assert.equal((await claimOrder(ledger, second)).claimed, false);
  assert.equal((await claimOrder(ledger, { ...second, after: 'a' })).claimed, true);
  await claimOrder(ledger, { ...old, after: null });
  const unsent = { ...old.order, sending: 'unsent', next_check_at: null, version: 2 } as const;
  await replaceOrder(ledger, unsent);
  assert.equal(await reclaimOrder(ledger, unsent), true);
  await replaceOrder(ledger, { ...unsent, version: 4 });
  await ledger.intent('a');
  await findOrder(ledger, filledRequestId(rows));
  assert.equal((await ordersOf(ledger, 'a')).length, 2);
  assert.equal((await orderInIntent(ledger, 'a'))?.others.length, 1);
  await replaceOrder(ledger, { ...order('a'), version: 2 });
  assert.equal(await addLostOrder(ledger, order('lost', { intent_id: 'a', ordinal: 3 })), true);
  assert.equal(await addLostOrder(ledger, order('lost', { intent_id: 'a', ordinal: 3 })), false);
  const lostToo = order('lost too');
  assert.equal(await addLostOrder(ledger, lostToo, intent('lost too', now)), true);
  assert.equal(await addLostOrder(ledger, lostToo, intent('lost too', now)), false);
  const paid = { ...order('a'), sending: 'answered', outcome: 'succeeded', version: 3 } as const;
  const resolution = {
    request_id: 'a',
    resolved_as: 'succeeded',
    resolved_by: 'somebody',
    note: 'seen at the bank',
    review_reason: 'two_links',
    resolved_at: now,
  } as const;
  assert.equal(await replaceOrder(ledger, paid, eventAt(now, 'an event'), { resolution }), true);
}

async function callForTheShop(ledger: Ledger, { now }: Filled): Promise<void> {
  const closed = { at: now, reason: 'sold out' };
  assert.notEqual((await closeIntent(ledger, intent('unknown', now), closed)).closed_at, null);
  const due = { ...intent('due', now), unpaid_due_at: now };
  const order = orderAt(now)('due');
  await claimOrder(ledger, { intent: due, order, after: null });
  assert.equal(await replaceOrder(ledger, { ...order, version: 2 }, eventAt(now, 'due')), true);
  assert.equal((await ledger.dueUnpaid(now, 50)).length, 1);
  await settleUnpaid(ledger, 'due', now, () => ({ postponeTo: now + 1 }));
  await settleUnpaid(ledger, 'due', now + 1, () => 'drop');
  for (const list of ['orders', 'events'] as const) await ledger.reach(list);
  assert.equal(await ledger.heldBack(), null);
  const { last } = await ledger.listOrders(null, 50);
  assert.notEqual((await ledger.listOrders(last, 50)).rows.length, 0);
  const events = await ledger.listEvents(null, 50);
  assert.notEqual((await ledger.listEvents(events.last, 50)).rows.length, 0);
  await ledger.listEvents(events.last, 50, { intentId: 'a' });
  const ids = events.rows.map(({ event_id }) => event_id);
  await ledger.resend([...ids, 'an event'], now, askedAt(now));
  for (const event of await ledger.leaseDueEvents(now, now + 1, 200))
    await ledger.recordDelivery(event, { deliveredAt: now });
}

async function callPayLinks(ledger: Ledger, { now }: Filled): Promise<void> {
  const pay_link_id = `pl_${'a'.repeat(16)}`;
  const intentId = `${pay_link_id}-${'b'.repeat(26)}`;
  await ledger.addPayLink({
    pay_link_id,
    token_digest: 'digest of a token',
    terms: '{}',
    uses: 2,
    used: 0,
    created_at: now,
    expires_at: now + 1,
    revoked_at: null,
    revoked_by: null,
    erased_at: null,
    erased_by: null,
  });
  const used = async () => (await ledger.payLink('digest of a token'))?.used;
  const payLink = { pay_link_id, now };
  const order = { ...orderAt(now)('by link'), intent_id: intentId };
  const claim = { intent: intent(intentId, now), order, after: null, payLink };
  assert.equal((await claimOrder(ledger, claim)).claimed, true);
  assert.equal(await used(), 1);
  const unsent = { ...order, sending: 'unsent', next_check_at: null, version: 2 } as const;
  await replaceOrder(ledger, unsent);
  assert.equal(await used(), 0);
  assert.equal(await reclaimOrder(ledger, unsent, { payLink }), true);
  assert.equal(await ledger.revokePayLink(pay_link_id, now), now);
  assert.equal(await ledger.purgePayLinks(now + 86_400_000, 1), 1);
}

async function callForTheOperator(ledger: Ledger, { now, rows }: Filled): Promise<void> {
  for (const kind of lookupKinds) await ledger.search(kind, prefixed('123456'), 20);
  const requestId = filledRequestId(rows);
  const exactly = { from: requestId, to: requestId };
  assert.equal((await ledger.search('request_id', exactly, 20)).length, 1);
  await ledger.intentsOfCustomer('web-1', '', 20);
  await ledger.eraseLink('pl_unknown', '{}', { at: now, by: 'Ann' });
  await ledger.searchAddresses(prefixed('rEb8TK'), 20);
  const span = { since: now - 86_400_000, until: now };
  const [newest] = await ledger.walkIntents('created', span, null, 1);
  const { at, intent } = newest!;
  const after = { at, id: intent.intent_id };
  assert.notEqual((await ledger.walkIntents('created', span, after, 20)).length, 0);
  await ledger.walkIntents(['review', 'unmapped', 'confirming'], span, null, 20);
  await ledger.oldestOpen('confirming', now, 20);
  const [event] = await ledger.walkEvents(span, null, 1);
  const { created_at, event_id, seq } = event!;
  await ledger.walkEvents(span, { at: created_at, id: String(seq) }, 20);
  await ledger.undelivered();
  assert.ok((await ledger.eventsBefore(span.since)) < seq);
  assert.equal((await ledger.event(event_id))?.seq, seq);
  const [link] = await ledger.walkPayLinks(null, 1);
  await ledger.walkPayLinks({ at: link!.expires_at, id: link!.pay_link_id }, 20);
  assert.notEqual(await ledger.payLinkById(link!.pay_link_id), null);
  await ledger.settingsFrom('a');
  for (const hasReceiver of [true, false])
    await ledger.eraseEvent(event_id, '{}', now, hasReceiver);
  await ledger.forgetCustomer('web-1', [intent.intent_id]);
}

async function callCounts(ledger: Ledger, { now }: Filled): Promise<void> {
  assert.equal(await ledger.countChanges(3), true);
  assert.equal(await ledger.countChanges(500), false);
  assert.notEqual((await ledger.hourCounts({ since: now - 1, until: now })).counts.length, 0);
  await ledger.recount();
  // empties a part
  assert.equal(await ledger.countChanges(50), true);
}

async function callFollowing(ledger: Ledger, { now, rows }: Filled): Promise<void> {
  const order = orderAt(now);
  const [event] = await ledger.leaseDueEvents(now, now + 1, 20);
  assert.ok(event);
  await ledger.recordDelivery(event, { nextTryAt: now, failure: 'HTTP 500' });
  assert.equal((await ledger.outbox()).waiting, 1);
  // two deliveries of one event, as after a resend: each runs its own statement
  await ledger.recordDelivery(event, { deliveredAt: now });
  await ledger.recordDelivery({ ...event, next_try_at: now }, { deliveredAt: now });
  assert.notEqual((await ledger.leaseDueOrders(now + 1000, now + 2000, 20)).length, 0);
  const signals = { first: now, last: now, count: 1 };
  await ledger.claimQuerySlot(filledRequestId(rows), now, 500, signals);
  assert.deepEqual([...(await ledger.signalsOf([filledRequestId(rows)])).values()], [signals]);
  const filled = await ledger.find(filledRequestId(rows));
  assert.equal(await ledger.postpone(filled!.intent, now + 1000, now), true);
  const { cursor } = await ledger.changes(null);
  await replaceOrder(ledger, order('b', { intent_id: 'a', ordinal: 2, version: 2 }));
  assert.notEqual((await ledger.changes(cursor)).changed.length, 0);
  const beat = (await ledger.heartbeat('one')).get('one') ?? 0;
  await ledger.forgetInstance('one', beat);
  await ledger.repairSchedules(
    now - 1000,
    { claimMs: 14_000, retryMs: [0, 5000], checkMs: () => 0 },
    null,
  );
}
