/** How the client asks a relay of the page's origin, and one of another origin. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRelayClient, type Fetch, type RelayClient } from '../../../widget/relay-client.js';
import { markRestored } from '../support/ledger-calls.js';
import { ownTiming } from '../support/own-timing.js';
import { createWorld, openIntent, ORIGIN } from '../support/world.js';

const ATTEMPT = 'f3a0c6de-2b1c-4d0e-9a55-0d3c5b7e9f10';
const { signal } = new AbortController();

/** @returns a client on a page of the shop, and the content type of each request */
function createClient(
  relay: string,
  { hasOrigin = true, isOwn = false, world = createWorld() } = {},
): { client: RelayClient; types: unknown[] } {
  const types: unknown[] = [];
  const ask: Fetch = (url, init) => {
    const request = new Request(`${ORIGIN}${url.slice(relay.length)}`, init);
    if (hasOrigin) request.headers.set('origin', ORIGIN);
    types.push(request.headers.get('content-type'));
    return Promise.resolve(world.relay.fetch(request));
  };
  Object.assign(globalThis, { fetch: ask });
  return { client: createRelayClient(relay, isOwn ? ask : undefined), types };
}

describe('the client of a relay', () => {
  ownTiming();
  const { fetch } = globalThis;
  before(() => Object.assign(globalThis, { location: { origin: ORIGIN } }));
  after(() => {
    Object.assign(globalThis, { fetch });
    Reflect.deleteProperty(globalThis, 'location');
  });

  it('sends JSON to a relay of the page’s origin', async () => {
    const { client, types } = createClient(`${ORIGIN}/pay`);
    await client.checkout(openIntent, ATTEMPT, signal);
    assert.deepEqual(types, ['application/json']);
  });

  for (const relay of ['https://pay.shop.example', `${ORIGIN}.evil.example/pay`])
    it(`asks ${relay} for a checkout without a preflight`, async () => {
      const { client, types } = createClient(relay);
      const { checkout } = await client.checkout(openIntent, ATTEMPT, signal);
      assert.equal(checkout.amount, '12.50');
      assert.deepEqual(types, ['text/plain;charset=UTF-8']);
    });

  it('takes an address that ends with a slash', async () => {
    const urls: string[] = [];
    const { checkout } = createRelayClient('https://pay.shop.example/', (url) => {
      urls.push(url);
      return Promise.reject(new TypeError('no network'));
    });
    await assert.rejects(checkout(openIntent, ATTEMPT, signal), { code: 'relay_unreachable' });
    assert.deepEqual(urls, ['https://pay.shop.example/v1/checkout']);
  });

  it('waits as long as is left for a checkout, and says why it waits no longer', async () => {
    const hangs: Fetch = (_url, { signal: limit }) =>
      new Promise((_, reject) =>
        limit?.addEventListener('abort', () => reject(limit.reason as Error)),
      );
    const { checkout } = createRelayClient('https://pay.shop.example', hangs);
    const startedAt = performance.now();
    await assert.rejects(checkout(openIntent, ATTEMPT, signal, -14.9), {
      code: 'relay_unreachable',
      message: 'no answer in time',
    });
    assert.ok(performance.now() - startedAt < 10_000);
  });

  it('sends a pay and a query as JSON', async () => {
    const { client, types } = createClient('https://pay.shop.example');
    const expect = { amount: '12.50', currency: 'USD' };
    const pay = { option: 'qr', expect, attempt: ATTEMPT };
    const order = await client.pay(openIntent, pay, signal);
    await client.query(order, 0, signal);
    assert.deepEqual(types, ['application/json', 'application/json']);
  });

  it('asks with JSON when a restored relay refuses the text', async () => {
    const world = createWorld();
    await markRestored(world.ledger, Date.now());
    const { client, types } = createClient('https://pay.shop.example', { world });
    await client.checkout(openIntent, ATTEMPT, signal);
    assert.deepEqual(types, ['text/plain;charset=UTF-8', 'application/json']);
  });

  it('asks with JSON through a function of the page’s own', async () => {
    const { client, types } = createClient('https://pay.shop.example', { isOwn: true });
    await client.checkout(openIntent, ATTEMPT, signal);
    assert.deepEqual(types, ['application/json']);
  });

  it('asks with JSON when the browser sends no origin', async () => {
    const { client, types } = createClient('https://pay.shop.example', { hasOrigin: false });
    await client.checkout(openIntent, ATTEMPT, signal);
    assert.deepEqual(types, ['text/plain;charset=UTF-8', 'application/json']);
  });
});
