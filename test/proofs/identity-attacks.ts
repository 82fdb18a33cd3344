/**
 * Attacks by somebody who knows every identifier that ever appeared in a page or a URL. None of
 * them may read, replace or be credited with an order of another customer.
 */
import { bearer, type World } from '../suite/support/world.js';
import type { Random } from './proof.js';

export type Claims = Record<string, unknown> & { jti: string; amount: string; currency: string };

/** An order that was placed, with the mode and amount of its intent. */
export type Placed = {
  mode: 'token' | 'catalogue' | 'open';
  intent_id: string;
  request_id: string;
  order_key: string;
  attempt: string;
  amount: string;
  currency: string;
};

export type Attacker = {
  random: Random;
  world: World;
  placed: Placed[];
  /** Signs an order token with the shop's own key: a shop may choose any jti. */
  signToken(change: Partial<Claims>): Promise<{ token: string; claims: Claims }>;
};

/**
 * Carries out one attack.
 * @returns what went wrong, or null
 */
type Attack = (attacker: Attacker, victim: Placed) => Promise<string | null>;

const TEE = { sku: 'tee', quantity: 1 };
const TEE_AMOUNT = '19.90';
/** An amount that no intent of this proof charges. */
const UNUSED_AMOUNT = '3.14159';
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const codeOf = (body: Record<string, unknown>): unknown =>
  (body.error as { code?: string } | undefined)?.code;

const payCard = ({ world }: Attacker, body: Record<string, unknown>): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { option: 'card', ...body });

/**
 * Two concurrent attacks may choose the same identity with different content; the relay then
 * refuses one of them with `intent_conflict`.
 */
const refusedWrongly = (body: Record<string, unknown>): string | null =>
  codeOf(body) === 'intent_conflict' ? null : `refused: ${JSON.stringify(body).slice(0, 200)}`;

const refusedWith = async (
  answer: ReturnType<World['ask']>,
  code: string,
  what: string,
): Promise<string | null> => {
  const { body } = await answer;
  return codeOf(body) === code ? null : `${what}: ${JSON.stringify(body).slice(0, 200)}`;
};

/** Queries as the shop's backend does, and compares the whole answer with the placed order. */
export async function checkReport(world: World, placed: Placed): Promise<string | null> {
  const { amount, currency, intent_id, mode, request_id } = placed;
  const expect = { amount, currency };
  const { body, status } = await world.ask('/v1/query', { intent_id, expect }, bearer);
  const orders = (body.orders ?? []) as Placed[];
  const isOwn = [body.order, ...orders].every(
    (order) =>
      order?.intent_id === intent_id &&
      order.amount === amount &&
      'mode' in order &&
      order.mode === mode,
  );
  if (status === 200 && isOwn && body.order?.request_id === request_id) return null;
  return `report of ${JSON.stringify(placed)}: ${JSON.stringify(body).slice(0, 400)}`;
}

const attacks: Attack[] = [
  // a page's attempt that equals the jti of a token belongs to another intent
  async (attacker, victim) => {
    const { placed, world } = attacker;
    const answer = await payCard(attacker, { ...TEE, attempt: victim.intent_id });
    if (!GUID.test(victim.intent_id))
      return codeOf(answer.body) === 'invalid_request' ? null : 'an attempt that is no UUID';
    const { order } = answer.body;
    if (!order) return refusedWrongly(answer.body);
    if (order.intent_id === victim.intent_id || order.request_id === victim.request_id)
      return `the attempt ${victim.intent_id} leads to the order of the token`;
    if (world.sandbox.orders.byRequest(order.request_id)?.fields.amount !== TEE_AMOUNT)
      return 'charged the amount of the token';
    if (!placed.some(({ request_id }) => request_id === order.request_id)) {
      const { intent_id, order_key, request_id } = order;
      const attempt = victim.intent_id;
      const paid = { amount: TEE_AMOUNT, currency: 'USD' };
      placed.push({ mode: 'catalogue', intent_id, request_id, order_key, attempt, ...paid });
    }
    return checkReport(world, victim);
  },
  async (attacker, victim) =>
    refusedWith(
      payCard(attacker, { ...TEE, attempt: victim.request_id }),
      'invalid_request',
      'an attempt that equals a request_id',
    ),
  async (attacker, victim) => {
    if (victim.mode === 'token') return null;
    const other = { amount: '1.01', currency: 'USD', product_name: 'Another thing' };
    return refusedWith(
      payCard(attacker, { ...other, attempt: victim.attempt }),
      'intent_conflict',
      'the attempt of another customer',
    );
  },
  async (attacker, victim) => {
    const jti = attacker.random.pick([
      `web.${crypto.randomUUID()}`,
      victim.mode === 'token' ? `web.${victim.intent_id}` : victim.intent_id,
      `web.${victim.request_id}`,
    ]);
    const { token } = await attacker.signToken({ jti });
    const attempt = crypto.randomUUID();
    return refusedWith(
      payCard(attacker, { order_token: token, attempt }),
      'token_invalid',
      `the jti ${jti}`,
    );
  },
  // a jti that equals an identifier of another kind belongs to an intent of its own
  async (attacker, victim) => {
    const { random, placed, world } = attacker;
    const withoutPrefix = victim.intent_id.replace(/^web\./, '');
    const jti = random.pick([victim.request_id, victim.attempt, `web-${withoutPrefix}`]);
    if (placed.some(({ intent_id }) => intent_id === jti)) return null;
    const { claims, token } = await attacker.signToken({ jti });
    const attempt = crypto.randomUUID();
    const { body } = await payCard(attacker, { order_token: token, attempt });
    const { order } = body;
    if (!order) return refusedWrongly(body);
    if (placed.some(({ request_id }) => request_id === order.request_id))
      return `the jti ${jti} leads to an order that existed before`;
    if (world.sandbox.orders.byRequest(order.request_id)?.fields.amount !== claims.amount)
      return 'charged another amount than that of the token';
    const { order_key, request_id } = order;
    const { amount, currency } = claims;
    const own = { intent_id: jti, request_id, order_key, attempt, amount, currency };
    placed.push({ mode: 'token', ...own });
    return checkReport(world, victim);
  },
  async ({ random, placed, world }, victim) => {
    const [kid = '', mac = ''] = victim.order_key.split('.');
    const notifyUrl = world.sandbox.orders.byRequest(victim.request_id)?.fields.notify_url ?? '';
    const other = random.pick(placed);
    const guess = random.pick([
      `${kid}.${'A'.repeat(43)}`,
      `${kid}.${random.text(43)}`,
      `${kid}x.${mac}`,
      `${mac}`,
      `${kid}.${mac.slice(0, 42)}`,
      `${kid}.${mac}A`,
      notifyUrl.slice(notifyUrl.indexOf(victim.request_id) + victim.request_id.length + 1),
      other.request_id === victim.request_id ? 'm.x' : other.order_key,
    ]);
    const named = { request_id: victim.request_id, order_key: guess };
    const { attempt } = victim;
    const ways: ReturnType<World['ask']>[] = [
      world.ask('/v1/query', named),
      world.ask('/v1/checkout', { resume: named }),
    ];
    // replacing a page's order takes its attempt and its content, so only the key is wrong here
    if (victim.mode === 'catalogue')
      ways.push(payReplacing(world, { sku: 'tee', quantity: quantityOf(victim), attempt }, named));
    const failures = ways.map((way) => refusedWith(way, 'order_unknown', `the key ${guess}`));
    return (await Promise.all(failures)).find((failure) => failure !== null) ?? null;
  },
  async ({ random, placed, world }, victim) => {
    const { amount, currency, intent_id, request_id } = victim;
    const other = random.pick(placed);
    const isSame = Number(other.amount) === Number(amount) && other.currency === currency;
    const expect = isSame
      ? random.pick([
          { amount: UNUSED_AMOUNT, currency },
          { amount, currency: 'XTS' },
        ])
      : { amount: other.amount, currency: other.currency };
    const named = random.chance(0.5) ? { intent_id } : { request_id };
    const { body, status } = await world.ask('/v1/query', { ...named, expect }, bearer);
    const { code, field } = (body.error ?? {}) as { code?: string; field?: string };
    const wrong = expect.currency === currency ? 'amount' : 'currency';
    if (status === 409 && code === 'not_as_expected' && field === wrong) return null;
    return `expecting ${JSON.stringify(expect)}: ${JSON.stringify(body).slice(0, 200)}`;
  },
  async ({ world }, victim) => checkReport(world, victim),
];

const quantityOf = ({ amount }: Placed): number => Math.round(Number(amount) / Number(TEE_AMOUNT));

const payReplacing = (world: World, body: object, replaces: object): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...body, option: 'card', replaces });

/**
 * Carries out one random attack on one placed order.
 * @returns what went wrong, or null
 */
export async function attack(attacker: Attacker): Promise<string | null> {
  const { random, placed } = attacker;
  const name = random.integer(attacks.length);
  const tokens = placed.filter(({ mode }) => mode === 'token');
  const from = name === 0 && tokens.length > 0 ? tokens : placed;
  const victim = random.pick(from);
  if (name === 0 && victim.mode !== 'token') return null;
  const failure = await attacks[name]?.(attacker, victim);
  return failure ?? null;
}

/** Compares an event to the shop with the order that was placed under its intent. */
export function checkEvent(body: string, placed: readonly Placed[]): string | null {
  const { data } = JSON.parse(body) as { data: Placed };
  const own = placed.find(({ request_id }) => request_id === data.request_id);
  const isOwn =
    own?.intent_id === data.intent_id &&
    own.amount === data.amount &&
    own.currency === data.currency &&
    own.mode === data.mode;
  return isOwn ? null : `event ${body.slice(0, 300)} of ${JSON.stringify(own)}`;
}
