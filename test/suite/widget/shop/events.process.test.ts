/** The check of events by verifyEvent, and the tokens of signOrderToken. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { Headers as OtherHeaders } from 'undici';
import { signMessage } from '../../../../relay/webhooks/sign.js';
import {
  EventError,
  needsRefund,
  receiveEvents,
  signDepositToken,
  signOrderToken,
  verifyEvent,
} from '../../../../widget/shop/index.js';
import { createWorld, SECRETS, testConfig } from '../../support/world.js';

const WHSEC = `whsec_${Buffer.from('bytes of a secret').toString('base64')}`;
const OLD = 'the-secret-of-last-year';
const NOW = 1_800_000_000_000;
const body = JSON.stringify({
  type: 'order.succeeded',
  timestamp: '2027-01-15T08:00:00.000Z',
  data: { intent_id: 'order-001', epoch: 'e', sequence: 2, resolved_as: 'failed' },
});
const signed = (secret: string | string[], { at = NOW / 1000, text = body, id = 'evt_1' } = {}) =>
  signMessage(secret, { id, at, body: text });
const codeOf = async (...args: Parameters<typeof verifyEvent>): Promise<string> => {
  const [text, headers, secrets, options] = args;
  return verifyEvent(text, headers, secrets, { now: NOW, ...options }).then(
    () => 'genuine',
    (error: unknown) => (error instanceof EventError ? error.code : String(error)),
  );
};

describe('verifyEvent', () => {
  it('returns the event when one of two secrets signed it, in every form of body', async () => {
    for (const secret of [WHSEC, OLD, ` ${WHSEC}\n`])
      for (const each of [body, Buffer.from(body), new TextEncoder().encode(body).buffer]) {
        const headers = await signed(secret.trim());
        const event = await verifyEvent(each, headers, ['another', secret], { now: () => NOW });
        assert.deepEqual(event, { id: 'evt_1', ...(JSON.parse(body) as object) });
        assert.equal(event.data.resolved_as, 'failed');
        assert.equal(await codeOf(each, new Headers(headers), secret), 'genuine');
        assert.equal(await codeOf(each, new OtherHeaders(headers), secret), 'genuine');
      }
    assert.equal(await codeOf(body, await signed([WHSEC, 'the-new-secret']), WHSEC), 'genuine');
    const capitals = Object.fromEntries(
      Object.entries(await signed(WHSEC)).map(([name, value]) => [name.toUpperCase(), value]),
    );
    assert.equal(await codeOf(body, capitals, WHSEC), 'genuine');
  });

  it('refuses an event that is changed, signed with another secret, or not signed', async () => {
    const headers = await signed(OLD);
    const cases: [string, Record<string, string | undefined>, string][] = [
      [body, headers, WHSEC],
      [`${body} `, headers, OLD],
      [body, { ...headers, 'webhook-id': 'evt_2' }, OLD],
      [body, { ...headers, 'webhook-timestamp': String(NOW / 1000 + 1) }, OLD],
      [body, { ...headers, 'webhook-timestamp': 'soon' }, OLD],
      [body, { ...headers, 'webhook-signature': undefined }, OLD],
      [body, { ...headers, 'webhook-signature': `v2${headers['webhook-signature']}` }, OLD],
      [body, {}, OLD],
    ];
    for (const [index, each] of cases.entries())
      assert.equal(await codeOf(...each), 'bad_signature', String(index));
  });

  it('refuses an event that was signed before the tolerance, or in the future', async () => {
    for (const at of [NOW / 1000 - 301, NOW / 1000 + 301, NOW / 1000 - 86_400])
      assert.equal(await codeOf(body, await signed(OLD, { at }), OLD), 'too_old');
    const late = await signed(OLD, { at: NOW / 1000 - 86_400 });
    assert.equal(await codeOf(body, late, OLD, { tolerance_s: 90_000 }), 'genuine');
  });

  it('refuses a signed body that is no event', async () => {
    for (const text of ['', 'x', '[]', '{}', '{"type":"order.created","data":{}}'])
      assert.equal(await codeOf(text, await signed(OLD, { text }), OLD), 'bad_body', text);
  });

  it('returns an event of an unknown type, with the fields that a newer relay adds', async () => {
    const newer = {
      type: 'order.of_a_newer_relay',
      timestamp: '2027-01-15T08:00:00.000Z',
      data: { intent_id: 'order-001', epoch: 'e', sequence: 3, added: { later: true } },
      contract: 2,
    };
    const text = JSON.stringify(newer);
    const event = await verifyEvent(text, await signed(OLD, { text }), OLD, { now: NOW });
    const { contract: _unknown, ...known } = newer;
    assert.deepEqual(event, { id: 'evt_1', ...known });
  });

  it('names the missing secret when a variable of the environment is not set', async () => {
    const headers = await signed(OLD);
    const unset = process.env.NO_SUCH_VARIABLE as unknown as string;
    await assert.rejects(verifyEvent(body, headers, unset, { now: NOW }), /missing or empty/);
  });

  it('tells the shop once that its secret does not match', async (t) => {
    const warn = t.mock.method(console, 'warn', () => {});
    const store = { transaction: () => assert.fail(), add: assert.fail, lastSequence: assert.fail };
    const receive = receiveEvents({ secrets: OLD, now: NOW, store, handle: () => {} });
    const headers = await signed(WHSEC);
    assert.deepEqual(await receive.parts(body, headers), { status: 401 });
    assert.deepEqual(await receive.parts(body, headers), { status: 401 });
    assert.equal(warn.mock.callCount(), 1);
    assert.match(String(warn.mock.calls[0]?.arguments[0]), /compare the secret/);
  });

  it('reports a wrong secret or a parsed body as a mistake, without the secret', async () => {
    const headers = await signed(OLD);
    for (const secrets of ['', ' ', [], ['ok', ''], 'whsec_', 'whsec_n%t base64'])
      await assert.rejects(verifyEvent(body, headers, secrets), ({ message, name }: Error) => {
        assert.equal(name, 'TypeError');
        assert.doesNotMatch(message, /n%t/);
        return true;
      });
    const parsed = JSON.parse(body) as unknown as string;
    await assert.rejects(verifyEvent(parsed, headers, OLD), /the body was parsed/);
  });
});

describe('needsRefund', () => {
  const idsToRefund = (types: readonly string[], deliveredFor?: string | null): string[] =>
    types
      .map((type, index) => ({ type, data: { request_id: 'abcd'[index] ?? '' } }))
      .filter((event) => needsRefund(event, deliveredFor))
      .map(({ data }) => data.request_id);
  const payments = ['order.succeeded', 'order.duplicate_payment', 'order.late_payment'];

  it('pays back each payment but the first one, which the shop delivers for', () => {
    assert.deepEqual(idsToRefund(payments), ['b', 'c']);
    assert.deepEqual(idsToRefund(payments, null), ['b', 'c']);
    assert.deepEqual(idsToRefund(['order.created', 'order.failed', 'order.resolved'], 'd'), []);
  });

  it('keeps the payment that the shop has delivered for, whatever the relay calls it', () => {
    // after a restore of its ledger the relay may call `a` the first payment, and `b` the second
    assert.deepEqual(idsToRefund(payments, 'b'), ['a', 'c']);
    assert.deepEqual(idsToRefund(payments, 'a'), ['b', 'c']);
  });

  it('delivers for no payment of an order that a person has resolved as failed', () => {
    const data = { request_id: 'a', resolved_as: 'failed' };
    assert.equal(needsRefund({ type: 'order.succeeded', data }), true);
    assert.equal(needsRefund({ type: 'order.succeeded', data }, 'a'), false);
    assert.equal(needsRefund({ type: 'order.resolved', data }), false);
  });
});

describe('signOrderToken', () => {
  const claims = {
    aud: testConfig.public_url,
    jti: 'order-10042',
    amount: '19.90',
    currency: 'USD',
    product_name: 'Чай и T-shirt',
    customer_ref_id: 'customer-42',
    metadata: { basket: 'b-7' },
  };
  const pay = (world: ReturnType<typeof createWorld>, order_token: string) =>
    world.ask('/v1/pay', { order_token, attempt: crypto.randomUUID(), option: 'qr' });

  it('signs tokens that the relay accepts, with a secret and with a private key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    SECRETS.SHOP_PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const world = createWorld({
      config: {
        order_token_keys: [
          { kid: 'k1', alg: 'HS256', secret: { env: 'TOKEN' } },
          { kid: 'e1', alg: 'EdDSA', public_key: { env: 'SHOP_PEM' } },
        ],
      },
    });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const [jti, key] of [
      ['order-10042', { kid: 'k1', secret: `${SECRETS.TOKEN}\n` }],
      ['order-10043', { kid: 'e1', private_key }],
    ] as const) {
      const { body, status } = await pay(world, await signOrderToken({ ...claims, jti }, key));
      assert.deepEqual([status, body.order?.intent_id, body.order?.amount], [200, jti, '19.90']);
    }
  });

  it('signs deposit tokens that the relay accepts, and only as deposit tokens', async () => {
    const world = createWorld({
      config: {
        deposits: [{ currency: 'XRP' }, { currency: 'BTC' }],
        open_deposits: false,
        order_token_keys: [{ kid: 'k1', alg: 'HS256', secret: { env: 'TOKEN' } }],
      },
    });
    const key = { kid: 'k1', secret: SECRETS.TOKEN ?? '' };
    const claim = { aud: testConfig.public_url, customer_ref_id: 'c7', currencies: ['XRP'] };
    const deposit_token = await signDepositToken(claim, key);
    const ask = (currency: string, token: string) =>
      world.ask('/v1/deposit-address', { currency, deposit_token: token });
    assert.equal((await ask('XRP', deposit_token)).status, 200);
    assert.deepEqual(
      world.sandbox.calls.map(({ body }) => body),
      [{ currency: 'XRP', customer_ref_id: 'c7' }],
    );
    const order_token = await signOrderToken(claims, key);
    const refusals = [
      await ask('BTC', deposit_token),
      await ask('XRP', order_token),
      await pay(world, deposit_token),
    ].map(({ body }) => body.error as { code: string; field: string });
    assert.deepEqual(
      refusals.map(({ code, field }) => [code, field]),
      [
        ['token_contradicted', 'currency'],
        ['token_invalid', 'deposit_token'],
        ['token_invalid', 'order_token'],
      ],
    );
  });

  it('rejects when the amount is not a string, or the lifetime or the key is wrong', async () => {
    const key = { kid: 'k1', secret: SECRETS.TOKEN ?? '' };
    const amount = 19.9 as unknown as string;
    await assert.rejects(signOrderToken({ ...claims, amount }, key), /decimal string/);
    await assert.rejects(signOrderToken({ ...claims, expires_in: 0 }, key), /expires_in/);
    await assert.rejects(signOrderToken(claims, { kid: 'k', secret: '' }), /empty/);
    await assert.rejects(signOrderToken(claims, { kid: 'k', private_key: 'x' }), /PEM/);
  });
});
