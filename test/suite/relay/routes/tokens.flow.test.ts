/** Tokens that are signed with EdDSA or HS256, key rotation, and deposit tokens. */
import { expect } from '@open-wc/testing';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { bearer, createWorld, SECRETS } from '../../support/world.js';

const claims = { amount: '12.50', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c1' };
type Key = Parameters<SignJWT['sign']>[0];
const hs256 = new TextEncoder().encode(SECRETS.TOKEN);

function sign(
  key: Key,
  {
    alg = 'HS256',
    kid = 'k1',
    typ = 'pay-order+jwt',
    exp = 600,
    ...body
  }: Record<string, unknown> & { alg?: string; kid?: string; typ?: string; exp?: number },
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ jti: crypto.randomUUID(), ...body })
    .setProtectedHeader({ alg, kid, typ })
    .setAudience('https://shop.example/pay')
    .setIssuedAt(now)
    .setExpirationTime(now + exp)
    .sign(key);
}

describe('EdDSA order tokens', () => {
  let privateKey: Key;
  let config: Partial<ConfigFile>;
  before(async () => {
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    privateKey = pair.privateKey;
    SECRETS.SPKI = await exportSPKI(pair.publicKey);
    config = {
      order_token_keys: [
        { kid: 'k1', alg: 'HS256', secret: { env: 'TOKEN' } },
        { kid: 'e1', alg: 'EdDSA', public_key: { env: 'SPKI' } },
      ],
    };
  });
  const pay = async (order_token: string): Promise<number> =>
    (
      await createWorld({ config }).ask('/v1/pay', {
        order_token,
        attempt: crypto.randomUUID(),
        option: 'qr',
      })
    ).status;

  it('accepts EdDSA tokens under their kid, along with HS256 tokens', async () => {
    expect(await pay(await sign(privateKey, { alg: 'EdDSA', kid: 'e1', ...claims }))).to.equal(200);
    expect(await pay(await sign(hs256, claims))).to.equal(200);
  });
  it('refuses a token when its algorithm is not that of its kid', async () => {
    const confused = new TextEncoder().encode(SECRETS.SPKI);
    expect(await pay(await sign(confused, { kid: 'e1', ...claims }))).to.equal(401);
    expect(await pay(await sign(privateKey, { alg: 'EdDSA', kid: 'k1', ...claims }))).to.equal(401);
  });
});

it('refuses a token when spare bits at the end of its signature differ', async () => {
  const world = createWorld();
  const token = await sign(hs256, claims);
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const respelled = token.slice(0, -1) + (ALPHABET[ALPHABET.indexOf(token.at(-1) ?? '') + 1] ?? '');
  const payWith = (order_token: string): ReturnType<typeof world.ask> =>
    world.ask('/v1/pay', { order_token, attempt: crypto.randomUUID(), option: 'card' });
  expect((await payWith(respelled)).body.error).to.include({
    code: 'token_invalid',
    field: 'order_token',
  });
  expect((await payWith(token)).status).to.equal(200);
});

it('refuses a token by the name of a claim that it does not know', async () => {
  const world = createWorld();
  const order_token = await sign(hs256, { ...claims, jti: 'basket-1', supersedes: 'basket-0' });
  const page = { order_token, attempt: crypto.randomUUID(), option: 'card' };
  const { body, status } = await world.ask('/v1/pay', page);
  expect(status).to.equal(401);
  expect((body.error as { message: string }).message).to.contain('supersedes');
  expect(world.pays()).to.deep.equal([]);
});

describe('key rotation', () => {
  const old = { kid: 'k1', alg: 'HS256', secret: { env: 'TOKEN' } } as const;
  const fresh = { kid: 'k2', alg: 'HS256', secret: { env: 'SECRET' } } as const;
  const pay = async (
    order_token_keys: ConfigFile['order_token_keys'],
    kid: string,
    secret: string | undefined,
  ): Promise<number> => {
    const order_token = await sign(new TextEncoder().encode(secret), { kid, ...claims });
    return (
      await createWorld({ config: { order_token_keys } }).ask('/v1/pay', {
        order_token,
        attempt: crypto.randomUUID(),
        option: 'qr',
      })
    ).status;
  };
  it('accepts tokens of the old key only while it is configured', async () => {
    expect(await pay([fresh, old], 'k1', SECRETS.TOKEN)).to.equal(200);
    expect(await pay([fresh, old], 'k2', SECRETS.SECRET)).to.equal(200);
    expect(await pay([fresh, old], 'k2', SECRETS.TOKEN)).to.equal(401);
    expect(await pay([fresh], 'k1', SECRETS.TOKEN)).to.equal(401);
  });
  it('signs order tokens with the first key', async () => {
    const world = createWorld({ config: { order_token_keys: [fresh, old] } });
    const { body } = await world.ask('/v1/order-tokens', claims, bearer);
    expect(JSON.parse(atob(String(body.order_token).split('.')[0] ?? ''))).to.deep.include({
      kid: 'k2',
      alg: 'HS256',
    });
  });
});

describe('deposit tokens', () => {
  const ask = async (
    config: Partial<ConfigFile>,
    body: object,
  ): Promise<{ status: number; code: string | undefined; sent: unknown[] }> => {
    const world = createWorld({ config });
    const answer = await world.ask('/v1/deposit-address', body);
    return {
      status: answer.status,
      code: (answer.body.error as { code: string } | undefined)?.code,
      sent: world.sandbox.calls.map((call) => call.body),
    };
  };
  const closed = { open_deposits: false };
  const deposit = (change: Record<string, unknown> = {}): Promise<string> =>
    sign(hs256, { typ: 'pay-deposit+jwt', customer_ref_id: 'c1', ...change });

  it('takes the customer of a deposit address from the deposit token', async () => {
    const { sent, status } = await ask(closed, { currency: 'XRP', deposit_token: await deposit() });
    expect([status, sent]).to.deep.equal([200, [{ currency: 'XRP', customer_ref_id: 'c1' }]]);
  });
  it('refuses a deposit token for a currency that it does not name', async () => {
    expect(
      (
        await ask(closed, {
          currency: 'BTC',
          deposit_token: await deposit({ currencies: ['BTC'] }),
        })
      ).status,
    ).to.equal(200);
    expect(
      (
        await ask(closed, {
          currency: 'XRP',
          deposit_token: await deposit({ currencies: ['BTC'] }),
        })
      ).status,
    ).to.equal(422);
  });
  for (const [what, token] of [
    ['expired', () => deposit({ exp: -40 })],
    ['an order token', () => sign(hs256, claims)],
    ['without a customer', () => sign(hs256, { typ: 'pay-deposit+jwt' })],
  ] as const)
    it(`refuses a deposit token, and sends nothing, when it is ${what}`, async () => {
      const { sent, status } = await ask(closed, { currency: 'XRP', deposit_token: await token() });
      expect([status, sent]).to.deep.equal([401, []]);
    });
  it('requires a deposit token unless deposits are open', async () => {
    expect((await ask(closed, { currency: 'XRP', customer_ref_id: 'c1' })).code).to.equal(
      'not_configured',
    );
    const { sent } = await ask({}, { currency: 'XRP', customer_ref_id: 'c1' });
    expect(sent).to.deep.equal([{ currency: 'XRP', customer_ref_id: 'c1' }]);
  });
  it('sends one request to the service when many ask for one deposit address', async () => {
    const world = createWorld();
    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        world.ask('/v1/deposit-address', { currency: 'XRP', customer_ref_id: 'c1' }),
      ),
    );
    await world.ask('/v1/deposit-address', { currency: 'XRP', customer_ref_id: 'c1' });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    expect(world.sandbox.calls.length).to.equal(1);
  });
});
