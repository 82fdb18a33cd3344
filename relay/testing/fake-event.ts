/** Events as the relay sends them, for the tests of a shop's webhook. */
import { shopEventTypes, type ShopEventType } from '../contract/shop-events.js';
import { fakeEventBody } from '../webhooks/fake-event-body.js';
import { signMessage } from '../webhooks/sign.js';

/** Secrets for tests only: they are published with this package. */
export const TEST_SECRETS = {
  ORDER_TOKEN_KEY: 'order-token-key-for-tests-of-32-bytes',
  RELAY_SECRET_KEY: 'secret-key-for-tests',
  SHOP_EVENTS_SECRET: 'whsec_c2VjcmV0IG9mIGV2ZW50cyBmb3IgdGVzdHM=',
} as const;

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
  id?: string | undefined;
  /** One secret, or two as during a rotation; by default `TEST_SECRETS.SHOP_EVENTS_SECRET`. */
  secret?: string | readonly string[] | undefined;
  /** The time of the signature, in milliseconds since 1970; by default now. */
  at?: number | undefined;
};

/** The relay that sends them. */
const RELAY = {
  mode: 'test',
  public_url: 'http://localhost:8787',
  shop_events: undefined,
} as const;

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
  // a test written without types would prove nothing with an event that no relay sends
  if (!shopEventTypes.includes(type))
    throw new TypeError(`${type}: expected ${shopEventTypes.join(', ')}`);
  const { amount = '12.50', currency = 'USD', intent_id = 'order-10042' } = data;
  const sale = {
    amount: String(amount),
    at,
    currency: String(currency),
    intentId: String(intent_id),
    requestId: 'k3v7m2q4x5n6r7t2w3y4z5a6b7',
  };
  const made = JSON.parse(fakeEventBody(RELAY, type, sale)) as { data: object };
  const body = JSON.stringify({ ...made, data: { ...made.data, order_no: 'P1', ...data } });
  const signed = signMessage(secret, { id, at: Math.floor(at / 1000), body });
  const headers = { 'content-type': 'application/json', ...signed };
  return {
    id,
    body,
    headers,
    request: (url) => new Request(url, { method: 'POST', headers, body }),
  };
}
