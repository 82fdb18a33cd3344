/** The forms of a page's request: fields nested under `intent`, and the attempt. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorld, openIntent, type World } from '../../support/world.js';

const refusalOf = async (world: World, path: string, body: object): Promise<unknown[]> => {
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
    it(`refuses fields under intent when the body also has ${what}`, async () => {
      const world = createWorld();
      const body = { attempt: crypto.randomUUID(), ...twice };
      const expected = [400, 'invalid_request', 'intent'];
      assert.deepEqual(await refusalOf(world, '/v1/pay', { ...body, option: 'qr' }), expected);
      assert.deepEqual(await refusalOf(world, '/v1/checkout', body), expected);
      assert.deepEqual(world.pays(), []);
    });

  it('accepts fields under intent beside other fields of the body', async () => {
    const world = createWorld();
    const body = { intent: openIntent, attempt: crypto.randomUUID(), option: 'qr' };
    assert.equal((await world.ask('/v1/pay', body)).status, 200);
  });
});

describe('an attempt', () => {
  for (const [what, digit] of [
    ['nil', '0'],
    ['all-f', 'f'],
    ['upper-case all-f', 'F'],
  ] as const)
    it(`refuses an attempt that is the ${what} UUID`, async () => {
      const attempt = '00000000-0000-0000-0000-000000000000'.replaceAll('0', digit);
      const expected = [400, 'invalid_request', 'attempt'];
      const body = { ...openIntent, attempt };
      assert.deepEqual(
        await refusalOf(createWorld(), '/v1/pay', { ...body, option: 'qr' }),
        expected,
      );
      assert.deepEqual(await refusalOf(createWorld(), '/v1/checkout', body), expected);
    });

  it('finds the same intent when an attempt is in upper and in lower case', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const ids = new Set<string | undefined>();
    for (const written of [attempt, attempt.toUpperCase()]) {
      const body = { ...openIntent, attempt: written };
      ids.add((await world.ask('/v1/pay', { ...body, option: 'qr' })).body.order?.request_id);
      ids.add((await world.ask('/v1/checkout', body)).body.order?.request_id);
    }
    assert.equal(ids.size, 1);
    assert.equal(world.pays().length, 1);
  });
});
