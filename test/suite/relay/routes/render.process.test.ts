/** POST /v1/render: the element as HTML with the customer's order, for the shop's backend. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import type { LoadRender } from '../../../../relay/contract/render.js';
import { buildRenderer } from '../../support/renderer.js';
import { bearer, createWorld, postRequest, testConfig, type World } from '../../support/world.js';

/** The bytes that a server sends in its first round trip: ten packets (RFC 6928). */
const MAX_FIRST_FLIGHT_BYTES = 14_336;

const HOSTILE = `</template><script>alert(1)</script><img src=x onerror='a' alt="b">`;
const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c1' };

/** Markup that a strict content security policy refuses, in a text without attribute values. */
const UNSAFE = /<(script|img|style)|<[^>]*\s(style|on\w+)=/i;
const withoutValues = (text: string): string => text.replace(/"[^"]*"/g, '""');

let renderer: { loadRender: LoadRender; remove: () => void };
before(async () => (renderer = await buildRenderer(['ar', 'en'])));
after(() => renderer.remove());

const create = (config: Partial<ConfigFile> = {}): World =>
  createWorld({ config, loadRender: renderer.loadRender });

async function newToken(world: World, change: Record<string, unknown> = {}): Promise<string> {
  const { body, status } = await world.ask('/v1/order-tokens', { ...sale, ...change }, bearer);
  assert.equal(status, 200);
  return String(body.order_token);
}

async function render(
  world: World,
  request: Record<string, unknown>,
  headers: Record<string, string> = bearer,
): Promise<{ status: number; type: string | null; text: string; code: string | undefined }> {
  const response = await world.relay.fetch(postRequest('/v1/render', request, headers));
  const text = await response.text();
  const code = /^\{"error":\{"code":"(\w+)"/.exec(text)?.[1];
  return { status: response.status, type: response.headers.get('content-type'), text, code };
}

describe('POST /v1/render', () => {
  // must be the first test: the renderer is loaded only once
  it('adds no global to the shop’s process when it renders', async () => {
    const names = (): string[] => Object.getOwnPropertyNames(globalThis).sort();
    const world = create();
    const order_token = await newToken(world);
    const known = names();
    const { status } = await render(world, { order_token, option: 'qr' });
    assert.equal(status, 200);
    assert.deepEqual(names(), known);
  });

  it('places one order when /v1/render is called several times', async () => {
    const world = create();
    const order_token = await newToken(world, { jti: 'order-10042' });
    const answers = await Promise.all(
      [1, 2, 3].map(() => render(world, { order_token, option: 'qr' })),
    );
    const later = await render(world, { order_token, option: 'wallet' });
    const withoutOption = await render(world, { order_token });
    const numbers = [...answers, later, withoutOption].map(({ status, text, type }) => {
      assert.equal(status, 200);
      assert.equal(type, 'text/html; charset=utf-8');
      return /class="mono" translate="no">([^<]+)</.exec(text)?.[1];
    });
    assert.equal(world.pays().length, 1);
    assert.equal(new Set(numbers).size, 1);
    assert.ok(numbers[0]);
    const { body } = await world.ask('/v1/query', { intent_id: 'order-10042' }, bearer);
    const code = body.order?.next_action?.qrcode_string ?? '';
    assert.ok(withoutOption.text.includes(`>${code.replaceAll('&', '&amp;')}</output>`));
    assert.ok(body.order?.order_key);
    assert.ok(!withoutOption.text.includes(body.order.order_key), 'no key of the order');
  });

  it('escapes names, and writes no script and no inline style when it renders', async () => {
    const world = create({
      shop: { ...testConfig.shop, name: HOSTILE },
      options: testConfig.options?.slice(0, 1).map((option) => ({ ...option, label: HOSTILE })),
    });
    const order_token = await newToken(world, { product_name: HOSTILE, remark: HOSTILE });
    const { status, text } = await render(world, { order_token });
    assert.equal(status, 200);
    assert.equal(world.pays().length, 1, 'the only option is placed at once');
    assert.ok(text.includes('&lt;/template&gt;&lt;script&gt;'));
    assert.doesNotMatch(withoutValues(text), UNSAFE);
    assert.equal(text.split('</template>').length, 2);
    const choosing = create({
      shop: { ...testConfig.shop, name: HOSTILE },
      // an option that is paid in a coin has the picture of its mark
      options: testConfig.options?.filter(({ pay_currency }) => pay_currency === undefined),
    });
    const { text: choice } = await render(choosing, {
      order_token: await newToken(world, { product_name: HOSTILE }),
    });
    assert.doesNotMatch(withoutValues(choice), UNSAFE);
  });

  it('renders a code in another language that fits into a connection’s first packets', async () => {
    const world = create();
    const order_token = await newToken(world);
    const { text } = await render(world, { order_token, option: 'qr', locale: 'ar' });
    assert.ok(text.includes('dir="rtl" lang="ar"'));
    assert.doesNotMatch(text, /Waiting for your payment/);
    const bytes = [gzipSync(text).length, brotliCompressSync(text).length];
    assert.ok(Math.max(...bytes) < MAX_FIRST_FLIGHT_BYTES, String(bytes));
  });

  it('renders the choice and places no order when there are several ways to pay', async () => {
    const world = create();
    const { status, text } = await render(world, { order_token: await newToken(world) });
    assert.equal(status, 200);
    assert.equal(text.match(/type="radio"/g)?.length, 9);
    assert.equal(text.match(/checked/g)?.length, 1);
    assert.match(text, /<div class="declared" inert>/, 'no card that can be paid');
    assert.equal(world.pays().length, 0);
  });

  it('renders the form for contact data, and places no order when an option needs it', async () => {
    const options = testConfig.options?.filter(({ id }) => id === 'asks') ?? [];
    const world = create({ options });
    const order_token = await newToken(world);
    const { text } = await render(world, { order_token });
    assert.match(text, /<input type="tel" name="phone"/);
    const { code, status } = await render(world, { order_token, option: 'asks' });
    assert.deepEqual([status, code], [400, 'customer_data_required']);
    assert.equal(world.pays().length, 0);
  });

  it('renders a payment page as a link, and the time of a payment with its zone', async () => {
    const world = create();
    const order_token = await newToken(world, { jti: 'order-10043' });
    const { text } = await render(world, { order_token, option: 'card' });
    assert.match(text, /<a part="link" class="primary" href="https:\/\/service\.example\//);
    const [order] = world.sandbox.orders.all();
    assert.ok(order);
    world.sandbox.orders.act(order, 'confirm');
    await world.ask('/v1/query', { intent_id: 'order-10043' }, bearer);
    await world.relay.tick();
    const paid = await render(world, { order_token, option: 'card' });
    assert.match(paid.text, /Paid <bdi part="amount"/);
    assert.match(paid.text, / UTC/);
    assert.doesNotMatch(paid.text, /<noscript>/);
  });

  it('refuses to render, and places no order, when a field or the key is wrong', async () => {
    const world = create();
    const order_token = await newToken(world);
    const right = { order_token, option: 'qr' };
    const foreign = await newToken(
      createWorld({ config: { public_url: 'https://other.example' } }),
    );
    for (const [request, headers, status, code] of [
      [right, {}, 401, 'unauthorized'],
      [right, { authorization: 'Bearer wrong' }, 401, 'unauthorized'],
      [{ ...right, order_token: `${order_token}x` }, bearer, 401, 'token_invalid'],
      [{ ...right, order_token: foreign }, bearer, 401, 'token_invalid'],
      [{ ...right, order_token: 'p'.repeat(26) }, bearer, 401, 'token_invalid'],
      [{ ...right, option: 'nothing' }, bearer, 404, 'option_unknown'],
      [{ ...right, option: 'euro' }, bearer, 400, 'option_not_available'],
      [{ ...right, locale: '"><script>' }, bearer, 400, 'invalid_request'],
      [{ ...right, amount: '1' }, bearer, 400, 'invalid_request'],
      [{ option: 'qr' }, bearer, 400, 'invalid_request'],
    ] as const) {
      const answer = await render(world, request, headers);
      assert.deepEqual([answer.status, answer.code], [status, code], JSON.stringify(request));
    }
    assert.equal(world.pays().length, 0);
  });

  it('says that it renders no pay link', async () => {
    const world = create();
    const link = await world.ask('/v1/pay-links', { ...sale, expires_in: 3600 }, bearer);
    const order_token = String(link.body.url).split('/').at(-1) ?? '';
    const { status, text } = await render(world, { order_token, option: 'qr' });
    assert.equal(status, 401);
    assert.match(text, /token of a pay link is not rendered/);
  });

  it('places no order when the renderer was not built', async () => {
    const world = createWorld();
    const { code, status, text } = await render(world, {
      order_token: await newToken(world),
      option: 'qr',
    });
    assert.deepEqual([status, code], [403, 'not_configured'], text);
    assert.equal(world.pays().length, 0);
  });
});
