/**
 * Bad input is refused with a code and the field's name, and nothing is sent to the order service.
 */
import { expect } from '@open-wc/testing';
import { SignJWT } from 'jose';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { createCapabilities } from '../../../../relay/orders/capabilities.js';
import {
  bearer,
  createWorld,
  openIntent,
  ORIGIN,
  readSecret,
  SECRETS,
  testConfig,
  type World,
} from '../../support/world.js';

const attempt = (): string => crypto.randomUUID();
const token = (
  change: Record<string, unknown> = {},
  { key = SECRETS.TOKEN ?? '', alg = 'HS256', typ = 'pay-order+jwt', kid = 'k1', exp = 600 } = {},
): Promise<string> =>
  new SignJWT({
    amount: '12.50',
    currency: 'USD',
    product_name: 'A tree',
    customer_ref_id: 'c1',
    jti: crypto.randomUUID(),
    ...change,
  })
    .setProtectedHeader({ alg, typ, kid })
    .setAudience((change.aud as string | undefined) ?? 'https://shop.example/pay')
    .setIssuedAt(Math.floor(Date.now() / 1000) - 60)
    .setExpirationTime(Math.floor(Date.now() / 1000) + exp)
    .sign(new TextEncoder().encode(key));

type Expected = { status: number; code: string; field?: string };

async function expectRefusal(
  world: World,
  path: string,
  body: unknown,
  expected: Expected,
  headers?: Record<string, string>,
): Promise<void> {
  const answer = await world.ask(path, body, headers);
  const error = answer.body.error as {
    code: string;
    field?: string;
    reference: string;
    message: string;
  };
  expect(answer.status).to.equal(expected.status);
  expect(error.code).to.equal(expected.code);
  expect(error.field).to.equal(expected.field);
  expect(error.reference).to.match(/^[0-9a-f]{8}$/);
  expect(world.sandbox.calls).to.deep.equal([]);
}

describe('bad input', () => {
  for (const amount of [
    '1e3',
    '-1',
    '1,50',
    '0',
    '0.00',
    '4'.repeat(40),
    12.5,
    '',
    ' 1',
    '01',
    '1.',
    '.5',
    '+1',
    '١٢',
  ])
    it(`refuses the amount ${JSON.stringify(amount)}`, () =>
      expectRefusal(
        createWorld(),
        '/v1/pay',
        { ...openIntent, amount, attempt: attempt(), option: 'qr' },
        { status: 400, code: 'invalid_request', field: 'amount' },
      ));

  const cases: [string, Record<string, unknown>, Expected][] = [
    [
      'an unknown option',
      { option: 'nope' },
      { status: 404, code: 'option_unknown', field: 'option' },
    ],
    [
      'an option for larger amounts',
      { option: 'large' },
      { status: 400, code: 'option_not_available', field: 'option' },
    ],
    [
      'an option for another currency',
      { option: 'euro' },
      { status: 400, code: 'option_not_available', field: 'option' },
    ],
    [
      'no phone for an option that asks for a phone',
      { option: 'asks' },
      { status: 400, code: 'customer_data_required', field: 'customer.phone' },
    ],
    [
      'an unknown currency',
      { currency: 'EUR' },
      { status: 400, code: 'currency_not_available', field: 'currency' },
    ],
    [
      'an amount below the bounds',
      { amount: '0.99' },
      { status: 400, code: 'amount_out_of_bounds', field: 'amount' },
    ],
    [
      'an amount above the bounds',
      { amount: '500.000000000000000001' },
      { status: 400, code: 'amount_out_of_bounds', field: 'amount' },
    ],
    [
      'an unknown field',
      { notify_url: 'https://evil.example' },
      { status: 400, code: 'invalid_request', field: 'notify_url' },
    ],
    [
      'an unknown field of expect',
      { expect: { amount: '12.50', currency: 'USD', sum: '1' } },
      { status: 400, code: 'invalid_request', field: 'expect.sum' },
    ],
    [
      'a payment_method from the page',
      { payment_method: 'on_line' },
      { status: 400, code: 'invalid_request', field: 'payment_method' },
    ],
    [
      'a return_url on another host',
      { return_url: 'https://evil.example/' },
      { status: 400, code: 'return_host_refused', field: 'return_url' },
    ],
    [
      'an attempt that is no UUID',
      { attempt: 'x' },
      { status: 400, code: 'invalid_request', field: 'attempt' },
    ],
    [
      'a missing product name',
      { product_name: undefined },
      { status: 400, code: 'invalid_request', field: 'product_name' },
    ],
  ];
  for (const [what, change, expected] of cases)
    it(`refuses a request with ${what}`, () =>
      expectRefusal(
        createWorld(),
        '/v1/pay',
        { ...openIntent, attempt: attempt(), option: 'qr', ...change },
        expected,
      ));

  for (const field of ['product_name', 'remark'])
    for (const [what, value] of [
      ['a change of direction', 'T-shirt \u202e99.1$'],
      ['an isolate', 'Tea\u2066x\u2069'],
      ['a zero-width space', 'T\u200bea'],
      ['a joiner between Latin letters', 'T\u200dea'],
      ['a soft hyphen', 'T\u00adea'],
      ['a control character', 'T\u0085ea'],
    ] as const)
      it(`refuses a ${field} with ${what} from a page and from the backend`, async () => {
        const expected = { status: 400, code: 'invalid_request', field };
        const page = { ...openIntent, [field]: value, attempt: attempt(), option: 'qr' };
        await expectRefusal(createWorld(), '/v1/pay', page, expected);
        const order = { ...openIntent, customer_ref_id: 'c1', [field]: value };
        await expectRefusal(createWorld(), '/v1/order-tokens', order, expected, bearer);
      });

  const catalogue: [string, Record<string, unknown>, Expected][] = [
    ['an unknown sku', { sku: 'cap' }, { status: 404, code: 'sku_unknown', field: 'sku' }],
    [
      'an inherited property as sku',
      { sku: 'constructor' },
      { status: 404, code: 'sku_unknown', field: 'sku' },
    ],
    [
      'quantity 0',
      { sku: 'tee', quantity: 0 },
      { status: 400, code: 'quantity_out_of_bounds', field: 'quantity' },
    ],
    [
      'quantity 6 when the catalogue allows 5',
      { sku: 'tee', quantity: 6 },
      { status: 400, code: 'quantity_out_of_bounds', field: 'quantity' },
    ],
    [
      'quantity 1.5',
      { sku: 'tee', quantity: 1.5 },
      { status: 400, code: 'invalid_request', field: 'quantity' },
    ],
    [
      'an amount next to a sku',
      { sku: 'tee', amount: '1' },
      { status: 400, code: 'invalid_request', field: 'amount' },
    ],
  ];
  for (const [what, intent, expected] of catalogue)
    it(`refuses a catalogue request with ${what}`, () =>
      expectRefusal(
        createWorld(),
        '/v1/pay',
        { ...intent, attempt: attempt(), option: 'qr' },
        expected,
      ));

  it('refuses a request in a mode that is not configured', async () => {
    const { catalogue: _, open_amount: __, ...closed } = testConfig;
    const bare = createWorld({
      config: { ...closed, catalogue: undefined, open_amount: undefined, order_token_keys: [] },
    });
    const pay = { attempt: attempt(), option: 'qr' };
    await expectRefusal(
      bare,
      '/v1/pay',
      { ...openIntent, ...pay },
      { status: 403, code: 'not_configured', field: 'amount' },
    );
    await expectRefusal(
      bare,
      '/v1/pay',
      { sku: 'tee', ...pay },
      { status: 403, code: 'not_configured', field: 'sku' },
    );
    await expectRefusal(
      bare,
      '/v1/pay',
      { order_token: await token(), ...pay },
      { status: 403, code: 'not_configured', field: 'order_token' },
    );
  });
});

describe('bad tokens', () => {
  const bad: [string, () => Promise<string>][] = [
    ['no readable part', () => Promise.resolve('a.b.c')],
    ['another key', () => token({}, { key: 'another-key-another-key-another-key' })],
    ['another audience', () => token({ aud: 'https://evil.example' })],
    ['another typ', () => token({}, { typ: 'JWT' })],
    ['an unknown kid', () => token({}, { kid: 'k2' })],
    ['another algorithm', () => token({}, { alg: 'HS384' })],
    ['an unknown claim', () => token({ notify_url: 'x' })],
    ['an amount that is a number', () => token({ amount: 12.5 })],
    ['a lifetime above 24 h', () => token({}, { exp: 90_000 })],
    [
      'alg none',
      async () => {
        const header = btoa('{"alg":"none","typ":"pay-order+jwt","kid":"k1"}').replaceAll('=', '');
        return `${header}.${(await token()).split('.')[1] ?? ''}.`;
      },
    ],
    [
      'a changed payload',
      async () =>
        (await token()).replace(
          /\.([^.]+)\./,
          (_, payload: string) => `.${payload.slice(0, -4)}AAAA.`,
        ),
    ],
  ];
  for (const [what, make] of bad)
    it(`refuses a token with ${what}`, async () =>
      expectRefusal(
        createWorld(),
        '/v1/pay',
        { order_token: await make(), attempt: attempt(), option: 'qr' },
        { status: 401, code: 'token_invalid', field: 'order_token' },
      ));

  it('refuses an expired token that has no order yet', async () =>
    expectRefusal(
      createWorld(),
      '/v1/pay',
      { order_token: await token({}, { exp: -40 }), attempt: attempt(), option: 'qr' },
      { status: 401, code: 'token_expired', field: 'order_token' },
    ));

  it('resumes the order of an expired token', async () => {
    const world = createWorld();
    const jti = crypto.randomUUID();
    await world.ask('/v1/pay', {
      order_token: await token({ jti }),
      attempt: attempt(),
      option: 'qr',
    });
    const { body } = await world.ask('/v1/checkout', {
      order_token: await token({ jti }, { exp: -40 }),
    });
    expect(body.order?.intent_id).to.equal(jti);
    expect(world.pays().length).to.equal(1);
  });

  for (const [field, value] of Object.entries({
    amount: '12.51',
    currency: 'EUR',
    product_name: 'Gold',
    customer_ref_id: 'c2',
    sku: 'tee',
  }))
    it(`refuses a ${field} that contradicts the token`, async () =>
      expectRefusal(
        createWorld(),
        '/v1/pay',
        { order_token: await token(), [field]: value, attempt: attempt(), option: 'qr' },
        { status: 422, code: 'token_contradicted', field },
      ));

  it('accepts the amount of the token when it is written differently', async () => {
    const world = createWorld();
    expect(
      (
        await world.ask('/v1/pay', {
          order_token: await token(),
          amount: '12.5',
          attempt: attempt(),
          option: 'qr',
        })
      ).status,
    ).to.equal(200);
    expect(world.pays()[0]?.amount).to.equal('12.50');
  });
});

describe('the HTTP guards', () => {
  const good = { ...openIntent, attempt: attempt(), option: 'qr' };
  it('refuses a body over 16 KB', () =>
    expectRefusal(
      createWorld(),
      '/v1/pay',
      { ...good, remark: 'x'.repeat(17_000) },
      { status: 413, code: 'body_too_large' },
    ));
  it('refuses a body that is not JSON', () =>
    expectRefusal(createWorld(), '/v1/pay', '{"amount":', {
      status: 400,
      code: 'invalid_request',
    }));
  it('refuses a body of type text/plain', () =>
    expectRefusal(
      createWorld(),
      '/v1/pay',
      good,
      { status: 415, code: 'content_type_refused' },
      { 'content-type': 'text/plain' },
    ));
  it('refuses an unknown path', () =>
    expectRefusal(createWorld(), '/v1/payout', good, { status: 404, code: 'not_found' }));
  it('answers order_unknown when the order does not exist and its order_key is wrong', async () => {
    await expectRefusal(
      createWorld(),
      '/v1/query',
      { request_id: 'nobody', order_key: 'm.x' },
      { status: 404, code: 'order_unknown', field: 'request_id' },
    );
  });
  for (const field of ['intent_id', 'request_id'])
    it(`names the ${field} when the shop’s backend asks for an order that does not exist`, () =>
      expectRefusal(
        createWorld(),
        '/v1/query',
        { [field]: 'nobody-nobody' },
        { status: 404, code: 'order_unknown', field },
        bearer,
      ));
  it('gives the same answer when an order_key is wrong and when no such order exists', async () => {
    const world = createWorld();
    const { body } = await world.ask('/v1/pay', {
      ...openIntent,
      attempt: attempt(),
      option: 'qr',
    });
    const { order_key, request_id } = body.order!;
    const capabilities = createCapabilities(parseConfig(testConfig, readSecret), world.ledger);
    const absent = 'a'.repeat(request_id.length);
    const wrongKey = `${order_key.split('.')[0]}.${'A'.repeat(43)}`;
    for (const query of [
      { request_id, order_key: wrongKey },
      { request_id: absent, order_key: wrongKey },
      { request_id: absent, order_key },
      { request_id: absent, order_key: await capabilities.mint('order', absent) },
    ]) {
      const answer = await world.ask('/v1/query', query);
      const { reference: _, ...error } = answer.body.error as Record<string, string>;
      expect([answer.status, error]).to.deep.equal([
        404,
        {
          code: 'order_unknown',
          message: 'no such order, or not by this order_key',
          field: 'request_id',
        },
      ]);
    }
  });
  it('refuses an order token request without the right secret key', async () => {
    const body = { amount: '1', currency: 'USD', product_name: 'x', customer_ref_id: 'c' };
    await expectRefusal(createWorld(), '/v1/order-tokens', body, {
      status: 401,
      code: 'unauthorized',
    });
    await expectRefusal(
      createWorld(),
      '/v1/order-tokens',
      body,
      { status: 401, code: 'unauthorized' },
      { authorization: 'Bearer wrong' },
    );
    expect((await createWorld().ask('/v1/order-tokens', body, bearer)).status).to.equal(200);
  });
});

describe('two secret keys', () => {
  const body = { amount: '1', currency: 'USD', product_name: 'x', customer_ref_id: 'c' };
  it('accepts either of two secret keys on the backend’s routes, and no other key', async () => {
    const world = createWorld({ config: { secret_key: [{ env: 'TOKEN' }, { env: 'SECRET' }] } });
    const status = async (key: string): Promise<number> =>
      (await world.ask('/v1/order-tokens', body, { authorization: `Bearer ${key}` })).status;
    expect(await status(SECRETS.TOKEN ?? '')).to.equal(200);
    expect(await status(SECRETS.SECRET ?? '')).to.equal(200);
    for (const wrong of ['wrong', '', `${SECRETS.TOKEN}${SECRETS.SECRET}`, 'undefined'])
      expect(await status(wrong)).to.equal(401);
  });
});

describe('the origin guard', () => {
  // a page's script cannot set Origin, so the test calls the relay directly
  const request = (origin: string): Request => {
    const headers = new Headers({ 'content-type': 'application/json' });
    const plain = new Request('https://shop.example/v1/checkout', {
      method: 'POST',
      headers,
      body: JSON.stringify(openIntent),
    });
    return new Proxy(plain, {
      get: (target, name) => {
        if (name === 'headers')
          return {
            get: (key: string) => (key === 'origin' ? origin : target.headers.get(key)),
            has: (key: string) => key === 'origin' || target.headers.has(key),
          };
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };
  for (const origin of [
    'https://evil.example',
    'null',
    'https://shop.example.evil.example',
    'http://shop.example',
    'https://SHOP.example:444',
  ])
    it(`refuses a request from the origin ${origin}`, async () => {
      const response = await createWorld().relay.fetch(request(origin));
      expect(response.status).to.equal(403);
      // the page may read the refusal, but no other answer
      expect(response.headers.get('access-control-allow-origin')).to.equal(origin);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect(error.code).to.equal('origin_refused');
      if (origin !== 'null') expect(error.message).to.contain(`${origin} is not in shop.origins`);
    });
  it('names a refused origin in one log line, with the field of the configuration', async () => {
    const { log, relay } = createWorld();
    for (let times = 0; times < 3; times++) await relay.fetch(request('https://staging.example'));
    const lines = log.filter(({ event }) => event === 'origin_refused');
    expect(lines.length).to.equal(1);
    expect(lines[0]?.fields.origin).to.equal('https://staging.example');
    expect(lines[0]?.fields.message).to.contain('shop.origins');
  });
  it('accepts a request from the origin of the shop', async () => {
    const response = await createWorld().relay.fetch(request(ORIGIN));
    expect(response.status).to.equal(200);
    expect(response.headers.get('access-control-allow-origin')).to.equal(ORIGIN);
  });
});
