/** The limit of intents that one address may open in an hour, for each kind of intent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { memoryLimiter } from '../../../../relay/node/limits.js';
import {
  bearer,
  createWorld,
  openIntent,
  postRequest,
  readSecret,
  testConfig,
} from '../../support/world.js';

describe('the limit of new intents by address', () => {
  const limits = { new_intents_per_ip_per_hour: 2 };
  const config = parseConfig({ ...testConfig, limits }, readSecret);

  /** A shop with this limit; each pay comes from an IP address. */
  function limitedShop() {
    const world = createWorld({ config: { limits }, limiter: memoryLimiter(() => config.limits) });
    const pay = async (
      intent: object,
      { address = '192.0.2.1', attempt = crypto.randomUUID() } = {},
    ): Promise<string> => {
      const body = { ...intent, attempt, option: 'qr' };
      const response = await world.relay.fetch(postRequest('/v1/pay', body), { address });
      const { error } = (await response.json()) as { error?: { code: string } };
      return error?.code ?? 'placed';
    };
    return { pay, world };
  }

  for (const [mode, intent] of [
    ['open', openIntent],
    ['catalogue', { sku: 'tee' }],
  ] as const)
    it(`refuses the third ${mode} intent of an address within an hour`, async () => {
      const { pay, world } = limitedShop();
      const attempt = crypto.randomUUID();
      assert.deepEqual(
        [await pay(intent, { attempt }), await pay(intent), await pay(intent)],
        ['placed', 'placed', 'rate_limited'],
      );
      assert.equal(world.pays().length, 2);
      assert.equal(await pay(intent, { attempt }), 'placed', 'an existing intent does not count');
      assert.equal(
        await pay(intent, { address: '192.0.2.2' }),
        'placed',
        'another address has its own limit',
      );
    });

  it('says that a new intent may be placed in an hour, and not in a minute', async () => {
    const { pay, world } = limitedShop();
    await pay(openIntent);
    await pay(openIntent);
    const body = { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' };
    const address = '192.0.2.1';
    const response = await world.relay.fetch(postRequest('/v1/pay', body), { address });
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '3600']);
  });

  it('counts no intent of an order token', async () => {
    const { pay, world } = limitedShop();
    const order_token = async (): Promise<unknown> => {
      const sale = { ...openIntent, customer_ref_id: 'c-1' };
      return (await world.ask('/v1/order-tokens', sale, bearer)).body.order_token;
    };
    for (let count = 0; count < 4; count++)
      assert.equal(await pay({ order_token: await order_token() }), 'placed');
    assert.equal(world.pays().length, 4);
    assert.deepEqual([await pay(openIntent), await pay(openIntent)], ['placed', 'placed']);
  });
});
