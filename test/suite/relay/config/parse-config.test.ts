/**
 * The message for a refused configuration has path, value and expectation, but never the value of a
 * secret.
 */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'node:test';
import { ConfigError, parseConfig } from '../../../../relay/config/parse-config.js';
import { ORIGIN, SECRETS, testConfig } from '../../support/world.js';

const read = (reference: { env: string } | { file: string }): string | undefined =>
  'env' in reference ? SECRETS[reference.env] : undefined;
const problems = (change: object): string => {
  try {
    parseConfig({ ...testConfig, ...change }, read);
    return '';
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.join('\n');
  }
};

describe('parseConfig', () => {
  it('accepts the configuration of the tests, shop events and an operator port', () => {
    assert.equal(problems({}), '');
    assert.equal(
      problems({
        shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } },
        operator: { port: 8788, key: { env: 'SECRET' } },
      }),
      '',
    );
  });

  it('accepts a page, a mail address and a telephone number for help', () => {
    for (const support_url of [
      'https://shop.example/help',
      'mailto:help@shop.example',
      'tel:+1555',
    ])
      assert.equal(problems({ shop: { ...testConfig.shop, support_url } }), '');
  });

  for (const [what, change, expected] of [
    [
      'an address for help that runs a script',
      { shop: { ...testConfig.shop, support_url: 'javascript:alert(1)' } },
      /^shop\.support_url: .*expected an http\(s\), mailto or tel URL/,
    ],
    ['an unknown field', { lable: 1 }, /^lable: an unknown field/],
    [
      'a nested unknown field',
      { shop: { ...testConfig.shop, orgins: [] } },
      /^shop\.orgins: an unknown field; the fields here are .*image_hosts, .*origins, /,
    ],
    [
      'a wrong value',
      { mode: 'production' },
      /^mode: "production"; expected one of "live", "test"/,
    ],
    [
      'a plain http service',
      { service: { base_url: 'http://service.example' } },
      /^service\.base_url: "http:\/\/service\.example"; expected an https URL/,
    ],
    [
      'a status with a leading zero, which no answer has',
      { statuses: { '020': 'succeeded' } },
      /^statuses\.020: .*expected the name to be a status in digits, without leading zeros/,
    ],
    [
      'a bad URL',
      { public_url: 'shop.example/pay' },
      /^public_url: "shop\.example\/pay"; expected/,
    ],
    ...[
      ...['pay?', 'pay#', 'pay ', 'pay\n', 'x/../pay', 'pay/?'].map(
        (end) => `https://shop.example/${end}`,
      ),
      'HTTPS://Shop.Example/pay',
      'https://shop.example:443/pay',
      'https:\\\\shop.example\\pay',
    ].map(
      (public_url) =>
        [
          `an address that browsers spell in another way: ${JSON.stringify(public_url)}`,
          { public_url },
          /^public_url: .*; expected an address [^;]*; write "https:\/\/shop\.example\/pay"$/,
        ] as const,
    ),
    [
      'an address of the service with one slash',
      { service: { base_url: 'https:/service.example' } },
      /^service\.base_url: .*expected an address [^;]*; write "https:\/\/service\.example"$/,
    ],
    [
      'an origin with a path',
      { shop: { ...testConfig.shop, origins: ['https://a.example/x'] } },
      /^shop\.origins\.0: .*expected an origin/,
    ],
    [
      'a missing field',
      { shop: { origins: ['https://a.example'] } },
      /^shop\.name: missing; expected a text/,
    ],
    [
      'a direct option without its channel',
      { options: [{ id: 'a', label: 'A', payment_method: 'direct', payment_type: 'qrcode' }] },
      /^options\.0\.payment_channel: missing/,
    ],
    [
      'an option id that two options have',
      {
        options: [
          { id: 'a', label: 'A', payment_method: 'on_line' },
          { id: 'a', label: 'B', payment_method: 'on_line' },
        ],
      },
      /^options\.1\.id: "a"/,
    ],
    [
      'an amount that is a number',
      { open_amount: { USD: { min: 1, max: '5' } } },
      /^open_amount\.USD\.min: 1; expected a text/,
    ],
    ['a script scheme', { links: { schemes: ['javascript'] } }, /^links\.schemes\.0: "javascript"/],
    [
      'an algorithm that is not offered',
      { order_token_keys: [{ kid: 'a', alg: 'none', secret: { env: 'TOKEN' } }] },
      /^order_token_keys\.0\.alg: "none"/,
    ],
    [
      'the kid of the ledger’s own capability key',
      { capability_keys: [{ kid: 'm', secret: { env: 'TOKEN' } }] },
      /^capability_keys\.0\.kid: "m"; expected another kid/,
    ],
    [
      'a missing secret',
      { secret_key: { env: 'NOT_SET' } },
      /^secret_key: expected a secret; the environment variable NOT_SET is missing/,
    ],
  ] as const)
    it(`names the wrong field when the configuration has ${what}`, () =>
      assert.match(problems(change), expected));

  it('accepts a payee with spaces around it, and an account in any case', () => {
    const paying = (payee: string): object => ({
      options: [{ id: 'a', label: 'A', payment_method: 'on_line', code: { payees: [payee] } }],
    });
    for (const payee of ['  Bean  ', 'ACCOUNT: x', ' account:x'])
      assert.equal(problems(paying(payee)), '', payee);
    for (const payee of ['', '  ', 'account:', 'ACCOUNT: ', 'account:Account:x'])
      assert.match(problems(paying(payee)), /^options\.0\.code\.payees\.0/, payee);
  });

  it('takes a token of a code with the currency that its option is paid in', () => {
    const paying = (contract: unknown, decimals: unknown, pay_currency?: string): object => ({
      options: [
        {
          id: 'a',
          label: 'A',
          payment_method: 'on_line',
          ...(pay_currency && { pay_currency }),
          code: { token: { contract, decimals } },
        },
      ],
    });
    const tether = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    for (const contract of [tether, `${tether}@137`, mint])
      assert.equal(problems(paying(contract, 6, 'USDT')), '', contract);
    for (const contract of [tether.slice(0, -1), `${tether}@`, `${tether}@0`, 'USDT', 1])
      assert.match(problems(paying(contract, 6, 'USDT')), /^options\.0\.code\.token\.contract/);
    for (const decimals of [-1, 37, 1.5, '6'])
      assert.match(
        problems(paying(tether, decimals, 'USDT')),
        /^options\.0\.code\.token\.decimals/,
      );
    assert.match(problems(paying(tether, 6)), /^options\.0\.pay_currency: .*code\.token is set/);
  });

  it('never prints a secret that stands where its name belongs', () => {
    const secrets = [
      'sk_live_51Hx9Qz',
      'AKIAIOSFODNN7EXAMPLE',
      'JBSWY3DPEHPK3PXP',
      'a3f9c1d2/e4b5',
    ];
    for (const secret of [...secrets, 'correct horse battery', 'p@ss.word/1x2'])
      for (const place of ['env', 'file'])
        for (const field of ['secret_key', 'ledger', 'request_id_key']) {
          const found = problems({ [field]: { [place]: secret } });
          assert.match(found, /is missing/);
          assert.ok(!found.includes(secret), found);
        }
  });

  it('tells a secret that cannot be read from a missing one', () => {
    const unreadable = (code: string): never => {
      throw Object.assign(new Error(), { code });
    };
    for (const [code, why] of [
      [
        'EACCES',
        /the file secrets\/key cannot be read \(EACCES\); let the user that runs the relay read it/,
      ],
      ['EISDIR', /the file secrets\/key is a folder/],
    ] as const) {
      const reader: typeof read = (reference) =>
        'file' in reference ? unreadable(code) : read(reference);
      for (const field of ['secret_key', 'ledger'])
        assert.throws(
          () => parseConfig({ ...testConfig, [field]: { file: 'secrets/key' } }, reader),
          why,
        );
    }
  });

  it('accepts a key of request ids, and an hourly limit of new intents', () => {
    const config = parseConfig(
      {
        ...testConfig,
        request_id_key: { env: 'TOKEN' },
        limits: { new_intents_per_ip_per_hour: 5 },
      },
      read,
    );
    assert.equal(config.request_id_key?.reveal(), SECRETS.TOKEN);
    assert.equal(config.limits.new_intents_per_ip_per_hour, 5);
    const plain = parseConfig(testConfig, read);
    assert.deepEqual(
      [plain.request_id_key, plain.limits.new_intents_per_ip_per_hour],
      [undefined, 60],
    );
    // zero itself is not allowed
    const service = { ...testConfig.service, queries_per_second: 0 };
    assert.match(problems({ service }), /^service\.queries_per_second: 0; expected more than 0;/);
    assert.match(
      problems({ request_id_key: { env: 'SECRET' } }),
      /^request_id_key: expected a secret of at least 32 bytes; write /,
    );
    assert.doesNotMatch(problems({ request_id_key: 'sk_live_hidden' }), /sk_live_hidden/);
  });

  for (const scheme of [
    ...['javascript', 'data', 'blob', 'file', 'vbscript', 'about', 'ftp', 'ws', 'wss', 'http'],
    ...['https', 'intent', 'filesystem', 'view-source', 'SberPay', 'sber pay', 'sberpay:', ''],
    // the element refuses them too
    ...['ms-pay', 'edge', 'chrome', 'android-app', 'content', 'resource', 'moz-extension'],
    ...['x-safari-https', 'googlechrome', 'googlechromes', 'microsoft-edge', 'search-ms'],
    ...['shell', 'itms-services'],
  ])
    it(`refuses ${JSON.stringify(scheme)} as a scheme of links`, () => {
      const message = problems({ links: { schemes: ['sberpay', scheme] } });
      assert.match(
        message,
        /^links\.schemes\.1: ".*"; expected a wallet scheme such as "sberpay"; write /,
      );
    });

  for (const origin of [
    'https://*.shop.example',
    'https://*',
    '*',
    'null',
    '',
    'https://shop.example.',
    'https://shop.example:443',
    'http://localhost:80',
    'https://Shop.example',
    'HTTPS://shop.example',
    'https://shop.example/',
    'https://shop.example/pay',
    'https://shop.example?x',
    'https://user@shop.example',
    'https://user:hunter2@shop.example',
    'https://bücher.example',
    'https://127.1',
    'http://shop.example',
    'shop.example',
    '//shop.example',
    ' https://shop.example',
    'file://',
    'ftp://shop.example',
  ])
    it(`refuses ${JSON.stringify(origin)} as an origin, since no browser sends it`, () => {
      const message = problems({ shop: { ...testConfig.shop, origins: [ORIGIN, origin] } });
      assert.match(
        message,
        /^shop\.origins\.1: ".*"; expected an origin as a browser sends it, such/,
      );
      assert.doesNotMatch(message, /hunter2/);
    });

  it('accepts origins that browsers send', () => {
    const origins = [
      'https://shop.example',
      'https://shop.example:8443',
      'https://my_shop.example',
      'https://xn--bcher-kva.example',
      'https://203.0.113.7',
      'https://[2001:db8::1]',
      'http://localhost:5173',
      'http://[::1]:5173',
    ];
    assert.equal(problems({ shop: { ...testConfig.shop, origins } }), '');
  });

  it('hides the password of a URL in its message', () => {
    const message = problems({
      service: { base_url: 'https://user:hunter2@service.example' },
      public_url: 'https://user:hun/ter2@shop.example/pay',
      ledger: 'mysql://user:hunter2@db.example/pay',
    });
    assert.doesNotMatch(message, /hun|ter2/);
    assert.match(message, /^ledger: "mysql:\/\/…@db\.example\/pay"; expected/m);
  });

  it('hides a secret in its message when the file contains the secret', () => {
    const text = problems({
      secret_key: 'sk_live_hidden',
      service: { base_url: 'https://s.example', headers: { 'x-api-key': 'sk_live_hidden' } },
    });
    assert.match(text, /secret_key/);
    assert.match(text, /service\.headers\.x-api-key/);
    assert.doesNotMatch(text, /sk_live_hidden/);
  });

  for (const [what, name, value] of [
    ['a value of two lines', 'x-key', 'hidden\none'],
    ['a value beyond Latin-1', 'x-key', 'hidden-ключ'],
    ['a name of the connection', 'Content-Length', 'hidden'],
  ] as const)
    it(`refuses a header of the service with ${what}, and hides its value`, () => {
      const service = { base_url: 'https://s.example', headers: { [name]: { env: 'HEADER' } } };
      const parse = () => parseConfig({ ...testConfig, service }, () => value);
      assert.throws(parse, (error) => {
        assert.match(String(error), new RegExp(`service\\.headers\\.${name}: .*expected a header`));
        assert.doesNotMatch(String(error), /hidden/);
        return true;
      });
    });

  it('accepts each name of a header that HTTP allows', () => {
    const named = (name: string): unknown => {
      const service = { base_url: 'https://s.example', headers: { [name]: { env: 'HEADER' } } };
      const config = parseConfig({ ...testConfig, service }, () => 'a-key-of-16-bytes');
      return Object.keys(config.service.headers);
    };
    for (const name of ['api_key', 'X-Api.Key', "!#$%&'*+.^_`|~-9aZ"])
      assert.deepEqual(named(name), [name]);
    for (const name of ['', 'api key', 'api:key', 'api(key)', 'ключ'])
      assert.throws(() => named(name), ConfigError);
  });

  it('accepts one secret or two for a secret that can be rotated', () => {
    const two = [{ env: 'TOKEN' }, { env: 'SECRET' }];
    const config = parseConfig(
      { ...testConfig, secret_key: two, shop_events: { url: 'https://shop.example', secret: two } },
      read,
    );
    const both = [SECRETS.TOKEN, SECRETS.SECRET];
    assert.deepEqual(
      config.secret_key?.map((key) => key.reveal()),
      both,
    );
    assert.deepEqual(
      config.shop_events?.secret.map((key) => key.reveal()),
      both,
    );
    for (const [list, expected] of [
      [[], /one secret, or a list of two; write /],
      [[...two, ...two], /one secret, or a list of two; write /],
      [[{ env: 'TOKEN' }, { env: 'NOT_SET' }], /variable NOT_SET is missing$/],
      [['sk_live_hidden'], /a secret is never written in the file; write /],
    ] as const) {
      const message = problems({ secret_key: list });
      assert.match(message, new RegExp(`^secret_key: expected .*${expected.source}`));
      assert.doesNotMatch(message, /sk_live_hidden/);
    }
  });

  it('hides secrets when the configuration is printed', () => {
    const config = parseConfig(testConfig, read);
    for (const printed of [
      JSON.stringify(config),
      inspect(config, { depth: 9 }),
      `${String(config.secret_key)}`,
    ])
      for (const secret of Object.values(SECRETS)) assert.ok(!printed.includes(secret));
    assert.equal(config.secret_key?.[0]?.reveal(), SECRETS.SECRET);
  });
});
