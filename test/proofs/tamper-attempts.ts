/** Honest and forged pay requests: order tokens, catalogue items and open amounts. */
import { SignJWT } from 'jose';
import { openIntent } from '../suite/support/world.js';
import type { Claims } from './identity-attacks.js';
import type { Random } from './proof.js';

type Key = Parameters<SignJWT['sign']>[0];
/** The relay must charge this amount, refuse the attempt, or charge what the page asks. */
type Expected = { amount: string; currency: string } | 'refuse' | 'open';
export type PayAttempt = { body: Record<string, unknown>; expected: Expected };
export type Tools = { random: Random; hs: Key; ed: Key; spki: string; seen: PayAttempt[] };

const base64url = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

export function claimsBy({ random }: Tools): Claims {
  const amount = random.pick([
    '12.50',
    '0.01',
    '499.99',
    '7',
    '100000000000000000.000000000000000001',
    String(1 + random.integer(900)),
  ]);
  return {
    // some are plain UUIDs, like the attempts of pages
    jti: `${random.pick(['jti-', ''])}${crypto.randomUUID()}`,
    amount,
    currency: random.pick(['USD', 'EUR', 'BTC']),
    product_name: 'Thing',
    customer_ref_id: 'c',
  };
}

export function sign(
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

const withToken = (order_token: string, expected: Expected, more: object = {}): PayAttempt => ({
  body: { order_token, ...more },
  expected,
});

/** Each entry makes one request, and says what must happen to it. */
export const attempts: ((tools: Tools) => Promise<PayAttempt> | PayAttempt)[] = [
  async (tools) => {
    const claims = claimsBy(tools);
    return withToken(await sign(claims, tools.hs), claims);
  },
  async (tools) => {
    const claims = claimsBy(tools);
    return withToken(await sign(claims, tools.ed, { alg: 'EdDSA', kid: 'e1' }), claims);
  },
  ({ random }) => ({
    body: { sku: 'tee', quantity: random.pick([1, '2', 5]) },
    expected: 'open',
  }),
  ({ random }) => ({
    body: { ...openIntent, amount: random.pick(['1', '1.0', '500', '499.999999', '12.50', '3.3']) },
    expected: 'open',
  }),
  // replay of an earlier request, under a new attempt
  ({ random, seen }) =>
    seen.length > 0 ? random.pick(seen) : { body: { ...openIntent }, expected: 'open' },
  async (tools) => {
    const claims = claimsBy(tools);
    const token = await sign(claims, tools.hs);
    const at = tools.random.integer(token.length);
    const other = token[at] === 'A' ? 'B' : 'A';
    return withToken(token.slice(0, at) + other + token.slice(at + 1), 'refuse');
  },
  async (tools) => {
    const claims = claimsBy(tools);
    const [, payload, signature] = (await sign(claims, tools.hs)).split('.');
    const none = base64url(
      JSON.stringify({
        alg: tools.random.pick(['none', 'None', 'nOnE', 'HS512', 'RS256', '']),
        typ: 'pay-order+jwt',
        kid: 'k1',
      }),
    );
    return withToken(`${none}.${payload}.${tools.random.pick(['', signature ?? ''])}`, 'refuse');
  },
  // key confusion: the public key as an HMAC secret, and one key under the kid of another
  async (tools) =>
    withToken(
      await sign(claimsBy(tools), new TextEncoder().encode(tools.spki), { kid: 'e1' }),
      'refuse',
    ),
  async (tools) => withToken(await sign(claimsBy(tools), tools.hs, { kid: 'e1' }), 'refuse'),
  async (tools) => withToken(await sign(claimsBy(tools), tools.hs, { kid: 'nobody' }), 'refuse'),
  async (tools) =>
    withToken(
      await sign(claimsBy(tools), tools.hs, {
        typ: tools.random.pick(['JWT', 'pay-deposit+jwt', 'at+jwt']),
      }),
      'refuse',
    ),
  async (tools) =>
    withToken(
      await sign(
        claimsBy(tools),
        tools.hs,
        {},
        tools.random.pick(['https://evil.example', 'https://shop.example', '']),
      ),
      'refuse',
    ),
  async (tools) =>
    withToken(
      await sign(
        claimsBy(tools),
        tools.hs,
        {},
        undefined,
        tools.random.pick([-3600, 90_000, 10_000_000]),
      ),
      'refuse',
    ),
  async (tools) => {
    const wrong = tools.random.pick<object>([
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
    return withToken(await sign({ ...claimsBy(tools), ...wrong }, tools.hs), 'refuse');
  },
  // a page that contradicts its token
  async (tools) => {
    const more = tools.random.pick<object>([
      { amount: '0.02' },
      { currency: 'XTS' },
      { customer_ref_id: 'other' },
      { sku: 'tee' },
      { quantity: 3 },
      { product_name: 'Free' },
    ]);
    return withToken(await sign(claimsBy(tools), tools.hs), 'refuse', more);
  },
  ({ random }) => ({
    body: {
      sku: random.pick(['tee', 'nope', '__proto__', 'constructor']),
      quantity: random.pick<unknown>([0, -1, 6, 1.5, '1e1', 99_999, null]),
    },
    expected: 'refuse',
  }),
  ({ random }) => ({
    body: {
      sku: 'tee',
      ...random.pick<object>([{ amount: '0.01' }, { currency: 'EUR' }, { pay_currency: 'BTC' }]),
    },
    expected: 'refuse',
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
    expected: 'refuse',
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
    expected: 'refuse',
  }),
];
