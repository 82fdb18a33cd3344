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

/** A pay of this intent; its option is `qr` unless the intent names another one. */
const pay = (intent: Record<string, unknown>): Record<string, unknown> => ({
  attempt: crypto.randomUUID(),
  option: 'qr',
  ...intent,
});
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

/** Status, code and field of the refusal. */
type Expected = readonly [status: number, code: string, field?: string];

async function expectRefusal(
  [status, code, field]: Expected,
  path: string,
  body: unknown,
  headers?: Record<string, string>,
  world: World = createWorld(),
): Promise<void> {
  const answer = await world.ask(path, body, headers);
  const error = answer.body.error as { code: string; field?: string; reference: string };
  expect([answer.status, error.code, error.field]).to.deep.equal([status, code, field]);
  expect(error.reference).to.match(/^[0-9a-f]{8}$/);
  expect(world.sandbox.calls).to.deep.equal([]);
}
const expectPayRefused = (
  expected: Expected,
  intent: Record<string, unknown>,
  world?: World,
): Promise<void> => expectRefusal(expected, '/v1/pay', pay(intent), undefined, world);

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
      expectPayRefused([400, 'invalid_request', 'amount'], { ...openIntent, amount }));

  const cases: [string, Record<string, unknown>, Expected][] = [
    ['an unknown option', { option: 'nope' }, [404, 'option_unknown', 'option']],
    ['an option for larger amounts', { option: 'large' }, [400, 'option_not_available', 'option']],
    ['an option for another currency', { option: 'euro' }, [400, 'option_not_available', 'option']],
    [
      'no phone for an option that asks for a phone',
      { option: 'asks' },
      [400, 'customer_data_required', 'customer.phone'],
    ],
    ['an unknown currency', { currency: 'EUR' }, [400, 'currency_not_available', 'currency']],
    ['an amount below the bounds', { amount: '0.99' }, [400, 'amount_out_of_bounds', 'amount']],
    [
      'an amount above the bounds',
      { amount: '500.000000000000000001' },
      [400, 'amount_out_of_bounds', 'amount'],
    ],
    [
      'an unknown field',
      { notify_url: 'https://evil.example' },
      [400, 'invalid_request', 'notify_url'],
    ],
    [
      'an unknown field of expect',
      { expect: { amount: '12.50', currency: 'USD', sum: '1' } },
      [400, 'invalid_request', 'expect.sum'],
    ],
    [
      'a payment_method from the page',
      { payment_method: 'on_line' },
      [400, 'invalid_request', 'payment_method'],
    ],
    [
      'a return_url on another host',
      { return_url: 'https://evil.example/' },
      [400, 'return_host_refused', 'return_url'],
    ],
    ['an attempt that is no UUID', { attempt: 'x' }, [400, 'invalid_request', 'attempt']],
    [
      'a missing product name',
      { product_name: undefined },
      [400, 'invalid_request', 'product_name'],
    ],
  ];
  for (const [what, change, expected] of cases)
    it(`refuses a request with ${what}`, () =>
      expectPayRefused(expected, { ...openIntent, ...change }));

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
        const expected: Expected = [400, 'invalid_request', field];
        await expectPayRefused(expected, { ...openIntent, [field]: value });
        const order = { ...openIntent, customer_ref_id: 'c1', [field]: value };
        await expectRefusal(expected, '/v1/order-tokens', order, bearer);
      });

  const catalogue: [string, Record<string, unknown>, Expected][] = [
    ['an unknown sku', { sku: 'cap' }, [404, 'sku_unknown', 'sku']],
    ['an inherited property as sku', { sku: 'constructor' }, [404, 'sku_unknown', 'sku']],
    ['quantity 0', { sku: 'tee', quantity: 0 }, [400, 'quantity_out_of_bounds', 'quantity']],
    [
      'quantity 6 when the catalogue allows 5',
      { sku: 'tee', quantity: 6 },
      [400, 'quantity_out_of_bounds', 'quantity'],
    ],
    ['quantity 1.5', { sku: 'tee', quantity: 1.5 }, [400, 'invalid_request', 'quantity']],
    ['an amount next to a sku', { sku: 'tee', amount: '1' }, [400, 'invalid_request', 'amount']],
  ];
  for (const [what, intent, expected] of catalogue)
    it(`refuses a catalogue request with ${what}`, () => expectPayRefused(expected, intent));

  it('refuses a request in a mode that is not configured', async () => {
    const { catalogue: _, open_amount: __, ...closed } = testConfig;
    const bare = createWorld({
      config: { ...closed, catalogue: undefined, open_amount: undefined, order_token_keys: [] },
    });
    for (const intent of [openIntent, { sku: 'tee' }, { order_token: await token() }])
      await expectPayRefused([403, 'not_configured', Object.keys(intent)[0]], intent, bare);
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
      expectPayRefused([401, 'token_invalid', 'order_token'], { order_token: await make() }));

  it('refuses an expired token that has no order yet', async () =>
    expectPayRefused([401, 'token_expired', 'order_token'], {
      order_token: await token({}, { exp: -40 }),
    }));

  it('resumes the order of an expired token', async () => {
    const world = createWorld();
    const jti = crypto.randomUUID();
    await world.ask('/v1/pay', pay({ order_token: await token({ jti }) }));
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
      expectPayRefused([422, 'token_contradicted', field], {
        order_token: await token(),
        [field]: value,
      }));

  it('accepts the amount of the token when it is written differently', async () => {
    const world = createWorld();
    const intent = { order_token: await token(), amount: '12.5' };
    expect((await world.ask('/v1/pay', pay(intent))).status).to.equal(200);
    expect(world.pays()[0]?.amount).to.equal('12.50');
  });
});

const order = { amount: '1', currency: 'USD', product_name: 'x', customer_ref_id: 'c' };

describe('the HTTP guards', () => {
  it('refuses a body over 16 KB', () =>
    expectPayRefused([413, 'body_too_large'], { ...openIntent, remark: 'x'.repeat(17_000) }));
  it('refuses a body that is not JSON', () =>
    expectRefusal([400, 'invalid_request'], '/v1/pay', '{"amount":'));
  it('refuses a body of type text/plain', () =>
    expectRefusal([415, 'content_type_refused'], '/v1/pay', pay(openIntent), {
      'content-type': 'text/plain',
    }));
  it('refuses an unknown path', () =>
    expectRefusal([404, 'not_found'], '/v1/payout', pay(openIntent)));
  it('answers order_unknown when the order does not exist and its order_key is wrong', () =>
    expectRefusal([404, 'order_unknown', 'request_id'], '/v1/query', {
      request_id: 'nobody',
      order_key: 'm.x',
    }));
  for (const field of ['intent_id', 'request_id'])
    it(`names the ${field} when the shop’s backend asks for an order that does not exist`, () =>
      expectRefusal(
        [404, 'order_unknown', field],
        '/v1/query',
        { [field]: 'nobody-nobody' },
        bearer,
      ));
  it('gives the same answer when an order_key is wrong and when no such order exists', async () => {
    const world = createWorld();
    const { body } = await world.ask('/v1/pay', pay(openIntent));
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
    const wrong = { authorization: 'Bearer wrong' };
    for (const headers of [{}, wrong])
      await expectRefusal([401, 'unauthorized'], '/v1/order-tokens', order, headers);
    expect((await createWorld().ask('/v1/order-tokens', order, bearer)).status).to.equal(200);
  });
});

describe('two secret keys', () => {
  it('accepts either of two secret keys on the backend’s routes, and no other key', async () => {
    const world = createWorld({ config: { secret_key: [{ env: 'TOKEN' }, { env: 'SECRET' }] } });
    const status = async (key: string): Promise<number> =>
      (await world.ask('/v1/order-tokens', order, { authorization: `Bearer ${key}` })).status;
    expect(await status(SECRETS.TOKEN ?? '')).to.equal(200);
    expect(await status(SECRETS.SECRET ?? '')).to.equal(200);
    for (const wrong of ['wrong', '', `${SECRETS.TOKEN}${SECRETS.SECRET}`, 'undefined'])
      expect(await status(wrong)).to.equal(401);
  });
});

describe('the origin guard', () => {
  // a page's script cannot set Origin, so the test calls the relay directly
  const from = (origin: string, plain: Request): Request =>
    new Proxy(plain, {
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
  const request = (origin: string): Request =>
    from(
      origin,
      new Request('https://shop.example/v1/checkout', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(openIntent),
      }),
    );
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
  it('refuses a query of a foreign page before it counts, so that the page reads why', async () => {
    const { relay } = createWorld({ limiter: async (bucket) => bucket !== 'ip' });
    const plain = new Request('https://shop.example/v1/query', { method: 'POST' });
    const response = await relay.fetch(from('https://evil.example', plain));
    expect(response.status).to.equal(403);
    expect(response.headers.get('access-control-allow-origin')).to.equal('https://evil.example');
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
