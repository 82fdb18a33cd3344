/** The bodies of fake events have the fields of real ones, so that a shop's receiver takes them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ShopEventType } from '../../../../relay/contract/shop-events.js';
import { FAKE_ORDERS, fakeEventBody } from '../../../../relay/webhooks/fake-event-body.js';
import { readSecret, testConfig } from '../../support/world.js';

const config = parseConfig(testConfig, readSecret);
const sale = { intentId: 'order-7', amount: '12.50', currency: 'USD' };
const TYPES = Object.keys(FAKE_ORDERS) as ShopEventType[];

type Data = Record<string, unknown>;
type Event = { type: string; timestamp: string; data: Data };
const eventOf = (type: ShopEventType): Event =>
  JSON.parse(fakeEventBody(config, type, sale)) as Event;

/** The fields that only events of one type have. */
const OWN_FIELDS: Partial<Record<ShopEventType, readonly string[]>> = {
  'order.review': ['review_reason'],
  'order.resolved': ['resolved_as', 'difference'],
  'order.duplicate_payment': ['first_request_id'],
  'order.late_payment': ['closed_at', 'late_payment'],
  'order.unpaid': ['resume_url'],
};
const COMMON_FIELDS = [
  ...['intent_id', 'request_id', 'order_no', 'outcome', 'status', 'late', 'open_amount'],
  ...['livemode', 'mode', 'amount', 'currency', 'product_name', 'customer_ref_id'],
  ...['echoed_amount', 'echoed_currency', 'sequence', 'epoch'],
];

describe('fakeEventBody', () => {
  it('names the sale, a made customer and a made order', () => {
    const before = Date.now();
    const { data, timestamp, type } = eventOf('order.succeeded');
    const { order_no, request_id, ...others } = data;
    assert.equal(type, 'order.succeeded');
    assert.ok(Date.parse(timestamp) >= before && Date.parse(timestamp) <= Date.now());
    assert.match(String(request_id), /^[0-9a-f]{26}$/);
    assert.equal(order_no, `P${Date.parse(timestamp)}`);
    assert.deepEqual(others, {
      intent_id: 'order-7',
      outcome: 'succeeded',
      status: 20,
      late: false,
      open_amount: false,
      livemode: false,
      mode: 'token',
      amount: '12.50',
      currency: 'USD',
      product_name: 'A made order',
      customer_ref_id: 'test-customer',
      echoed_amount: '12.50',
      echoed_currency: 'USD',
      sequence: 2,
      epoch: '00000000-0000-4000-8000-000000000000',
    });
  });

  for (const type of TYPES)
    it(`makes the fields of ${type}, and no field of another type`, () => {
      const { data, ...event } = eventOf(type);
      assert.equal(event.type, type);
      assert.deepEqual(
        Object.keys(data).sort(),
        [...COMMON_FIELDS, ...(OWN_FIELDS[type] ?? [])].sort(),
      );
      assert.equal(data.outcome, FAKE_ORDERS[type].outcome);
    });

  it('names an amount in a review that differs from that of the sale', () => {
    const { data } = eventOf('order.review');
    assert.deepEqual([data.review_reason, data.echoed_amount], ['amount_mismatch', '112.50']);
  });

  it('names another order of the same form as the one that a duplicate repeats', () => {
    const { data } = eventOf('order.duplicate_payment');
    assert.match(String(data.first_request_id), /^[0-9a-f]{25}0$/);
    const begins = String(data.request_id).slice(0, -1);
    assert.equal(String(data.first_request_id).slice(0, -1), begins);
  });

  it('closes the intent of a late payment at the time of the event', () => {
    const { data, timestamp } = eventOf('order.late_payment');
    assert.deepEqual([data.closed_at, data.late_payment], [timestamp, true]);
  });

  it('links to the page of the unpaid order', () => {
    const { request_id, resume_url } = eventOf('order.unpaid').data;
    assert.equal(resume_url, `https://shop.example/pay/r#${String(request_id)}~test`);
  });
});
