/** Who may use the operator's console, and what it refuses to whom. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from '../../../../relay/config/secrets.js';
import { LedgerLostError } from '../../../../relay/ledger/ledger-errors.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { verbs } from '../../../../relay/operator/verbs.js';
import { signedPay } from '../operator/signed-pay.js';
import { manualClock } from '../../support/manual-clock.js';
import { createWorld, testConfig } from '../../support/world.js';
import {
  codeOf,
  createConsoleOf,
  KEY,
  messageOf,
  READING_KEY,
  UPSTREAM,
  type Answer,
} from './console-of.js';

const HOUR_MS = 3_600_000;

describe('the console', () => {
  it('answers nothing without a session but its page and its script', async () => {
    const { ask } = createConsoleOf(createWorld());
    const page = await ask('/console');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*lit-html/);
    assert.equal((await ask('/console/session')).status, 401);
    const access = ['list', 'challenge', 'add', 'remove', 'keys'].map((name) => `access/${name}`);
    for (const name of [...Object.keys(verbs), ...access, 'state'])
      for (const cookie of [undefined, 'pay-console=', 'pay-console=8788.guess', 'other=1']) {
        const answer = await ask(`/console/api/${name}`, { body: {}, ...(cookie && { cookie }) });
        assert.equal(answer.status, 401, `${name} with ${cookie}`);
      }
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      for (const path of ['/console/api/orders/list', '/console/api/', '/console/', '/console/x'])
        assert.equal((await ask(path, { method })).status, 404, `${method} ${path}`);
  });

  it('does not answer on the public port, whatever the path', async () => {
    const { relay } = createWorld();
    const challenge = '/console/session/challenge';
    for (const path of ['/console', '/console/session', challenge, '/console/api/x', '/metrics'])
      for (const method of ['GET', 'POST']) {
        const response = await relay.fetch(new Request(`http://relay${path}`, { method }));
        assert.equal(response.status, 404, `${method} ${path}`);
      }
  });

  it('opens a session by a key, for twelve hours, in a cookie that no script reads', async () => {
    const { ask, call, clock, signIn } = createConsoleOf(createWorld());
    const { body, headers } = await ask('/console/session', { body: { key: READING_KEY } });
    assert.deepEqual(body, { name: 'Ben', role: 'read', ends_in_s: 43_200 });
    const set = headers.get('set-cookie') ?? '';
    assert.match(
      set,
      /^pay-console=8788\.[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    const cookie = await signIn();
    clock.now = 12 * HOUR_MS - 1;
    assert.equal((await call('options/list', {}, cookie)).status, 200);
    clock.now = 12 * HOUR_MS;
    assert.equal((await call('options/list', {}, cookie)).status, 401);
  });

  it('refuses a cookie that was stolen before its owner signed out', async () => {
    const { ask, call, signIn } = createConsoleOf(createWorld());
    const cookie = await signIn();
    const other = await signIn();
    const left = await ask('/console/session', { method: 'DELETE', cookie });
    assert.equal(left.status, 204);
    assert.match(left.headers.get('set-cookie') ?? '', /Max-Age=0/);
    assert.equal((await call('options/list', {}, cookie)).status, 401);
    assert.equal((await call('options/list', {}, other)).status, 200);
  });

  it('keeps the session of another console of the same machine', async () => {
    const [one, two] = [createConsoleOf(createWorld()), createConsoleOf(createWorld())];
    const [ofOne, ofTwo] = [{ host: 'localhost:8788' }, { host: 'localhost:8789' }];
    // a browser keeps one cookie of a name, and sends it to every port
    let cookie = 'pay-console="; other=1';
    const session = async (console: typeof one, of: object): Promise<string> => {
      const { headers } = await console.ask('/console/session', { cookie, ...of });
      return headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const statuses = async (): Promise<number[]> => [
      (await one.ask('/console/api/todo', { body: {}, cookie, ...ofOne })).status,
      (await two.ask('/console/api/todo', { body: {}, cookie, ...ofTwo })).status,
    ];
    const key = { body: { key: KEY } };
    cookie = await session(one, { ...key, ...ofOne });
    cookie = await session(two, { ...key, ...ofTwo });
    assert.deepEqual(await statuses(), [200, 200]);
    cookie = await session(one, { method: 'DELETE', ...ofOne });
    assert.deepEqual(await statuses(), [401, 200]);
    for (let port = 9000; port < 9020; port++)
      cookie = await session(two, { ...key, host: `localhost:${port}` });
    assert.ok(cookie.length < 500, 'bounded');
  });

  it('ends a session when a reload replaces its key, its role or its name', async () => {
    const { call, keys, signIn } = createConsoleOf(createWorld());
    const [ann] = keys;
    assert.ok(ann);
    const cookie = await signIn();
    for (const change of [{ key: new Secret('another-key') }, { role: 'read' }, { name: 'Cleo' }]) {
      keys[0] = { ...ann, ...change } as typeof ann;
      assert.equal((await call('options/list', {}, cookie)).status, 401);
    }
    keys[0] = ann;
    assert.equal((await call('options/list', {}, cookie)).status, 200);
  });

  it('binds the cookie to TLS and to the host behind a proxy', async () => {
    const { ask } = createConsoleOf(createWorld());
    const host = 'ops.shop.example';
    const over = async (origin: string) =>
      ask('/console/session', { body: { key: KEY }, host, headers: { origin } });
    const signedIn = await over(`https://${host}`);
    assert.match(
      signedIn.headers.get('set-cookie') ?? '',
      /^__Host-pay-console=\.[\w-]{43};.*; Secure$/,
    );
    const plain = await over(`http://${host}`);
    assert.deepEqual([plain.status, codeOf(plain)], [403, 'origin_refused']);
  });

  it('says so when the proxy does not pass the host on that the browser named', async () => {
    const { ask } = createConsoleOf(createWorld());
    const signIn = { body: { key: KEY }, host: '127.0.0.1:8788' };
    const headers = { origin: 'https://ops.shop.example' };
    const { body, status } = await ask('/console/session', { ...signIn, headers });
    assert.equal(status, 403);
    assert.match(JSON.stringify(body), /proxy_set_header Host \$host/);
  });

  it('binds the cookie to TLS at localhost too, where a proxy ends it', async () => {
    const { ask } = createConsoleOf(createWorld());
    const over = (scheme: string) => ({ headers: { origin: `${scheme}://localhost:8788` } });
    const cookieOver = async (scheme: string): Promise<string> => {
      const { headers } = await ask('/console/session', { body: { key: KEY }, ...over(scheme) });
      return headers.get('set-cookie') ?? '';
    };
    const [bound, plain] = [await cookieOver('https'), await cookieOver('http')];
    assert.match(bound, /^__Host-pay-console=8788\..*; Path=\/; .*; Secure$/);
    assert.match(plain, /^pay-console=8788\.(?!.*Secure)/);
    const statusOf = async (set: string, scheme: string): Promise<number> => {
      const cookie = set.split(';')[0] ?? '';
      return (await ask('/console/api/todo', { body: {}, cookie, ...over(scheme) })).status;
    };
    assert.equal(await statusOf(bound, 'https'), 200);
    assert.equal(await statusOf(plain, 'http'), 200);
    // another program of this machine can set the plain one by its own port
    assert.equal(await statusOf(plain, 'https'), 401);
    for (const set of [bound, plain]) {
      const cookie = set.split(';')[0] ?? '';
      assert.equal((await ask('/console/session', { cookie })).status, 200, 'a GET has no origin');
    }
    const left = await ask('/console/session', {
      method: 'DELETE',
      cookie: bound.split(';')[0] ?? '',
      ...over('https'),
    });
    const ended = left.headers.get('set-cookie') ?? '';
    assert.match(ended, /^__Host-pay-console=; .*Max-Age=0.*Secure$/);
    assert.equal(await statusOf(bound, 'https'), 401);
  });

  it('opens to the open one of two sessions when the other is of a replaced key', async () => {
    const { ask, keys, signIn } = createConsoleOf(createWorld());
    const [ann] = keys;
    assert.ok(ann);
    const replaced = await signIn();
    keys[0] = { ...ann, key: new Secret('another-key') };
    const open = await signIn('another-key');
    const statusOf = async (cookie: string): Promise<number> =>
      (await ask('/console/session', { cookie })).status;
    assert.equal(await statusOf(`__Host-${replaced}; ${open}`), 200);
    assert.equal(await statusOf(`${replaced}; __Host-${open}`), 200);
    assert.equal(await statusOf(`__Host-${replaced}; ${replaced}`), 401);
  });

  it('gives a reference only to a failure that is in the log, with its cause', async () => {
    const lost = new LedgerLostError('Connection terminated', {
      cause: new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:5432')]),
    });
    const walkPayLinks = async () => Promise.reject(lost);
    const world = createWorld({ ledger: { ...memoryLedger(), walkPayLinks } });
    const { call, lines, signIn } = createConsoleOf(world);
    const cookie = await signIn();
    const seen = lines.length;
    const refused = await call('orders/show', { id: 'nobody' }, cookie);
    assert.equal(refused.status, 409);
    assert.deepEqual(Object.keys(refused.body.error as object), ['code', 'message']);
    assert.equal(lines.length, seen);
    const { body, status } = await call('links/list', {}, cookie);
    const { message, reference } = body.error as Record<string, string>;
    assert.deepEqual([status, message], [503, 'the ledger cannot be used']);
    const { cause, reference: inLog } = lines.at(-1)?.[2] as Record<string, string>;
    assert.equal(inLog, reference);
    assert.equal(
      cause,
      'LedgerLostError: Connection terminated; AggregateError; ' +
        'Error: connect ECONNREFUSED 127.0.0.1:5432',
    );
  });

  it('refuses names that the configuration does not have, also for its page', async () => {
    const { ask, signIn } = createConsoleOf(createWorld());
    const cookie = await signIn();
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      'a.localhost',
    ])
      for (const path of ['/console', '/console/session', '/console/console.js']) {
        const answer = await ask(path, { host, cookie });
        assert.deepEqual([answer.status, codeOf(answer)], [403, 'host_refused'], `${host}${path}`);
      }
    assert.equal((await ask('/console', { host: '[::1]:8788' })).status, 200);
    assert.equal((await ask('/metrics', { host: 'evil.example' })).status, 401);
  });

  it('refuses requests that pages of other sites send with the cookie', async () => {
    const { ask, signIn } = createConsoleOf(createWorld());
    const cookie = await signIn();
    const from = async (headers: Record<string, string>): Promise<unknown> =>
      codeOf(await ask('/console/api/options/off', { body: { id: 'card' }, cookie, headers }));
    assert.equal(await from({ origin: 'https://evil.example' }), 'origin_refused');
    assert.equal(await from({ origin: 'http://localhost:9999' }), 'origin_refused');
    assert.equal(await from({ origin: 'null' }), 'origin_refused');
    assert.equal(await from({ 'sec-fetch-site': 'cross-site' }), 'origin_refused');
    assert.equal(await from({ 'sec-fetch-site': 'same-site' }), 'origin_refused');
    assert.equal(await from({ 'content-type': 'text/plain' }), 'content_type_refused');
    assert.equal(await from({ origin: 'http://localhost:8788' }), undefined);
  });

  it('takes the right key after ten thousand wrong ones, and no key in an address', async () => {
    const { ask, lines, signIn } = createConsoleOf(createWorld());
    const seen = new Set<number>();
    for (let n = 0; n < 10_000; n++)
      seen.add((await ask('/console/session', { body: { key: `guess-${n}` } })).status);
    assert.deepEqual([...seen], [401, 429]);
    const wrong = ['warn', 'console', { refused: 'wrong_key', address: '127.0.0.1' }];
    assert.deepEqual(lines, [wrong], 'one line for the minute');
    await signIn();
    assert.equal((await ask(`/console/session?key=${KEY}`)).status, 401);
    assert.equal((await ask(`/console/api/options/list?key=${KEY}`, { body: {} })).status, 401);
  });

  it('lets a key that reads see everything and change nothing', async () => {
    const world = createWorld();
    const { call, signIn } = createConsoleOf(world);
    const id = await signedPay(world)('order-10042', 'customer-1');
    const cookie = await signIn(READING_KEY);
    for (const [name, { role }] of Object.entries(verbs)) {
      if (role === 'read') continue;
      const answer = await call(name, { id }, cookie);
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'role_refused'], name);
    }
    assert.equal((await call('orders/show', { id }, cookie)).status, 200);
    assert.equal((await call('orders/check', { id }, cookie)).body.answer, 'answered');
    const state = (await call('state', {}, cookie)).body;
    assert.equal(state.service, 'ok');
    assert.deepEqual(state.upstream, UPSTREAM);
  });

  it('asks the service no faster than the budget allows, whatever a person presses', async () => {
    const clock = manualClock();
    const service = { ...testConfig.service, queries_per_second: 2 };
    const world = createWorld({ clock, config: { service } });
    const { call, signIn } = createConsoleOf(world);
    const id = await signedPay(world)('order-10042', 'customer-1');
    const cookie = await signIn(READING_KEY);
    const queries = (): number =>
      world.sandbox.calls.filter(({ operation }) => operation === 'query').length;
    const pressed = Array.from({ length: 6 }, () => call('orders/check', { id }, cookie));
    await clock.advance(0);
    assert.equal(queries(), 1);
    await clock.advance(2500);
    assert.equal(queries(), 6);
    for (const { body } of await Promise.all(pressed)) assert.equal(body.answer, 'answered');
  });

  it('writes who did what into the ledger and into the log', async () => {
    const world = createWorld();
    const { call, lines, signIn } = createConsoleOf(world);
    const cookie = await signIn();
    const requestId = await signedPay(world)('order-10042', 'customer-1');
    const off = await call('options/off', { id: 'card', message: { en: 'At noon' } }, cookie);
    const { options } = off.body as { options: { id: string; by: string | null }[] };
    assert.equal(options.find(({ id }) => id === 'card')?.by, 'Ann');
    assert.deepEqual(lines.at(-1), ['info', 'console', { verb: 'options/off', by: 'Ann' }]);
    await call('intents/close', { id: requestId, reason: 'sold out' }, cookie);
    const { body } = await call('orders/show', { id: 'order-10042' }, cookie);
    const { intent } = body as { intent: { closed_by: string; close_reason: string } };
    const closed = { verb: 'intents/close', by: 'Ann', intent_id: 'order-10042' };
    assert.deepEqual(lines.at(-1), ['info', 'console', closed]);
    assert.deepEqual([intent.closed_by, intent.close_reason], ['Ann', 'sold out']);
    await call('orders/link', { id: requestId }, cookie);
    const linked = { verb: 'orders/link', by: 'Ann', intent_id: 'order-10042' };
    assert.deepEqual(lines.at(-1), ['info', 'console', linked]);
  });

  it('closes an id that no purchase has only when it is said to be unused', async () => {
    const { call, signIn } = createConsoleOf(createWorld());
    const cookie = await signIn();
    const refused = await call('intents/close', { id: 'order-10042' }, cookie);
    assert.deepEqual([refused.status, codeOf(refused)], [409, 'refused']);
    const closed = await call('intents/close', { id: 'order-10042', unused: true }, cookie);
    assert.equal(closed.body.intent_id, 'order-10042');
  });

  it('names the orders about which the service was silent when it closes', async () => {
    const world = createWorld();
    const { call, signIn } = createConsoleOf(world);
    const id = await signedPay(world)('order-10042', 'customer-1');
    world.sandbox.faults.add({ operation: 'query', fault: 'cut_before' });
    const closed = await call('intents/close', { id, reason: 'sold out' }, await signIn());
    assert.deepEqual([closed.status, closed.body.unanswered], [200, [id]]);
  });

  it('lets one of two persons end a review, and tells the other who did', async () => {
    const world = createWorld();
    const { call, keys, signIn } = createConsoleOf(world);
    keys.push({ name: 'Cleo', key: new Secret('the-key-of-cleo'), role: 'act' });
    world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
    const id = await signedPay(world)('order-10042', 'customer-1');
    const [ann, cleo] = [await signIn(), await signIn('the-key-of-cleo')];
    const decide = (as: string, cookie: string): Promise<Answer> =>
      call('orders/resolve', { id, as, note: 'looked it up' }, cookie);
    const [won, lost] = await Promise.all([decide('failed', ann), decide('succeeded', cleo)]);
    assert.deepEqual([won.status, lost.status], [200, 409]);
    assert.equal(messageOf(lost), 'Ann has just ended this review');
    const later = messageOf(await decide('succeeded', cleo)) ?? '';
    assert.match(later, /not in review, it is failed; Ann resolved it as failed$/);
  });

  it('makes a link by which the customer goes on with the same order', async () => {
    const world = createWorld();
    const { call, signIn } = createConsoleOf(world);
    const requestId = await signedPay(world)('order-10042', 'customer-1');
    const { url } = (await call('orders/link', { id: 'order-10042' }, await signIn())).body;
    const [, request_id = '', order_key = ''] = /\/r#([^~]+)~(.+)$/.exec(String(url)) ?? [];
    assert.equal(request_id, requestId);
    const { status } = await world.ask('/v1/query', { request_id, order_key });
    assert.equal(status, 200);
  });

  it('names the field that is wrong, and says no more than the sentence', async () => {
    const { ask, call, signIn } = createConsoleOf(createWorld());
    const cookie = await signIn();
    const fieldOf = async (verb: string, input: object): Promise<unknown> => {
      const { body, status } = await call(verb, input, cookie);
      assert.equal(status, 400);
      return (body.error as { field?: string }).field;
    };
    assert.equal(await fieldOf('orders/list', { limit: 501 }), 'limit');
    assert.equal(await fieldOf('orders/list', { since: 'yesterday' }), 'since');
    assert.equal(await fieldOf('orders/resolve', { id: 'a', as: 'paid', note: 'x' }), 'as');
    assert.equal(await fieldOf('options/off', { id: 'card', why: 'x' }), 'why');
    assert.equal(codeOf(await call('orders/show', { id: 'nobody' }, cookie)), 'refused');
    assert.equal(codeOf(await call('orders/pay', {}, cookie)), 'not_found');
    assert.equal(codeOf(await call('toString', {}, cookie)), 'not_found');
    assert.equal((await call('orders/find', { text: 'x'.repeat(140_000) }, cookie)).status, 413);
    assert.equal((await ask('/console/session', { body: { key: 7 } })).status, 400);
    const long = ['x', 'é', '文', '🌳', '\0'].map((text) => text.repeat(20_000 / text.length));
    const nothing = { matches: [], more: false };
    for (const text of ['%', "'; drop table intents", ...long, '🌳', '<b>P1</b>'])
      assert.deepEqual((await call('orders/find', { text }, cookie)).body, nothing);
  });

  it('shows the configuration without a secret', async () => {
    const world = createWorld();
    const { call, signIn } = createConsoleOf(world);
    const { body, status } = await call('configuration', {}, await signIn());
    assert.equal(status, 200);
    const { configuration, findings } = body as {
      configuration: { secret_key: unknown; mode: string };
      findings: { level: string }[];
    };
    assert.deepEqual(configuration.secret_key, ['[secret]']);
    assert.ok(findings.length > 0);
  });
});
