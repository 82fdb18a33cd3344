/**
 * Forged bodies, tokens and identifiers: every order reaches the service with exactly the amount
 * of its intent, and the shop is told of each intent only the orders of that intent.
 */
import { exportSPKI, generateKeyPair } from 'jose';
import { compareDecimals } from '../../relay/contract/decimal.js';
import type { ConfigFile } from '../../relay/config/schema.js';
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import { createWorld, SECRETS, testConfig, type World } from '../suite/support/world.js';
import {
  attack,
  checkEvent,
  checkReport,
  type Attacker,
  type Claims,
  type Placed,
} from './identity-attacks.js';
import { counts, createRandom, each, keepAlive, percentage, type Proof } from './proof.js';
import { attempts, claimsBy, sign, type PayAttempt, type Tools } from './tamper-attempts.js';

/** The share of the cases that attack the identity of a placed order. */
const ATTACK_RATE = 0.2;
/** The share of the placed orders that are paid. */
const PAID_RATE = 0.05;
/** Number of orders per world whose report is checked again at its end. */
const MAX_RECHECKED = 300;

const TEE_AMOUNTS: Record<string, string> = { '1': '19.90', '2': '39.80', '5': '99.50' };

function modeOf({ body }: PayAttempt): Placed['mode'] {
  if (body.order_token !== undefined) return 'token';
  return body.sku === undefined ? 'open' : 'catalogue';
}

/** The amount that an accepted request must be charged. */
function paidFor({ body, expected }: PayAttempt): { amount: string; currency: string } {
  if (typeof expected === 'object') return { amount: expected.amount, currency: expected.currency };
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
      const tools: Tools = {
        random: createRandom(seed),
        hs: new TextEncoder().encode(SECRETS.TOKEN),
        ed: pair.privateKey,
        spki,
        seen: [],
      };
      const count = { reached: 0, wrong: 0, accepted: 0, refused: 0, attacks: 0, events: 0 };
      let example = '';
      const reportFailure = (what: string | null): void => {
        if (what === null) return;
        count.wrong++;
        example ||= what;
      };
      const fail = (what: string, request: PayAttempt): void =>
        reportFailure(`${what}: ${JSON.stringify(request).slice(0, 300)}`);
      const placeOne = async ({ placed, world }: Attacker): Promise<void> => {
        const index = tools.random.chance(0.4)
          ? tools.random.integer(5)
          : tools.random.integer(attempts.length);
        const request = await attempts[index]?.(tools);
        if (!request) return;
        if (request.expected !== 'refuse' && tools.random.chance(0.05))
          tools.seen[tools.random.integer(50)] = request;
        const attempt = crypto.randomUUID();
        const pay = { ...request.body, attempt, option: 'card' };
        const { body, status } = await world.ask('/v1/pay', pay);
        const { order } = body;
        if (order === undefined) {
          count.refused++;
          if (request.expected !== 'refuse' && status !== 409)
            fail(`refused with ${status}`, request);
          return;
        }
        count.accepted++;
        const upstream = world.sandbox.orders.byRequest(order.request_id)?.fields;
        if (request.expected === 'refuse' || !upstream) return fail('accepted', request);
        count.reached++;
        if (request.expected !== 'open') {
          if (
            upstream.amount !== request.expected.amount ||
            upstream.currency !== request.expected.currency
          )
            fail(`charged ${upstream.amount}`, request);
        } else if (request.body.sku !== undefined) {
          const charged = TEE_AMOUNTS[String(request.body.quantity)];
          if (upstream.amount !== charged || upstream.currency !== 'USD')
            fail(`charged ${upstream.amount}`, request);
        } else {
          const inBounds =
            compareDecimals(upstream.amount ?? '0', '1') >= 0 &&
            compareDecimals(upstream.amount ?? '0', '500') <= 0;
          if (upstream.amount !== request.body.amount || upstream.currency !== 'USD' || !inBounds)
            fail(`charged ${upstream.amount}`, request);
        }
        const { intent_id, order_key, request_id } = order;
        if (placed.some((other) => other.request_id === request_id)) return;
        const paid = paidFor(request);
        placed.push({ mode: modeOf(request), intent_id, request_id, order_key, attempt, ...paid });
        if (tools.random.chance(PAID_RATE)) confirm(world, request_id);
      };
      const runCase = async (attacker: Attacker): Promise<void> => {
        if (attacker.placed.length === 0 || !tools.random.chance(ATTACK_RATE))
          return placeOne(attacker);
        count.attacks++;
        reportFailure(await attack(attacker));
      };
      const CASES_PER_WORLD = 5000;
      for (let done = 0; done < cases; done += CASES_PER_WORLD) {
        tools.seen.length = 0;
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
          const claims: Claims = { ...claimsBy(tools), ...change };
          return { token: await sign(claims, tools.hs), claims };
        };
        const placed: Placed[] = [];
        const attacker: Attacker = { random: tools.random, world, placed, signToken };
        await each(Math.min(CASES_PER_WORLD, cases - done), 16, () => runCase(attacker));
        // rechecks the latest orders: an attack may have changed them since they were placed
        for (const order of placed.slice(-MAX_RECHECKED))
          reportFailure(await checkReport(world, order));
        await world.relay.tick();
        for (const event of events) reportFailure(checkEvent(event, placed));
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
