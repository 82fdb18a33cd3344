/** What `check` and the console find in a configuration alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, warningsAtStart } from '../../../../relay/config/findings.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { readSecret, testConfig } from '../../support/world.js';

const { catalogue: _, open_amount: _amount, open_deposits: _open, ...rest } = testConfig;
const { order_token_keys: _keys, secret_key: _secret, ...nothingToSell } = rest;
const DEPOSITS = [{ currency: 'XRP' }];
const card = { id: 'card', label: 'Card', payment_method: 'on_line' };

/** The findings about one field, as `level text`. */
const found = (path: string, change: object): string[] =>
  findingsOf(parseConfig({ ...nothingToSell, ...change }, readSecret))
    .filter((finding) => finding.path === path)
    .map(({ level, text }) => `${level} ${text}`);

describe('a configuration without order_token_keys', () => {
  const sells = (change: object): boolean => found('order_token_keys', change).length === 0;

  for (const [what, change] of [
    ['a secret key, with which a backend makes pay links', { secret_key: rest.secret_key }],
    ['a catalogue', { catalogue: { tee: { amount: '1', currency: 'USD', product_name: 'T' } } }],
    ['an open amount', { open_amount: { USD: { min: '1', max: '5' } } }],
    ['deposits that need no token', { deposits: DEPOSITS, open_deposits: true }],
  ] as const)
    it(`sells by ${what}`, () => assert.ok(sells(change)));

  for (const [what, change] of [
    ['no other way', {}],
    ['an empty catalogue', { catalogue: {} }],
    ['no open amount', { open_amount: {} }],
    ['deposits that need a token', { deposits: DEPOSITS, open_deposits: false }],
  ] as const)
    it(`sells nothing with ${what}`, () => assert.equal(sells(change), false));
});

describe('a service.timeout_ms', () => {
  it('is warned of when it is longer than a page waits', () => {
    const { service } = testConfig;
    const warned = (timeout_ms: number): string[] =>
      found('service.timeout_ms', { service: { ...service, timeout_ms } });
    assert.deepEqual(warned(15_000), []);
    assert.deepEqual(warned(15_001), ['warn a page waits for 15000 ms only; write 15000 or less']);
  });
});

describe('the texts of a shop', () => {
  const texts = {
    pay_now: 'Pay now',
    pay: { en: 'Pay {amount}', de: '{sum} zahlen' },
    choose: 'How, {name}?',
    toString: 'x',
  };
  const WARNINGS = [
    'texts.pay_now: never shown: the element has no text of this key',
    'texts.pay.de: {sum} stays as it is: this text has only {amount}',
    'texts.choose: {name} stays as it is: this text has no placeholders',
    'texts.toString: never shown: the element has no text of this key',
  ];
  const config = parseConfig({ ...testConfig, texts }, readSecret);

  it('are warned of by key, language and placeholder', () =>
    assert.deepEqual(
      findingsOf(config)
        .filter(({ path }) => path.startsWith('texts'))
        .map(({ level, path, text }) => `${level} ${path}: ${text}`),
      WARNINGS.map((warning) => `warn ${warning}`),
    ));

  it('are warned of at the start', () =>
    assert.deepEqual(
      warningsAtStart(config).filter((line) => line.startsWith('texts')),
      WARNINGS,
    ));
});

describe('a configuration of deposits alone', () => {
  const deposits = { options: [], statuses: {}, deposits: DEPOSITS };

  it('is told of no options', () => assert.deepEqual(found('options', deposits), []));

  it('is told that nothing takes a price', () => {
    const catalogue = { tee: { amount: '1', currency: 'USD', product_name: 'T' } };
    assert.deepEqual(found('catalogue.tee', { ...deposits, catalogue }), [
      'warn no option takes 1 USD: there are no options',
    ]);
    assert.deepEqual(found('catalogue.tee', { options: [{ ...card, max: '0.5' }], catalogue }), [
      'warn no option takes 1 USD: card takes at most 0.5',
    ]);
  });
});

describe('a ledger in memory', () => {
  for (const [mode, expected] of [
    ['live', true],
    ['test', false],
  ] as const)
    it(`${expected ? 'is' : 'is not'} warned of at start in mode ${mode}`, () => {
      const config = parseConfig({ ...testConfig, mode, ledger: 'memory:' }, readSecret);
      const isWarned = warningsAtStart(config).some((line) => line.startsWith('ledger: '));
      assert.equal(isWarned, expected);
    });
});
