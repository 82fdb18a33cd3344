/** Reads the terms of an intent in each of the three modes, and refuses wrong ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config } from '../../../../relay/config/schema.js';
import { Failure } from '../../../../relay/contract/failure.js';
import type { IntentRequest } from '../../../../relay/contract/requests.js';
import { readIntent } from '../../../../relay/intent/read-intent.js';
import { openIntent, readSecret, testConfig } from '../../support/world.js';
import { claims, config, sign } from './signed-token.js';

/** The code and the field of the refusal; null when the intent is accepted. */
const refusal = async (request: IntentRequest, using: Config = config): Promise<unknown> =>
  readIntent(using, request, 'web.one').then(
    () => null,
    (error: unknown) => {
      assert.ok(error instanceof Failure);
      return [error.code, error.field];
    },
  );
const RETURN_URL = 'https://shop.example/thanks';

/** The optional fields of an intent whose request has none of them. */
const NOTHING_OPTIONAL = {
  pay_currency: null,
  remark: null,
  return_url: null,
  options: null,
  metadata: null,
  expired: false,
  stale: false,
};

describe('readIntent of an order token', () => {
  it('takes all fields from the token, and null for absent claims', async () => {
    const { identity_fields, ...intent } = await readIntent(
      config,
      { order_token: await sign() },
      'web.one',
    );
    assert.deepEqual(intent, {
      mode: 'token',
      intent_id: 'jti-one-1',
      sku: null,
      quantity: null,
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'c1',
      ...NOTHING_OPTIONAL,
    });
    assert.deepEqual(identity_fields, ['12.5', 'USD', 'A tree', 'c1', null, null, '[]']);
  });

  it('takes the optional claims, and makes them part of the intent’s content', async () => {
    const order_token = await sign({
      ...claims,
      pay_currency: 'USDT',
      remark: 'r',
      options: ['qr'],
      return_url: RETURN_URL,
      metadata: { b: '2', a: '1' },
    });
    const intent = await readIntent(config, { order_token }, null);
    assert.deepEqual(
      [intent.pay_currency, intent.remark, intent.options, intent.return_url],
      ['USDT', 'r', ['qr'], RETURN_URL],
    );
    assert.deepEqual(intent.metadata, { b: '2', a: '1' });
    assert.deepEqual(intent.identity_fields.slice(4), ['USDT', 'r', '[["a","1"],["b","2"]]']);
  });

  it('adds metadata to the content when a token has it', async () => {
    const fields = async (more: object): Promise<unknown> =>
      (await readIntent(config, { order_token: await sign({ ...claims, ...more }) }, null))
        .identity_fields;
    const base = ['12.5', 'USD', 'A tree', 'c1', null, null];
    assert.deepEqual(await fields({ metadata: { a: '1' } }), [...base, '[["a","1"]]']);
    assert.deepEqual(await fields({}), [...base, '[]']);
  });

  it('accepts fields of the page that repeat the token', async () => {
    const order_token = await sign({ ...claims, return_url: RETURN_URL });
    const page = { ...claims, amount: '12.5', return_url: RETURN_URL, jti: undefined };
    assert.equal(await refusal({ ...page, order_token }), null);
  });

  it('takes the return_url of the page only when the token has none', async () => {
    const order_token = await sign();
    const intent = await readIntent(config, { order_token, return_url: RETURN_URL }, null);
    assert.equal(intent.return_url, RETURN_URL);
    const signed = await sign({ ...claims, return_url: RETURN_URL });
    const other = { order_token: signed, return_url: 'https://shop.example/other' };
    assert.deepEqual(await refusal(other), ['token_contradicted', 'return_url']);
  });

  for (const [field, value] of Object.entries({
    sku: 'tee',
    quantity: 1,
    amount: '12.51',
    currency: 'EUR',
    pay_currency: 'USDT',
    product_name: 'Another tree',
    remark: 'another',
    customer_ref_id: 'c2',
  }))
    it(`refuses a page’s ${field} that is not the token’s`, async () =>
      assert.deepEqual(await refusal({ order_token: await sign(), [field]: value }), [
        'token_contradicted',
        field,
      ]));

  it('does not limit the length of texts that repeat the token', async () => {
    const product_name = 'ä'.repeat(500);
    const order_token = await sign({ ...claims, product_name });
    assert.equal(await refusal({ order_token, product_name, remark: undefined }), null);
    const long = await sign({ ...claims, product_name, remark: product_name });
    assert.equal(await refusal({ order_token: long, product_name, remark: product_name }), null);
  });
});

describe('readIntent of the catalogue', () => {
  it('takes price and name from the configuration, and one item as the default', async () => {
    const { identity_fields, ...intent } = await readIntent(config, { sku: 'tee' }, 'web.one');
    assert.deepEqual(intent, {
      mode: 'catalogue',
      intent_id: 'web.one',
      sku: 'tee',
      quantity: 1,
      amount: '19.90',
      currency: 'USD',
      product_name: 'T-shirt',
      customer_ref_id: 'web-one',
      ...NOTHING_OPTIONAL,
    });
    assert.deepEqual(identity_fields, ['tee', 1, 'web-one']);
  });

  it('multiplies the price, and adds the quantity to the name, for several items', async () => {
    const request = { sku: 'tee', quantity: 5, customer_ref_id: 'c1', return_url: RETURN_URL };
    const intent = await readIntent(config, request, null);
    assert.deepEqual(
      [intent.amount, intent.product_name, intent.customer_ref_id, intent.return_url],
      ['99.50', 'T-shirt × 5', 'web-c1', RETURN_URL],
    );
  });

  it('copies the item’s metadata into the intent', async () => {
    const tee = { amount: '1', currency: 'USD', product_name: 'T', metadata: { colour: 'red' } };
    const using = parseConfig({ ...testConfig, catalogue: { tee } }, readSecret);
    const { metadata } = await readIntent(using, { sku: 'tee' }, null);
    assert.deepEqual(metadata, { colour: 'red' });
  });

  for (const [field, value] of Object.entries({
    amount: '19.90',
    currency: 'USD',
    product_name: 'T-shirt',
    pay_currency: 'USDT',
    remark: 'r',
  }))
    it(`refuses a page’s ${field} in a request with a sku`, async () =>
      assert.deepEqual(await refusal({ sku: 'tee', [field]: value }), ['invalid_request', field]));

  for (const [what, request, expected] of [
    ['an unknown sku', { sku: 'mug' }, ['sku_unknown', 'sku']],
    ['a sku that is a property of every object', { sku: 'toString' }, ['sku_unknown', 'sku']],
    ['no item', { sku: 'tee', quantity: 0 }, ['quantity_out_of_bounds', 'quantity']],
    ['too many items', { sku: 'tee', quantity: 6 }, ['quantity_out_of_bounds', 'quantity']],
  ] as const)
    it(`refuses ${what}`, async () => assert.deepEqual(await refusal(request), expected));

  it('refuses a sku when no catalogue is configured', async () =>
    assert.deepEqual(await refusal({ sku: 'tee' }, { ...config, catalogue: undefined }), [
      'not_configured',
      'sku',
    ]));
});

describe('readIntent of an open amount', () => {
  it('takes the page’s amount and texts, and null for absent fields', async () => {
    const { identity_fields, ...intent } = await readIntent(config, openIntent, 'web.one');
    assert.deepEqual(intent, {
      mode: 'open',
      intent_id: 'web.one',
      sku: null,
      quantity: null,
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'web-one',
      ...NOTHING_OPTIONAL,
    });
    assert.deepEqual(identity_fields, ['12.5', 'USD', 'A tree', 'web-one', null, null]);
  });

  it('keeps the optional fields of the page', async () => {
    const request = {
      ...openIntent,
      pay_currency: 'USDT',
      remark: 'r',
      customer_ref_id: 'c1',
      return_url: RETURN_URL,
    };
    const intent = await readIntent(config, request, 'web.one');
    assert.deepEqual(
      [intent.pay_currency, intent.remark, intent.customer_ref_id, intent.return_url],
      ['USDT', 'r', 'web-c1', RETURN_URL],
    );
  });

  it('adds no guest id to customer_ref_id before the page has an attempt', async () =>
    assert.equal((await readIntent(config, openIntent, null)).customer_ref_id, 'web-'));

  it('accepts an amount that equals a bound', async () => {
    for (const amount of ['1', '500.00'])
      assert.equal(await refusal({ ...openIntent, amount }), null);
  });

  for (const [what, change, expected] of [
    ['an amount below the bounds', { amount: '0.99' }, ['amount_out_of_bounds', 'amount']],
    ['an amount above the bounds', { amount: '500.01' }, ['amount_out_of_bounds', 'amount']],
    ['a currency without bounds', { currency: 'EUR' }, ['currency_not_available', 'currency']],
    [
      'a currency that is a property of every object',
      { currency: 'toString' },
      ['currency_not_available', 'currency'],
    ],
    ['an absent amount', { amount: undefined }, ['invalid_request', 'amount']],
    ['an absent currency', { currency: undefined }, ['invalid_request', 'currency']],
    ['an absent product_name', { product_name: undefined }, ['invalid_request', 'product_name']],
    ['a quantity', { quantity: 1 }, ['invalid_request', 'quantity']],
  ] as const)
    it(`refuses ${what}`, async () =>
      assert.deepEqual(await refusal({ ...openIntent, ...change }), expected));

  it('refuses an open amount when none is configured', async () =>
    assert.deepEqual(await refusal(openIntent, { ...config, open_amount: undefined }), [
      'not_configured',
      'amount',
    ]));

  it('refuses a request without any of the three modes', async () =>
    assert.deepEqual(await refusal({ product_name: 'A tree' }), [
      'invalid_request',
      'order_token',
    ]));
});

describe('the texts of a page’s intent', () => {
  /** A text of `bytes` bytes. */
  const name = (bytes: number): string => 'x'.repeat(bytes);
  it('accepts texts of up to 1,000 bytes in all', async () => {
    const texts = { remark: name(400), customer_ref_id: 'c' };
    assert.equal(await refusal({ ...openIntent, ...texts, product_name: name(599) }), null);
    assert.deepEqual(await refusal({ ...openIntent, ...texts, product_name: name(600) }), [
      'invalid_request',
      'product_name',
    ]);
  });

  it('names the longest text, counted in bytes, when the texts are too long', async () => {
    const remark = 'ä'.repeat(450);
    assert.deepEqual(await refusal({ ...openIntent, product_name: name(500), remark }), [
      'invalid_request',
      'remark',
    ]);
    const return_url = `https://shop.example/${name(1000)}`;
    for (const request of [
      { ...openIntent, return_url },
      { sku: 'tee', return_url },
    ])
      assert.deepEqual(await refusal(request), ['invalid_request', 'return_url']);
    assert.deepEqual(await refusal({ sku: name(1001) }), ['invalid_request', 'sku']);
    assert.deepEqual(await refusal({ sku: 'tee', customer_ref_id: name(999) }), [
      'invalid_request',
      'customer_ref_id',
    ]);
  });
});
