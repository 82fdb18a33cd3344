/** The message for a mistake names the path, the present value, and the line to write. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError, parseConfig } from '../../../../relay/config/parse-config.js';
import { configSchema } from '../../../../relay/config/schema.js';
import { readSecret, testConfig } from '../../support/world.js';

const HIDDEN = 'hunter2hunter2';

/** The configuration of the tests with another value at a path; undefined removes the field. */
function withField(path: string, value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(testConfig)) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let at = copy;
  for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

function messageFor(file: unknown): string {
  try {
    parseConfig(file, readSecret);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.join('\n');
  }
  return 'accepted';
}

const tee = (amount: unknown) => ({ tee: { amount, currency: 'USD', product_name: 'T-shirt' } });
const qr = { id: 'q', label: 'Q', payment_method: 'on_line' };
/** Field, wrong value, path in the message, how it shows the value, part of the line to write. */
const mistakes: [string, unknown, string, string, string][] = [
  ['mode', undefined, 'mode', 'missing', '"mode": "test"'],
  ['mode', 'production', 'mode', '"production"', '"mode": "test"'],
  ['service', undefined, 'service', 'missing', '"service": {"base_url": "https://'],
  ['service.base_url', 'a.example', 'service.base_url', '"a.example"', '"base_url": "https://'],
  ['service.base_url', 'http://a.example', 'service.base_url', '"http://', '"base_url": "https://'],
  ['service.base_url', 'https://u@a.example', 'service.base_url', '"https://', 'without user'],
  ['public_url', 'https://u@a.example', 'public_url', '"https://', 'without user, password, query'],
  ['service.headers', { 'x-key': HIDDEN }, 'service.headers.x-key', '', '{"env": "NAME"}'],
  ['service.not_found_codes', ['200'], 'service.not_found_codes.0', '"200"', 'a code of a refusal'],
  ['service.timeout_ms', '10s', 'service.timeout_ms', '"10s"', '"timeout_ms": 10000'],
  ['shop.name', undefined, 'shop.name', 'missing', '"name": "Bean & Leaf"'],
  ['shop.origins', 'https://a.example', 'shop.origins', 'a text', '"origins": ["https://'],
  ['shop.origins', ['https://a.example/'], 'shop.origins.0', '"https://', '"origins": ["https://'],
  ['shop.return_hosts', ['https://a'], 'shop.return_hosts.0', '"https://a"', '"return_hosts": ['],
  ['public_url', undefined, 'public_url', 'missing', '"public_url": "https://shop.example/pay"'],
  ['ledger', `mysql://u:${HIDDEN}@h/d`, 'ledger', '"mysql://…@h/d"', '"postgres://…"'],
  ['options', { id: 'card' }, 'options', 'an object', '"options": [{"id": "card"'],
  ['options', [{ ...qr, payment_method: 'web' }], 'options.0.payment_method', '"web"', '"on_line"'],
  [
    'options',
    [{ ...qr, payment_method: 'direct' }],
    'options.0.payment_type',
    'missing',
    '"qrcode"',
  ],
  ['options', [{ ...qr, expires_after_s: 4e7 }], 'options.0.expires_after_s', '40000000', '": 900'],
  ['options', [{ ...qr, expires_after_s: '9' }], 'options.0.expires_after_s', '"9"', '": 900'],
  ['options', [qr, qr], 'options.1.id', '"q"', '"options": ['],
  ['statuses', { paid: 'succeeded' }, 'statuses.paid', '"succeeded"', '"statuses": {"11": '],
  ['statuses', { 20: 'paid' }, 'statuses.20', '"paid"', '"statuses": {"11": "pending"'],
  ['links.hosts', ['https://a.example'], 'links.hosts.0', '"https://', '"links": {"hosts": ['],
  ['links.schemes', ['javascript'], 'links.schemes.0', '"javascript"', '"schemes": ["sberpay"]'],
  ['catalogue', tee(19.9), 'catalogue.tee.amount', '19.9', '"amount": "19.90"'],
  ['catalogue', tee('19,90'), 'catalogue.tee.amount', '"19,90"', '"amount": "19.90"'],
  [
    'catalogue.tee',
    { ...tee('1').tee, product_name: 'T\u200bshirt' },
    'catalogue.tee.product_name',
    '"T\u200bshirt"',
    'invisible characters',
  ],
  ['secret_key', HIDDEN, 'secret_key', '', '"secret_key": {"env": "NAME"}'],
  [
    'operator',
    { port: 1, keys: [{ name: 'a', role: 'act', key: HIDDEN }] },
    'operator.keys.0.key',
    'expected',
    '; write "key": {"env": "NAME"}',
  ],
  [
    'order_token_keys',
    [{ kid: 'k', alg: 'RS256' }],
    'order_token_keys.0.alg',
    '"RS256"',
    '"HS256"',
  ],
  ['shop_events', { secret: { env: 'SECRET' } }, 'shop_events.url', 'missing', '"url": "https://'],
  ['texts', { no_deadline: '' }, 'texts.no_deadline', '""', 'at least 1 characters'],
  ['limits', { retention_days: 1 }, 'limits.retention_days', '1', '"retention_days": 400'],
];

describe('the message for a mistake in the configuration', () => {
  for (const [field, value, path, shown, line] of mistakes)
    it(`proposes a line for ${field}: ${JSON.stringify(value)}`, () => {
      const message = messageFor(withField(field, value));
      const [found] = message.split('\n').filter((each) => each.startsWith(`${path}: ${shown}`));
      assert.ok(found, message);
      assert.ok(found.slice(path.length).includes(line), message);
      assert.doesNotMatch(message, new RegExp(HIDDEN));
    });

  it('never proposes another ledger', () => {
    const ledgers = [undefined, 'memory', { env: 'NOT_SET' }, `postgres://u:a#${HIDDEN}@h/d`];
    for (const ledger of ledgers) {
      const message = messageFor(withField('ledger', ledger));
      assert.match(message, /^ledger: /);
      assert.doesNotMatch(message, /; write /);
    }
  });

  it('proposes no line about a neighbour of the field', () => {
    for (const field of ['limits.per_ip_per_minute', 'service.require_echo'])
      assert.doesNotMatch(messageFor(withField(field, 0)), /; write /);
    const key = { kid: 'e1', alg: 'EdDSA', public_key: { env: 'SECRET' } };
    assert.match(
      messageFor(withField('order_token_keys', [key])),
      /^order_token_keys\.0\.public_key: expected a public key .*; write "public_key": \{"file": /,
    );
  });

  it('proposes no line for an unknown field or for a secret that is not set', () => {
    assert.match(
      messageFor(withField('service.timeout', 5)),
      /^service\.timeout: an unknown field; the fields here are base_url, .*, timeout_ms$/,
    );
    assert.equal(
      messageFor(withField('secret_key', { env: 'NOT_SET' })),
      'secret_key: expected a secret; the environment variable NOT_SET is missing',
    );
  });
});

describe('the lines that messages propose', () => {
  it('accepts each proposed line that is a whole field of the configuration', () => {
    const fields = new Set(Object.keys(configSchema(() => undefined).shape));
    const proposed = mistakes
      .map(
        ([field, value]) => /; write (\{.*|".*)$/m.exec(messageFor(withField(field, value)))?.[1],
      )
      .filter((line) => line !== undefined)
      .map((line) => JSON.parse(`{${line}}`) as Record<string, unknown>)
      .filter((line) => Object.keys(line).every((name) => fields.has(name)));
    assert.ok(proposed.length > 8);
    const secret = (): string => 'a-secret-of-at-least-thirty-two-bytes';
    for (const line of proposed) parseConfig({ ...testConfig, ...line }, secret);
  });
});
