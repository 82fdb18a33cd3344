/** The forms of a page's request: fields nested under `intent`, and the attempt. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorld, openIntent, type World } from '../../support/world.js';

const wrong = async (world: World, path: string, body: object): Promise<unknown[]> => {
  const answer = await world.ask(path, body);
  const { code, field } = answer.body.error as { code: string; field: string };
  return [answer.status, code, field];
};

describe('the fields of an intent', () => {
  for (const [what, twice] of Object.entries({
    'another sku': { intent: { sku: 'tea' }, sku: 'tee' },
    'the same sku': { intent: { sku: 'tee' }, sku: 'tee' },
    'another order token': { intent: { order_token: 'a.b.c' }, order_token: 'd.e.f' },
    'another attempt': { intent: { ...openIntent, attempt: crypto.randomUUID() } },
  }))
    it(`are refused when they stand under intent and the body has ${what}`, async () => {
      const world = createWorld();
      const body = { attempt: crypto.randomUUID(), ...twice };
      const expected = [400, 'invalid_request', 'intent'];
      assert.deepEqual(await wrong(world, '/v1/pay', { ...body, option: 'qr' }), expected);
      assert.deepEqual(await wrong(world, '/v1/checkout', body), expected);
      assert.deepEqual(world.pays(), []);
    });

  it('are accepted under intent beside other fields of the body', async () => {
    const world = createWorld();
    const body = { intent: openIntent, attempt: crypto.randomUUID(), option: 'qr' };
    assert.equal((await world.ask('/v1/pay', body)).status, 200);
  });
});
