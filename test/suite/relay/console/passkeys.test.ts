/** What passkeys open in the console, and what they are refused for. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorld, type World } from '../../support/world.js';
import {
  codeOf,
  createConsoleOf,
  KEY,
  READING_KEY,
  type Answer,
  type Console,
} from './console-of.js';
import { softwarePasskey, type Lie, type SoftwarePasskey } from './software-passkey.js';

const MINUTE_MS = 60_000;
const LOCAL = { origin: 'http://localhost:8788', rpId: 'localhost' };

type Shown = {
  passkeys: { name: string; operator: string; usable: boolean }[];
  keys_off: boolean;
  acts: { at: string; by: string; what: string; name: string | null }[];
};

const challengeIn = ({ body, status }: Answer): string => {
  assert.equal(status, 200, JSON.stringify(body));
  return String(body.challenge);
};

const add = async (
  { call }: Console,
  cookie: string,
  passkey: SoftwarePasskey,
  name: string,
  lie?: Lie,
): Promise<Answer> => {
  const challenge = challengeIn(await call('access/challenge', {}, cookie));
  return call('access/add', { name, credential: passkey.make(challenge, lie) }, cookie);
};

const challenged = async ({ ask }: Console): Promise<string> =>
  challengeIn(await ask('/console/session/challenge', { body: {} }));

const open = async (to: Console, passkey: SoftwarePasskey, lie?: Lie): Promise<Answer> =>
  to.ask('/console/session', { body: { passkey: passkey.sign(await challenged(to), lie) } });

const cookieIn = ({ headers, status }: Answer): string => {
  assert.equal(status, 200);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
};

/** A console with a passkey of Ann. */
async function withPasskey(world: World = createWorld()) {
  const relay = createConsoleOf(world);
  const passkey = softwarePasskey(LOCAL);
  const cookie = await relay.signIn();
  assert.equal((await add(relay, cookie, passkey, 'laptop')).status, 200);
  return { relay, passkey, cookie };
}

/** A console with two passkeys of Ann, at which the keys are switched off. */
async function withKeysOff(world: World = createWorld()) {
  const { cookie: byKey, passkey, relay } = await withPasskey(world);
  const second = softwarePasskey(LOCAL);
  await add(relay, byKey, second, 'phone');
  const cookie = cookieIn(await open(relay, passkey));
  assert.equal((await relay.call('access/keys', { off: true }, cookie)).status, 200);
  return { relay, passkey, second, byKey, cookie };
}

describe('the passkeys of the console', () => {
  it('open a session with the name and role of whoever added them', async () => {
    const { passkey, relay } = await withPasskey();
    const { body } = await open(relay, passkey);
    assert.deepEqual(body, { name: 'Ann', role: 'act', ends_in_s: 43_200 });
    const reading = softwarePasskey(LOCAL);
    const ben = await relay.signIn(READING_KEY);
    await add(relay, ben, reading, 'phone of Ben');
    const cookie = cookieIn(await open(relay, reading));
    const refusal = await relay.call('options/off', { id: 'card' }, cookie);
    assert.equal(codeOf(refusal), 'role_refused');
    assert.equal((await relay.call('options/list', {}, cookie)).status, 200);
  });

  it('are refused with another challenge, one that was used, and one that is too old', async () => {
    const { cookie, passkey, relay } = await withPasskey();
    // as the passkeys that a person's devices share, which do not count
    const uncounted = softwarePasskey(LOCAL);
    await add(relay, cookie, uncounted, 'phone', { counter: 0 });
    const sent = { passkey: uncounted.sign(await challenged(relay), { counter: 0 }) };
    assert.equal((await relay.ask('/console/session', { body: sent })).status, 200);
    const again = await relay.ask('/console/session', { body: sent });
    assert.deepEqual([again.status, codeOf(again)], [401, 'passkey_refused']);

    const invented = { passkey: passkey.sign('aW52ZW50ZWQ') };
    assert.equal((await relay.ask('/console/session', { body: invented })).status, 401);
    const other = challengeIn(await relay.call('access/challenge', {}, cookie));
    const misused = { passkey: passkey.sign(other) };
    assert.equal((await relay.ask('/console/session', { body: misused })).status, 401);

    const late = { passkey: passkey.sign(await challenged(relay)) };
    relay.clock.now += 5 * MINUTE_MS;
    assert.equal((await relay.ask('/console/session', { body: late })).status, 401);
    const inTime = { passkey: passkey.sign(await challenged(relay)) };
    relay.clock.now += 5 * MINUTE_MS - 1;
    assert.equal((await relay.ask('/console/session', { body: inTime })).status, 200);
  });

  it('are refused when they signed for another page, or saw nobody at the device', async () => {
    const { passkey, relay } = await withPasskey();
    const lies: Lie[] = [
      { origin: 'http://localhost:9999' },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { userVerified: false },
    ];
    for (const lie of lies) {
      const answer = await open(relay, passkey, lie);
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'passkey_refused']);
      assert.equal(relay.lines.at(-1)?.[0], 'warn');
    }
    assert.equal((await open(relay, passkey)).status, 200);
  });

  it('are refused when another device has made them, or their counter went back', async () => {
    const { passkey, relay } = await withPasskey();
    assert.equal((await open(relay, softwarePasskey(LOCAL))).status, 401);
    const foreign = { ...softwarePasskey(LOCAL).sign(await challenged(relay)) };
    const named = { ...foreign, id: passkey.id, rawId: passkey.id };
    assert.equal((await relay.ask('/console/session', { body: { passkey: named } })).status, 401);
    assert.equal((await open(relay, passkey, { counter: 9 })).status, 200);
    assert.equal((await open(relay, passkey, { counter: 9 })).status, 401);
    assert.equal((await open(relay, passkey, { counter: 8 })).status, 401);
    assert.equal((await open(relay, passkey, { counter: 10 })).status, 200);
  });

  it('are added only with what their browser just signed, and without certificates', async () => {
    const { cookie, passkey, relay } = await withPasskey();
    const refused = async (lie: Lie): Promise<void> =>
      assert.equal((await add(relay, cookie, softwarePasskey(LOCAL), 'x', lie)).status, 401);
    await refused({ origin: 'http://localhost:9999' });
    await refused({ rpId: 'evil.example' });
    await refused({ userVerified: false });
    await refused({ certificate: true });
    assert.match(JSON.stringify(relay.lines.at(-1)), /came with a certificate/);
    assert.equal(codeOf(await add(relay, cookie, passkey, 'again')), 'refused');
    const challenge = challengeIn(await relay.call('access/challenge', {}, cookie));
    const ben = await relay.signIn(READING_KEY);
    const stolen = { name: 'x', credential: softwarePasskey(LOCAL).make(challenge) };
    assert.equal((await relay.call('access/add', stolen, ben)).status, 401);
    assert.equal(codeOf(await add(relay, cookie, softwarePasskey(LOCAL), '')), 'invalid_request');
    const { body } = await relay.call('access/list', {}, cookie);
    assert.deepEqual(
      (body as Shown).passkeys.map(({ name }) => name),
      ['laptop'],
    );
  });

  it('open nothing after they are removed, at every relay of the ledger', async () => {
    const world = createWorld();
    const { cookie, passkey, relay } = await withPasskey(world);
    const other = createConsoleOf(world);
    const session = cookieIn(await open(other, passkey));
    const sent = { passkey: passkey.sign(await challenged(other)) };
    assert.equal((await relay.call('access/remove', { id: passkey.id }, cookie)).status, 200);
    assert.equal((await other.call('options/list', {}, session)).status, 401);
    assert.equal((await other.ask('/console/session', { body: sent })).status, 401);
    const none = await other.ask('/console/session/challenge', { body: {} });
    assert.equal(codeOf(none), 'no_passkeys_here');
  });

  it('end with the name or the role of their operator in the configuration', async () => {
    const { passkey, relay } = await withPasskey();
    const session = cookieIn(await open(relay, passkey));
    const [ann] = relay.keys;
    assert.ok(ann);
    relay.keys[0] = { ...ann, role: 'read' };
    assert.equal((await relay.call('options/list', {}, session)).status, 401);
    assert.equal((await open(relay, passkey)).body.role, 'read');
    relay.keys.shift();
    assert.equal((await open(relay, passkey)).status, 401);
  });

  it('let only their owner and whoever may act remove them', async () => {
    const { passkey, relay } = await withPasskey();
    const ben = await relay.signIn(READING_KEY);
    const own = softwarePasskey(LOCAL);
    await add(relay, ben, own, 'phone of Ben');
    const refusal = await relay.call('access/remove', { id: passkey.id }, ben);
    assert.equal(codeOf(refusal), 'role_refused');
    assert.equal(codeOf(await relay.call('access/keys', { off: true }, ben)), 'role_refused');
    assert.equal((await relay.call('access/remove', { id: own.id }, ben)).status, 200);
    assert.equal(codeOf(await relay.call('access/remove', { id: own.id }, ben)), 'refused');
  });

  it('let nobody switch the keys off without two passkeys that may act and a try', async () => {
    const { cookie, passkey, relay } = await withPasskey();
    const ben = softwarePasskey(LOCAL);
    await add(relay, await relay.signIn(READING_KEY), ben, 'phone of Ben');
    const session = cookieIn(await open(relay, passkey));
    const off = (by: string): Promise<Answer> => relay.call('access/keys', { off: true }, by);
    assert.equal(codeOf(await off(session)), 'refused');
    await add(relay, cookie, softwarePasskey(LOCAL), 'phone');
    assert.equal(codeOf(await off(cookie)), 'refused');
    assert.equal((await off(session)).status, 200);
    assert.equal(codeOf(await off(session)), 'refused');
  });

  it('are the only way in after the keys are switched off, but not to the metrics', async () => {
    const world = createWorld();
    const { byKey, relay } = await withKeysOff(world);
    const other = createConsoleOf(world);
    for (const each of [relay, other]) {
      const answer = await each.ask('/console/session', { body: { key: KEY } });
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'keys_off']);
    }
    assert.equal((await relay.call('options/list', {}, byKey)).status, 401);
    const headers = { authorization: `Bearer ${KEY}` };
    assert.equal((await relay.ask('/metrics', { headers })).status, 200);
  });

  it('are not removed when nobody could get in any more, also not two at once', async () => {
    const world = createWorld();
    const { cookie, passkey, relay, second } = await withKeysOff(world);
    const other = createConsoleOf(world);
    const elsewhere = cookieIn(await open(other, second));
    const answers = await Promise.all([
      relay.call('access/remove', { id: second.id }, cookie),
      other.call('access/remove', { id: passkey.id }, elsewhere),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(
      codeOf(answers.find(({ status }) => status === 409) ?? answers[0]),
      'last_passkey',
    );
  });

  it('can all be lost: the configuration lets the keys open the console again', async () => {
    const world = createWorld();
    await withKeysOff(world);
    const rescued = createConsoleOf(world, { keysAlwaysOpen: () => true });
    const cookie = await rescued.signIn();
    const { body } = await rescued.call('access/list', {}, cookie);
    assert.equal((body as Shown).keys_off, true);
    assert.equal((await rescued.call('access/keys', { off: false }, cookie)).status, 200);
    await createConsoleOf(world).signIn();
  });

  it('are written into the ledger with who, when and what, and without a secret', async () => {
    const world = createWorld();
    const { cookie, relay, second } = await withKeysOff(world);
    await relay.call('access/remove', { id: second.id }, cookie);
    const { body } = await relay.call('access/keys', { off: false }, cookie);
    const { acts } = body as Shown;
    assert.deepEqual(
      acts.map(({ by, name, what }) => [by, what, name]),
      [
        ['Ann', 'keys_on', null],
        ['Ann', 'passkey_removed', 'phone'],
        ['Ann', 'keys_off', null],
        ['Ann', 'passkey_added', 'phone'],
        ['Ann', 'passkey_added', 'laptop'],
      ],
    );
    assert.ok(acts.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < MINUTE_MS));
    const kept = JSON.stringify([...(await world.ledger.settingsFrom('console '))]);
    assert.ok(kept.includes('laptop') && !kept.includes(KEY) && !kept.includes(cookie));
  });

  it('belong to the name at which they were made, and to no address', async () => {
    const { cookie, relay } = await withPasskey();
    const host = 'ops.shop.example';
    const over = { host, headers: { origin: `https://${host}` }, body: {} };
    const none = await relay.ask('/console/session/challenge', over);
    assert.equal(codeOf(none), 'no_passkeys_here');
    for (const address of ['127.0.0.1:8788', '[::1]:8788']) {
      const place = { host: address, body: {} };
      const answer = await relay.ask('/console/session/challenge', place);
      assert.deepEqual([answer.status, codeOf(answer)], [409, 'no_passkeys_here']);
      const shown = await relay.ask('/console/api/access/list', { ...place, cookie });
      assert.match(String(shown.body.why_none), /for names, not for an address/);
    }

    const signedIn = await relay.ask('/console/session', { ...over, body: { key: KEY } });
    const session = { ...over, cookie: cookieIn(signedIn) };
    const made = softwarePasskey({ origin: `https://${host}`, rpId: host });
    const asked = await relay.ask('/console/api/access/challenge', session);
    const credential = made.make(challengeIn(asked));
    const body = { name: 'desk', credential };
    assert.equal((await relay.ask('/console/api/access/add', { ...session, body })).status, 200);
    const challenge = challengeIn(await relay.ask('/console/session/challenge', over));
    const passkey = made.sign(challenge);
    assert.equal((await relay.ask('/console/session', { ...over, body: { passkey } })).status, 200);
    const here = await open(relay, made);
    assert.deepEqual([here.status, codeOf(here)], [401, 'passkey_refused']);
  });

  it('say which package is missing when nobody has installed it', async () => {
    const missing = Object.assign(new Error('Cannot find package'), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    const relay = createConsoleOf(createWorld(), { loadWebAuthn: () => Promise.reject(missing) });
    const { body } = await relay.call('access/list', {}, await relay.signIn());
    assert.match(String(body.why_none), /npm install @simplewebauthn\/server/);
    const challenge = await relay.ask('/console/session/challenge', { body: {} });
    assert.deepEqual([challenge.status, codeOf(challenge)], [409, 'no_passkeys_here']);
  });
});
