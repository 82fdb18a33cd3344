/** Checks which events a change of an order causes, and which fields each event has. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import type { IntentRow, NewShopEvent, OrderRow } from '../../../../relay/ledger/rows.js';
import { shopEventsFor, shopEventTypes } from '../../../../relay/webhooks/shop-event.js';
import { readSecret, testConfig } from '../../support/world.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

const pending: OrderRow = { ...fresh, sending: 'answered', status: 11 };
const types = (
  before: Partial<OrderRow>,
  after: Partial<OrderRow>,
  intent: Partial<IntentRow> = {},
): string[] =>
  shopEventTypes(
    { before: { ...pending, ...before }, after: { ...pending, ...after } },
    { ...freshIntent, ...intent },
  );
const PAID = { outcome: 'succeeded', status: 20 } as const;

describe('shopEventTypes', () => {
  for (const sending of ['answered', 'lost', 'refused'] as const)
    it(`reports an order as created when its claim is ${sending}`, () =>
      assert.deepEqual(types(fresh, { sending }), ['order.created']));

  it('reports no order as created when it was never sent, or was reported before', () => {
    assert.deepEqual(types(fresh, { ...fresh }), []);
    assert.deepEqual(types(fresh, { sending: 'unsent' }), []);
    assert.deepEqual(types({ sending: 'lost' }, {}), []);
    // sent again after it was lost
    assert.deepEqual(types({ ...fresh, outcome: 'confirming' }, { outcome: 'confirming' }), []);
  });

  it('reports the first payment of an intent once', () => {
    assert.deepEqual(types({}, PAID, { paid_request_id: 'r1' }), ['order.succeeded']);
    assert.deepEqual(types(PAID, PAID, { paid_request_id: 'r1' }), []);
  });

  it('reports a second payment as a duplicate, and a payment after the close as late', () => {
    assert.deepEqual(types({}, PAID, { paid_request_id: 'r2' }), ['order.duplicate_payment']);
    const closed = { paid_request_id: 'r1', closed_at: 5 };
    assert.deepEqual(types({}, PAID, closed), ['order.late_payment']);
    assert.deepEqual(types({}, PAID, { ...closed, paid_request_id: 'r2' }), [
      'order.duplicate_payment',
    ]);
  });

  for (const [outcome, expected] of [
    ['failed', ['order.failed']],
    ['expired', ['order.expired']],
    ['unmapped', ['order.unmapped_status']],
    ['confirming', []],
    ['pending', []],
  ] as const)
    it(`reports ${expected.length} event of an order that becomes ${outcome}`, () => {
      const before = { outcome: outcome === 'pending' ? ('confirming' as const) : pending.outcome };
      assert.deepEqual(types(before, { outcome }), expected);
      assert.deepEqual(types({ outcome }, { outcome }), []);
    });

  it('reports each unmapped status, and each failure once', () => {
    const unmapped = { outcome: 'unmapped', status: 77 } as const;
    assert.deepEqual(types(unmapped, { ...unmapped, status: 78 }), ['order.unmapped_status']);
    const failed = { outcome: 'failed', status: 30 } as const;
    assert.deepEqual(types(failed, { ...failed, status: 31 }), []);
  });

  it('reports a review, a new status during it, and what contradicts a decision', () => {
    const review = { outcome: 'review', review_reason: 'by_table' } as const;
    assert.deepEqual(types({}, review), ['order.review']);
    assert.deepEqual(types(review, review), []);
    assert.deepEqual(types(review, { ...review, status: 12 }), ['order.review']);
    const contrary = { outcome: 'failed', review_reason: 'by_table' } as const;
    assert.deepEqual(types({ outcome: 'failed' }, contrary), ['order.review']);
    assert.deepEqual(types(contrary, contrary), []);
    assert.deepEqual(types(contrary, { ...contrary, status: 12 }), ['order.review']);
  });

  it('reports a decision and its outcome when a review ends', () => {
    const review = { outcome: 'review', review_reason: 'by_table' } as const;
    const failed = { outcome: 'failed', resolved_as: 'failed' } as const;
    assert.deepEqual(types(review, failed), ['order.resolved', 'order.failed']);
    assert.deepEqual(types(failed, failed), []);
    const paid = { ...PAID, resolved_as: 'succeeded' } as const;
    assert.deepEqual(types(review, paid, { paid_request_id: 'r1' }), [
      'order.resolved',
      'order.succeeded',
    ]);
    const reversed = { ...PAID, review_reason: 'status_after_success' } as const;
    assert.deepEqual(types(reversed, paid, { paid_request_id: 'r1' }), ['order.resolved']);
  });
});

describe('shopEventsFor', () => {
  const AT = 1_800_000_000_000;
  const SHOP_EVENTS = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
  const eventsOf = (
    after: Partial<OrderRow>,
    intent: Partial<IntentRow> = {},
    config: Partial<ConfigFile> = { shop_events: SHOP_EVENTS },
    before: Partial<OrderRow> = {},
  ): readonly NewShopEvent[] =>
    shopEventsFor(
      parseConfig({ ...testConfig, ...config }, readSecret),
      { before: { ...pending, ...before }, after: { ...pending, ...after }, at: AT },
      { ...freshIntent, ...intent },
      { sequence: 4, epoch: 'e1' },
    );
  const dataOf = (event: NewShopEvent | undefined): Record<string, unknown> =>
    (JSON.parse(event?.body ?? '') as { data: Record<string, unknown> }).data;

  it('says by how much the payment differs when a person ends a review', () => {
    const review = { outcome: 'review', review_reason: 'amount_mismatch' } as const;
    const echoed = { echoed_amount: '10', echoed_currency: 'USD' };
    const decided = { ...echoed, outcome: 'failed', resolved_as: 'failed' } as const;
    const events = eventsOf(decided, {}, undefined, { ...review, ...echoed });
    assert.deepEqual(
      events.map((event) => dataOf(event).difference),
      ['-2.50', undefined],
    );
  });

  it('writes an event with the purchase and the payment, which is due at once', () => {
    const paid = { ...PAID, order_no: 'P1', echoed_amount: '12.5', echoed_currency: 'USD' };
    const [event] = eventsOf(paid, { paid_request_id: 'r1' });
    const { body, event_id, ...columns } = event!;
    assert.match(event_id, /^evt_[0-9a-f-]{36}$/);
    assert.deepEqual(columns, {
      intent_id: 'i1',
      sequence: 4,
      type: 'order.succeeded',
      created_at: AT,
      next_try_at: AT,
      traceparent: null,
    });
    assert.deepEqual(JSON.parse(body), {
      type: 'order.succeeded',
      timestamp: '2027-01-15T08:00:00.000Z',
      data: {
        intent_id: 'i1',
        request_id: 'r1',
        order_no: 'P1',
        outcome: 'succeeded',
        status: 20,
        late: false,
        open_amount: false,
        livemode: false,
        mode: 'open',
        amount: '12.50',
        currency: 'USD',
        product_name: 'A tree',
        customer_ref_id: 'c',
        echoed_amount: '12.5',
        echoed_currency: 'USD',
        sequence: 4,
        epoch: 'e1',
      },
    });
  });

  it('adds the fields of a catalogue or a token when the intent has them', () => {
    const intent = {
      mode: 'catalogue',
      sku: 'tee',
      quantity: 2,
      metadata: '{"table":"4"}',
      closed_at: 0,
      paid_request_id: 'r1',
    } as const;
    const data = dataOf(eventsOf(PAID, intent)[0]);
    const { closed_at, late_payment, metadata, mode, quantity, sku } = data;
    assert.deepEqual(
      [mode, sku, quantity, metadata, closed_at, late_payment],
      ['catalogue', 'tee', 2, { table: '4' }, '1970-01-01T00:00:00.000Z', true],
    );
    const failed = dataOf(eventsOf({ outcome: 'failed' }, { closed_at: 0 })[0]);
    for (const absent of ['late_payment', 'echoed_amount', 'echoed_currency', 'review_reason'])
      assert.equal(absent in failed, false);
  });

  it('names the first payment beside a duplicate, and the decision after a review', () => {
    const duplicate = dataOf(eventsOf(PAID, { paid_request_id: 'r2' })[0]);
    assert.equal(duplicate.first_request_id, 'r2');
    const first = dataOf(eventsOf(PAID, { paid_request_id: 'r1' })[0]);
    assert.equal('first_request_id' in first, false);
    assert.equal('resolved_as' in first, false);
    const reviewed = { outcome: 'review', review_reason: 'by_table' } as const;
    assert.equal(dataOf(eventsOf(reviewed)[0]).review_reason, 'by_table');
    const decided = { outcome: 'failed', resolved_as: 'failed' } as const;
    const [resolved, failed] = eventsOf(decided, {}, undefined, reviewed);
    assert.equal(dataOf(resolved).resolved_as, 'failed');
    assert.deepEqual([resolved?.sequence, failed?.sequence], [4, 5]);
    assert.equal(dataOf(failed).sequence, 5);
  });

  it('sets livemode when the relay is live', () => {
    const live = eventsOf({ outcome: 'failed' }, {}, { mode: 'live' });
    assert.equal(dataOf(live[0]).livemode, true);
  });

  it('writes no due time without a receiver, and no event when nobody can list events', () => {
    const [listed] = eventsOf({ outcome: 'failed' }, {}, {});
    assert.equal(listed?.next_try_at, null);
    assert.deepEqual(eventsOf({ outcome: 'failed' }, {}, { secret_key: undefined }), []);
    const unlisted = { secret_key: undefined, shop_events: SHOP_EVENTS };
    assert.equal(eventsOf({ outcome: 'failed' }, {}, unlisted).length, 1);
  });
});
