/** Live mode is refused when the shop could sell nothing; the message names the line to write. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingForSales } from '../../../../relay/config/live-mode.js';
import { ConfigError, parseConfig } from '../../../../relay/config/parse-config.js';
import { readSecret, testConfig } from '../../support/world.js';

const { options: _options, deposits: _deposits, statuses: _statuses, ...bare } = testConfig;
const card = { id: 'card', label: 'Card', payment_method: 'on_line' };
const succeeded = { '20': 'succeeded' };

const problems = (change: object): readonly string[] => {
  try {
    parseConfig({ ...bare, ...change }, readSecret);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
};

describe('checkLiveMode', () => {
  for (const [what, change, expected] of [
    ['options and statuses', { options: [card], statuses: succeeded }, []],
    ['deposits alone', { deposits: [{ currency: 'XRP' }] }, []],
    [
      'a disabled option beside a deposit',
      {
        options: [{ ...card, enabled: false }],
        deposits: [{ currency: 'XRP' }],
        statuses: succeeded,
      },
      [],
    ],
    [
      'neither option nor deposit',
      {},
      [/^options: missing; expected an enabled option .*"options"/],
    ],
    [
      'only a disabled option',
      { options: [{ ...card, enabled: false }], statuses: succeeded },
      [/^options: a list; expected an enabled option/],
    ],
    [
      'no statuses',
      { options: [card] },
      [/^statuses: missing; expected "statuses": \{"STATUS": "succeeded"\}/],
    ],
    [
      'no status that succeeds',
      { options: [card], statuses: { '30': 'failed' } },
      [/^statuses: an object; expected "statuses": /],
    ],
    [
      'a new order that counts as paid',
      { options: [card], statuses: { '11': 'succeeded' } },
      [/^statuses\.11: "succeeded"; expected another outcome: 11 is the status of a new order/],
    ],
    [
      'statuses missing beside a deposit',
      { options: [card], deposits: [{ currency: 'XRP' }] },
      [/^statuses: missing; /],
    ],
  ] as const)
    it(`${expected.length === 0 ? 'accepts' : 'refuses'} live mode with ${what}`, () => {
      const messages = problems({ ...change, mode: 'live' });
      assert.equal(messages.length, expected.length, messages.join('\n'));
      for (const [index, pattern] of expected.entries())
        assert.match(messages[index] ?? '', pattern);
      assert.deepEqual(problems({ ...change, mode: 'test' }), []);
    });

  it('names both lines when the only option is disabled and statuses are missing', () => {
    const options = [{ ...card, enabled: false }];
    const paths = missingForSales({ options, deposits: [], statuses: {} }).map(({ path }) => path);
    assert.deepEqual(paths, ['options', 'statuses']);
  });
});

describe('plain http', () => {
  const secret = { env: 'SECRET' };
  const withUrl = (mode: string, url: string): readonly string[] => [
    ...problems({
      mode,
      options: [card],
      statuses: succeeded,
      service: { base_url: url },
      shop_events: { url, secret },
    }),
  ];

  for (const url of [
    'http://localhost:9000',
    'http://127.0.0.1',
    'http://127.1',
    'http://[::1]:9000',
  ])
    it(`allows ${url} in both modes`, () => {
      for (const mode of ['live', 'test']) assert.deepEqual(withUrl(mode, url), []);
    });

  for (const url of [
    'http://sandbox:9000',
    'http://pay.internal',
    'http://a.b.local/service',
    'http://10.1.2.3',
    'http://172.16.0.1',
    'http://172.31.255.255:81',
    'http://192.168.1.1',
    'http://[fd00::1]:80',
    'http://[::ffff:10.0.0.1]',
  ])
    it(`allows ${url} in test mode only`, () => {
      assert.deepEqual(withUrl('test', url), []);
      const messages = withUrl('live', url);
      assert.equal(messages.length, 2);
      assert.match(
        messages[0] ?? '',
        /^service\.base_url: "http:.*expected an https URL, since mode/,
      );
      assert.match(
        messages[1] ?? '',
        /^shop_events\.url: "http:.*expected an https URL, since mode/,
      );
    });

  for (const url of [
    'http://service.example',
    'http://internal.example',
    'http://local.example',
    'http://evilinternal.com',
    'http://.internal',
    'http://8.8.8.8',
    'http://172.32.0.1',
    'http://192.169.0.1',
    'http://0.0.0.0',
    'http://[2001:db8::1]',
    'http://[::ffff:8.8.8.8]',
    'ftp://sandbox',
  ])
    it(`refuses ${url} in both modes`, () => {
      for (const mode of ['live', 'test']) {
        const messages = withUrl(mode, url);
        assert.equal(messages.length, 2);
        assert.match(
          messages[0] ?? '',
          /^service\.base_url: .*; expected an https URL without user/,
        );
        assert.match(
          messages[1] ?? '',
          /^shop_events\.url: .*; expected an https URL without user/,
        );
      }
    });

  it('allows plain http for public_url and origins on loopback only, in test mode too', () => {
    const messages = problems({
      mode: 'test',
      public_url: 'http://relay:8787/pay',
      shop: { ...testConfig.shop, origins: ['http://shop.internal'] },
    });
    assert.match(
      messages.join('\n'),
      /^shop\.origins\.0: .*\npublic_url: "http:\/\/relay:8787\/pay"; /,
    );
  });
});
