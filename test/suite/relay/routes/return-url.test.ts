/** The order service gets a parsed return_url, both from a page and from a token. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SignJWT } from 'jose';
import { bearer, createWorld, openIntent, SECRETS, type World } from '../../support/world.js';

const CONFUSING = 'https://shop.example\\@evil.example/';
const claims = { amount: '12.50', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c1' };
const token = (return_url: string): Promise<string> =>
  new SignJWT({ ...claims, jti: crypto.randomUUID(), return_url })
    .setProtectedHeader({ alg: 'HS256', typ: 'pay-order+jwt', kid: 'k1' })
    .setAudience('https://shop.example/pay')
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(SECRETS.TOKEN));
const pay = (world: World, intent: object): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { attempt: crypto.randomUUID(), option: 'card', ...intent });
const refusal = ({ body, status }: Awaited<ReturnType<World['ask']>>): unknown[] => {
  const { code, field } = body.error as { code: string; field: string };
  return [status, code, field];
};
const REFUSED = [400, 'return_host_refused', 'return_url'];

describe('a return_url', () => {
  for (const [who, intent] of [
    ['a page with an open amount', () => ({ ...openIntent, return_url: CONFUSING })],
    ['a page with a sku', () => ({ sku: 'tee', return_url: CONFUSING })],
    ['an order token', async () => ({ order_token: await token(CONFUSING) })],
    [
      'a token with a plain URL',
      async () => ({
        order_token: await token('https://evil.example/'),
      }),
    ],
  ] as const)
    it(`refuses a return_url, and sends nothing, when ${who} leads to another host`, async () => {
      const world = createWorld();
      assert.deepEqual(refusal(await pay(world, await intent())), REFUSED);
      assert.deepEqual(world.pays(), []);
    });

  it('refuses a return_url when the backend requests an order token', async () => {
    const answer = await createWorld().ask(
      '/v1/order-tokens',
      { ...claims, return_url: CONFUSING },
      bearer,
    );
    assert.deepEqual(refusal(answer), REFUSED);
  });

  for (const [who, intent] of [
    ['a page', (return_url: string) => ({ ...openIntent, return_url })],
    ['a token', async (return_url: string) => ({ order_token: await token(return_url) })],
  ] as const)
    it(`forwards a return_url in its parsed form when it comes from ${who}`, async () => {
      const world = createWorld();
      const unparsed = 'HTTPS://SHOP.example:443/a/../danke schön'.replace(' ', '%20');
      assert.equal((await pay(world, await intent(unparsed))).status, 200);
      assert.equal(world.pays()[0]?.return_url, 'https://shop.example/danke%20sch%C3%B6n');
    });

  it('accepts a return_url of the page that is the token’s in another spelling', async () => {
    const world = createWorld();
    const order_token = await token('https://shop.example');
    const paid = await pay(world, { order_token, return_url: 'https://shop.example/' });
    assert.equal(paid.status, 200);
  });
});
