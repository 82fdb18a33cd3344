/**
 * Hostile bodies, tokens and identifiers: what reaches the service is what the intent says, to the
 * last digit, and what the shop is told of an intent is that intent's own.
 */
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { compareDecimals } from '../../relay/contract/decimal.js';
import type { ConfigFile } from '../../relay/config/schema.js';
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import { createWorld, openIntent, SECRETS, testConfig, type World } from '../support/world.js';
import {
  attack,
  checkEvent,
  checkReport,
  type Attacker,
  type Claims,
  type Placed,
} from './identity-attacks.js';
import {
  createRandom,
  counts,
  each,
  keepAlive,
  percentage,
  type Random,
  type Proof,
} from './proof.js';

type Key = Parameters<SignJWT['sign']>[0];
type Truth = { amount: string; currency: string } | 'refuse' | 'open';
type Attempt = { body: Record<string, unknown>; truth: Truth };
type Hand = { random: Random; hs: Key; ed: Key; spki: string; seen: Attempt[] };

const base64url = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Of all cases so many attack the identity of an order that was placed. */
const ATTACKS = 0.2;
/** Of the orders placed so many are paid, and so many in all are looked at again at the end. */
const PAID = 0.05;
const LOOKED_AT_AGAIN = 300;

function claimsBy({ random }: Hand): Claims {
  const amount = random.pick([
    '12.50',
    '0.01',
    '499.99',
    '7',
    '100000000000000000.000000000000000001',
    String(1 + random.whole(900)),
  ]);
  return {
    // a jti that is a UUID could be an attempt
    jti: `${random.pick(['jti-', ''])}${crypto.randomUUID()}`,
    amount,
    currency: random.pick(['USD', 'EUR', 'BTC']),
    product_name: 'Thing',
    customer_ref_id: 'c',
  };
}

function sign(
  claims: object,
  key: Key,
  head: Record<string, string> = {},
  aud = 'https://shop.example/pay',
  life = 600,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'pay-order+jwt', kid: 'k1', ...head })
    .setAudience(aud)
    .setIssuedAt(Math.min(now, now + life - 60))
    .setExpirationTime(now + life)
    .sign(key);
}

const withToken = (order_token: string, truth: Truth, more: object = {}): Attempt => ({
  body: { order_token, ...more },
  truth,
});

/** Each makes one ask, and says what may come of it. */
const tricks: ((hand: Hand) => Promise<Attempt> | Attempt)[] = [
  async (hand) => {
    const claims = claimsBy(hand);
    return withToken(await sign(claims, hand.hs), claims);
  },
  async (hand) => {
    const claims = claimsBy(hand);
    return withToken(await sign(claims, hand.ed, { alg: 'EdDSA', kid: 'e1' }), claims);
  },
  ({ random }) => ({
    body: { sku: 'tee', quantity: random.pick([1, '2', 5]) },
    truth: 'open',
  }),
  ({ random }) => ({
    body: { ...openIntent, amount: random.pick(['1', '1.0', '500', '499.999999', '12.50', '3.3']) },
    truth: 'open',
  }),
  // replay of an earlier ask, with an attempt of its own
  ({ random, seen }) =>
    seen.length > 0 ? random.pick(seen) : { body: { ...openIntent }, truth: 'open' },
  async (hand) => {
    const claims = claimsBy(hand);
    const token = await sign(claims, hand.hs);
    const at = hand.random.whole(token.length);
    const other = token[at] === 'A' ? 'B' : 'A';
    return withToken(token.slice(0, at) + other + token.slice(at + 1), 'refuse');
  },
  async (hand) => {
    const claims = claimsBy(hand);
    const [, payload, signature] = (await sign(claims, hand.hs)).split('.');
    const none = base64url(
      JSON.stringify({
        alg: hand.random.pick(['none', 'None', 'nOnE', 'HS512', 'RS256', '']),
        typ: 'pay-order+jwt',
        kid: 'k1',
      }),
    );
    return withToken(`${none}.${payload}.${hand.random.pick(['', signature ?? ''])}`, 'refuse');
  },
  // key confusion: the public key as an HMAC secret; one kid's key under the other's name
  async (hand) =>
    withToken(
      await sign(claimsBy(hand), new TextEncoder().encode(hand.spki), { kid: 'e1' }),
      'refuse',
    ),
  async (hand) => withToken(await sign(claimsBy(hand), hand.hs, { kid: 'e1' }), 'refuse'),
  async (hand) => withToken(await sign(claimsBy(hand), hand.hs, { kid: 'nobody' }), 'refuse'),
  async (hand) =>
    withToken(
      await sign(claimsBy(hand), hand.hs, {
        typ: hand.random.pick(['JWT', 'pay-deposit+jwt', 'at+jwt']),
      }),
      'refuse',
    ),
  async (hand) =>
    withToken(
      await sign(
        claimsBy(hand),
        hand.hs,
        {},
        hand.random.pick(['https://evil.example', 'https://shop.example', '']),
      ),
      'refuse',
    ),
  async (hand) =>
    withToken(
      await sign(
        claimsBy(hand),
        hand.hs,
        {},
        undefined,
        hand.random.pick([-3600, 90_000, 10_000_000]),
      ),
      'refuse',
    ),
  async (hand) => {
    const wrong = hand.random.pick<object>([
      { amount: 12.5 },
      { amount: '1e3' },
      { amount: '-5' },
      { amount: '0' },
      { amount: '١٢' },
      { amount: ' 5' },
      { jti: '../../x' },
      { admin: true },
      { currency: '' },
    ]);
    return withToken(await sign({ ...claimsBy(hand), ...wrong }, hand.hs), 'refuse');
  },
  // a page that says otherwise than its token
  async (hand) => {
    const more = hand.random.pick<object>([
      { amount: '0.02' },
      { currency: 'XTS' },
      { customer_ref_id: 'other' },
      { sku: 'tee' },
      { quantity: 3 },
      { product_name: 'Free' },
    ]);
    return withToken(await sign(claimsBy(hand), hand.hs), 'refuse', more);
  },
  ({ random }) => ({
    body: {
      sku: random.pick(['tee', 'nope', '__proto__', 'constructor']),
      quantity: random.pick<unknown>([0, -1, 6, 1.5, '1e1', 99_999, null]),
    },
    truth: 'refuse',
  }),
  ({ random }) => ({
    body: {
      sku: 'tee',
      ...random.pick<object>([{ amount: '0.01' }, { currency: 'EUR' }, { pay_currency: 'BTC' }]),
    },
    truth: 'refuse',
  }),
  ({ random }) => ({
    body: {
      ...openIntent,
      amount: random.pick<unknown>([
        '0.99',
        '500.000000000000000001',
        '-1',
        '0',
        '1e2',
        'NaN',
        '0x10',
        '1,5',
        '5 ',
        12.5,
        '007',
        null,
      ]),
    },
    truth: 'refuse',
  }),
  ({ random }) => ({
    body: {
      ...openIntent,
      ...random.pick<object>([
        { notify_url: 'https://evil.example' },
        { payment_method: 'direct' },
        { partner_id: '1' },
        { currency: 'toString' },
      ]),
    },
    truth: 'refuse',
  }),
];

const TEE_AMOUNTS: Record<string, string> = { '1': '19.90', '2': '39.80', '5': '99.50' };

function modeOf({ body }: Attempt): Placed['mode'] {
  if (body.order_token !== undefined) return 'token';
  return body.sku === undefined ? 'open' : 'catalogue';
}

/** What the intent of an ask that was taken charges. */
function paidFor({ body, truth }: Attempt): { amount: string; currency: string } {
  if (typeof truth === 'object') return { amount: truth.amount, currency: truth.currency };
  const amount = body.sku === undefined ? body.amount : TEE_AMOUNTS[String(body.quantity)];
  return { amount: String(amount), currency: 'USD' };
}

function confirm({ sandbox }: World, requestId: string): void {
  const order = sandbox.orders.byRequest(requestId);
  if (order) sandbox.orders.act(order, 'confirm');
}

export const tamper: Proof = {
  sizes: { cases: 200_000, seed: 1 },
  small: { cases: 4000, seed: 1 },
  run: ({ cases = 0, seed = 1 }) =>
    keepAlive(async () => {
      const pair = await generateKeyPair('EdDSA', { extractable: true });
      const spki = await exportSPKI(pair.publicKey);
      SECRETS.SPKI = spki;
      const config: Partial<ConfigFile> = {
        order_token_keys: [
          { kid: 'k1', alg: 'HS256', secret: { env: 'TOKEN' } },
          { kid: 'e1', alg: 'EdDSA', public_key: { env: 'SPKI' } },
        ],
        service: { ...testConfig.service, timeout_ms: 20_000, queries_per_second: 1_000_000 },
        shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } },
        options: [{ id: 'card', label: 'Card', payment_method: 'on_line' }],
      };
      const hand: Hand = {
        random: createRandom(seed),
        hs: new TextEncoder().encode(SECRETS.TOKEN),
        ed: pair.privateKey,
        spki,
        seen: [],
      };
      const count = { reached: 0, wrong: 0, taken: 0, refused: 0, attacks: 0, events: 0 };
      let example = '';
      const complain = (what: string | null): void => {
        if (what === null) return;
        count.wrong++;
        example ||= what;
      };
      const fail = (what: string, ask: Attempt): void =>
        complain(`${what}: ${JSON.stringify(ask).slice(0, 300)}`);
      const placeOne = async ({ placed, world }: Attacker): Promise<void> => {
        const trick = hand.random.chance(0.4)
          ? hand.random.whole(5)
          : hand.random.whole(tricks.length);
        const ask = await tricks[trick]?.(hand);
        if (!ask) return;
        if (ask.truth !== 'refuse' && hand.random.chance(0.05))
          hand.seen[hand.random.whole(50)] = ask;
        const attempt = crypto.randomUUID();
        const pay = { ...ask.body, attempt, option: 'card' };
        const { body, status } = await world.ask('/v1/pay', pay);
        const { order } = body;
        if (order === undefined) {
          count.refused++;
          if (ask.truth !== 'refuse' && status !== 409) fail(`refused with ${status}`, ask);
          return;
        }
        count.taken++;
        const upstream = world.sandbox.orders.byRequest(order.request_id)?.fields;
        if (ask.truth === 'refuse' || !upstream) return fail('taken', ask);
        count.reached++;
        if (ask.truth !== 'open') {
          if (upstream.amount !== ask.truth.amount || upstream.currency !== ask.truth.currency)
            fail(`charged ${upstream.amount}`, ask);
        } else if (ask.body.sku !== undefined) {
          const expected = TEE_AMOUNTS[String(ask.body.quantity)];
          if (upstream.amount !== expected || upstream.currency !== 'USD')
            fail(`charged ${upstream.amount}`, ask);
        } else {
          const inBounds =
            compareDecimals(upstream.amount ?? '0', '1') >= 0 &&
            compareDecimals(upstream.amount ?? '0', '500') <= 0;
          if (upstream.amount !== ask.body.amount || upstream.currency !== 'USD' || !inBounds)
            fail(`charged ${upstream.amount}`, ask);
        }
        const { intent_id, order_key, request_id } = order;
        if (placed.some((other) => other.request_id === request_id)) return;
        const paid = paidFor(ask);
        placed.push({ mode: modeOf(ask), intent_id, request_id, order_key, attempt, ...paid });
        if (hand.random.chance(PAID)) confirm(world, request_id);
      };
      const one = async (attacker: Attacker): Promise<void> => {
        if (attacker.placed.length === 0 || !hand.random.chance(ATTACKS)) return placeOne(attacker);
        count.attacks++;
        complain(await attack(attacker));
      };
      const BATCH = 5000;
      for (let done = 0; done < cases; done += BATCH) {
        hand.seen.length = 0;
        const events: string[] = [];
        const world = createWorld({
          ledger: memoryLedger(),
          config,
          shopFetch: async (_url, init) => {
            events.push(String(init.body));
            return new Response();
          },
        });
        const signToken = async (
          change: Partial<Claims>,
        ): Promise<{ token: string; claims: Claims }> => {
          const claims: Claims = { ...claimsBy(hand), ...change };
          return { token: await sign(claims, hand.hs), claims };
        };
        const placed: Placed[] = [];
        const attacker: Attacker = { random: hand.random, world, placed, signToken };
        await each(Math.min(BATCH, cases - done), 16, () => one(attacker));
        // the latest are those that an attack of this batch may have changed
        for (const order of placed.slice(-LOOKED_AT_AGAIN))
          complain(await checkReport(world, order));
        await world.relay.tick();
        for (const event of events) complain(checkEvent(event, placed));
        count.events += events.length;
      }
      return {
        held:
          count.wrong === 0 &&
          count.reached >= 0.2 * cases &&
          count.refused > 0 &&
          count.attacks >= 0.1 * cases &&
          count.events >= count.reached / 2,
        sections: [
          {
            figures: [
              ...counts({ cases, 'reached the service': count.reached }),
              percentage('acceptance', count.reached, cases),
              ...counts({
                refused: count.refused,
                'attacks on identity': count.attacks,
                'events to the shop': count.events,
              }),
            ],
          },
          { figures: [{ name: 'wrong', value: count.wrong }] },
        ],
        example,
      };
    }),
};
