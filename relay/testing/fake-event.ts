/** Events as the relay sends them, for the tests of a shop's webhook. */
import type { ShopEventType } from '../contract/shop-events.js';
import { FAKE_ORDERS } from '../webhooks/fake-event-body.js';
import { signMessage } from '../webhooks/sign.js';
import { TEST_SECRETS } from './test-secrets.js';

export type FakeEvent = {
  id: string;
  /** JSON text; the signature covers it byte by byte. */
  body: string;
  headers: Record<string, string>;
  /** @returns the request that the relay would send to this URL */
  request(url: string): Request;
};

export type FakeEventOptions = {
  /** Two events with one id are two deliveries of the same event. */
  id?: string;
  /** One secret, or two as during a rotation; by default `TEST_SECRETS.SHOP_EVENTS_SECRET`. */
  secret?: string | readonly string[];
  /** The time of the signature, in milliseconds since 1970; by default now. */
  at?: number;
};

/** Fields that only events of one type have. */
const FIELDS_OF_TYPE: Partial<Record<ShopEventType, Readonly<Record<string, unknown>>>> = {
  'order.duplicate_payment': { first_request_id: 'the-request-that-was-paid-1' },
  'order.late_payment': { late_payment: true, closed_at: '2026-01-01T00:00:00.000Z' },
  'order.unpaid': { resume_url: 'http://localhost:8787/r#resume' },
};

/**
 * Makes a signed event of a sale of 12.50 USD with the `intent_id` `order-10042`.
 *
 * @param data replaces fields of that sale
 */
export async function fakeEvent(
  type: ShopEventType,
  data: Readonly<Record<string, unknown>> = {},
  {
    at = Date.now(),
    id = `evt_${crypto.randomUUID()}`,
    secret = TEST_SECRETS.SHOP_EVENTS_SECRET,
  }: FakeEventOptions = {},
): Promise<FakeEvent> {
  const body = JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      intent_id: 'order-10042',
      request_id: 'k3v7m2q4x5n6r7t2w3y4z5a6b7',
      order_no: 'P1',
      ...FAKE_ORDERS[type],
      late: false,
      open_amount: false,
      livemode: false,
      mode: 'token',
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'customer-42',
      sequence: type === 'order.created' ? 1 : 2,
      epoch: 'the-epoch-of-the-tests',
      ...FIELDS_OF_TYPE[type],
      ...data,
    },
  });
  const signed = signMessage(secret, { id, at: Math.floor(at / 1000), body });
  const headers = { 'content-type': 'application/json', ...signed };
  return {
    id,
    body,
    headers,
    request: (url) => new Request(url, { method: 'POST', headers, body }),
  };
}
