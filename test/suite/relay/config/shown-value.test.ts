/** No message about a refused configuration contains a password, a secret or a key. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'node:test';
import { ConfigError, parseConfig } from '../../../../relay/config/parse-config.js';
import type { ReadSecret } from '../../../../relay/config/secrets.js';
import { readSecret, testConfig } from '../../support/world.js';

const HIDDEN = 'hunter2';

const problems = (change: object, read: ReadSecret = readSecret): string => {
  try {
    parseConfig({ ...testConfig, ...change }, read);
    return '';
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
};
const withBase = (base_url: unknown): object => ({ service: { base_url } });

describe('a message about a refused configuration', () => {
  for (const [what, change] of [
    ['a password in base_url', withBase(`https://u:${HIDDEN}@s.example`)],
    ['a password with spaces and quotes', withBase(`https://u:" x" ${HIDDEN}"@s.example`)],
    ['a password with a line end', withBase(`https://u:x\n${HIDDEN}@s.example`)],
    ['a password with a question mark', withBase(`https://u:?${HIDDEN}?x@s.example`)],
    ['a user that is a key', withBase(`https://${HIDDEN}:@s.example`)],
    ['a URL without scheme', withBase(`u:${HIDDEN}@s.example`)],
    ['a scheme with one slash', withBase(`http:/u:${HIDDEN}@s.example`)],
    ['a key in a query', withBase(`https://s.example/v1?key=${HIDDEN}`)],
    ['an @ in a query', withBase(`https://s.example/v1?key=${HIDDEN}@x`)],
    ['a key in a fragment', withBase(`https://s.example#${HIDDEN}`)],
    ['a list of URLs', withBase([`https://u:${HIDDEN}@s.example`])],
    ['a service that is a text', { service: `https://${HIDDEN}.example` }],
    ['a password in public_url', { public_url: `https://u:${HIDDEN}@shop.example` }],
    ['a key in the query of public_url', { public_url: `https://shop.example/?k=${HIDDEN}` }],
    [
      'a password in the URL of events',
      { shop_events: { url: `https://u:${HIDDEN}@shop.example/`, secret: { env: 'SECRET' } } },
    ],
    ['events that are a text', { shop_events: `whsec_${HIDDEN}` }],
    ['an operator that is a text', { operator: HIDDEN }],
    ['keys that are a text', { order_token_keys: HIDDEN }],
    ['keys that are an object', { order_token_keys: { k1: HIDDEN } }],
    ['a key that is a text', { capability_keys: [HIDDEN] }],
    ['headers that are a text', { service: { base_url: 'https://s.example', headers: HIDDEN } }],
    [
      'a header in the place of its name',
      { service: { base_url: 'https://s.example', headers: { [`x-key: ${HIDDEN}`]: {} } } },
    ],
    ['an env that is a URL', { secret_key: { env: `postgres://u:${HIDDEN}@db` } }],
    ['a file that is a URL', { secret_key: { file: `postgres://u:${HIDDEN}@db` } }],
    ['a ledger of another database', { ledger: `mysql://u:${HIDDEN}@db/pay` }],
    ['a ledger without a user', { ledger: `mysql://${HIDDEN}` }],
    ['a ledger as key and value', { ledger: `host=db password=${HIDDEN}` }],
    ['a ledger whose password is a parameter', { ledger: `mysql://db/pay?password=${HIDDEN}` }],
    ['a ledger that is an object', { ledger: { url: `postgres://u:${HIDDEN}@db` } }],
    ['a ledger whose env is a URL', { ledger: { env: `postgres://u:${HIDDEN}@db` } }],
    ['a password with a slash', { ledger: `postgres://u:1/${HIDDEN}@db/pay` }],
    ['a password with an @ and a slash', { ledger: `postgres://u:p@${HIDDEN}/x@db/pay` }],
    ['a password with an @ and a question mark', { ledger: `postgres://u:p@${HIDDEN}?x@db` }],
    ['a password with a number sign', { ledger: `postgres://u:1#${HIDDEN}@db/pay` }],
  ] as const)
    it(`hides a secret in the message when it stands in ${what}`, () => {
      const message = problems(change);
      assert.match(message, /\n {2}[\w.…]+: .*expected /);
      assert.doesNotMatch(message, new RegExp(HIDDEN));
    });

  it('shows no part of a configuration file that is no object', () => {
    for (const file of [`"${HIDDEN}"`, [HIDDEN], HIDDEN])
      assert.throws(
        () => parseConfig(file),
        (error: Error) => /whole file/.test(error.message) && !error.message.includes(HIDDEN),
      );
  });

  it('names a missing secret as missing', () => {
    const keys = [{ kid: 'k1', alg: 'HS256' }];
    assert.match(
      problems({ order_token_keys: keys }),
      /order_token_keys\.0\.secret: missing; expected \{"env": "NAME"\}/,
    );
  });
});

describe('the ledger of a configuration', () => {
  const values: Record<string, string> = {
    LEDGER: `postgres://u:${HIDDEN}@db.example/pay\n`,
    WRONG: `mysql://u:${HIDDEN}@db.example/pay`,
    'db.url': 'sqlite:pay.db',
  };
  const read: ReadSecret = (reference) =>
    values['env' in reference ? reference.env : reference.file] ?? readSecret(reference);
  const ledgerOf = (ledger: unknown): string | undefined =>
    parseConfig({ ...testConfig, ledger }, read).ledger.reveal();

  it('takes the ledger from a text, the environment or a file', () => {
    assert.equal(ledgerOf('sqlite:pay.db'), 'sqlite:pay.db');
    assert.equal(ledgerOf({ env: 'LEDGER' }), `postgres://u:${HIDDEN}@db.example/pay`);
    assert.equal(ledgerOf({ file: 'db.url' }), 'sqlite:pay.db');
  });

  it('accepts a ledger with a percent-encoded password and parameters of the driver', () => {
    for (const name of [
      'postgres://u:p%40%2F%3F%23@db.example:5432/pay?sslmode=verify-full',
      'postgresql:///pay?host=/var/run/postgresql',
      'postgres://u:p@ss@db/pay',
    ])
      assert.equal(ledgerOf(name), name);
  });

  it('hides the ledger when the configuration is printed', () => {
    const config = parseConfig({ ...testConfig, ledger: values.LEDGER?.trim() }, read);
    for (const printed of [JSON.stringify(config), inspect(config, { depth: 9 })])
      assert.doesNotMatch(printed, new RegExp(HIDDEN));
  });

  it('hides the address for hints when it is refused, and when it is printed', () => {
    const ledger_hints = `postgres://u:${HIDDEN}@db/pay`;
    const config = parseConfig({ ...testConfig, ledger_hints }, read);
    assert.equal(config.ledger_hints?.reveal(), ledger_hints);
    assert.doesNotMatch(JSON.stringify(config), new RegExp(HIDDEN));
    const refused = problems({ ledger_hints: `mysql://u:${HIDDEN}@db/pay` }, read);
    assert.match(refused, /ledger_hints: "mysql:.*expected "postgres:/);
    assert.doesNotMatch(refused, new RegExp(HIDDEN));
  });

  for (const [ledger, expected] of [
    [{ env: 'NOPE' }, /ledger: expected a ledger; the environment variable NOPE is missing/],
    [{ file: './nope' }, /ledger: expected a ledger; the file \.\/nope is missing/],
    [{ env: 'WRONG' }, /ledger: expected "sqlite:FILE" or "postgres:\/\/…" as its value/],
    [{ evn: 'LEDGER' }, /ledger: expected "sqlite:FILE", "postgres:\/\/…", \{"env": "NAME"\} or/],
    [undefined, /ledger: missing; expected "sqlite:FILE"/],
    ['pay.db', /ledger: expected "sqlite:FILE"/],
    ['sqlite::memory:', /ledger: expected a path after "sqlite:".*not ":memory:" or "file:"/],
    ['sqlite:file:q?mode=memory', /ledger: expected a path after "sqlite:"/],
    ['sqlite:file:/x.db', /ledger: expected a path after "sqlite:"/],
    ['postgres://u:1/2@db/pay', /ledger: "postgres:\/\/…@db\/pay"; expected .*percent-encoded/],
  ] as const)
    it(`refuses the ledger ${JSON.stringify(ledger)}`, () =>
      assert.match(problems({ ledger }, read), expected));
});
