/** What the operator sees when the order service refuses the relay. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { createWorld, openIntent, type World } from '../../support/world.js';

/** A service that answers as `answer` says, or as the sandbox when it returns null. */
function refusedWorld(
  answer: (path: string) => Response | null,
  more: Partial<ConfigFile> = {},
): World {
  const sandbox = createSandbox({ publicUrl: 'https://service.example', notify: async () => {} });
  const refusing: Sandbox = {
    ...sandbox,
    fetch: async (request) => answer(new URL(request.url).pathname) ?? sandbox.fetch(request),
  };
  return createWorld({
    sandbox: refusing,
    config: {
      service: { base_url: 'https://service.example', headers: { 'x-key': { env: 'SECRET' } } },
      ...more,
    },
  });
}
const service = async (world: World): Promise<[number, unknown]> => {
  const response = await world.relay.fetch(new Request('https://shop.example/readyz'));
  return [response.status, ((await response.json()) as { service: string }).service];
};
const pay = (world: World, more: object = {}): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'card', ...more });
const refusal = (code: number, message: string, status: number): Response =>
  Response.json({ code, message, data: null }, { status });

describe('an order service that refuses the relay', () => {
  it('logs the service’s message without secrets, and the customer never sees it', async () => {
    const message = `bad\u0007 key secret-key-of-the-tests of ann@shop.example ${'x'.repeat(300)}`;
    const world = refusedWorld(() => refusal(401, message, 401));
    const { body } = await pay(world, { option: 'asks', customer: { phone: '+4930123456' } });
    const line = world.log.find(({ event }) => event === 'pay')?.fields;
    assert.deepEqual([line?.kind, line?.code, line?.http_status], ['refused', '401', 401]);
    const logged = String(line?.service_message);
    assert.match(logged, /^bad key … of ann@shop\.example x+$/);
    assert.equal(logged.length, 200);
    assert.doesNotMatch(JSON.stringify(body), /bad|key of/);
  });

  it('hides what the customer typed when the message of the service repeats it', async () => {
    const world = refusedWorld(() => refusal(9, 'no account for +4930123456', 200));
    await pay(world, { option: 'asks', customer: { phone: '+4930123456' } });
    const line = world.log.find(({ event }) => event === 'pay')?.fields;
    assert.equal(line?.service_message, 'no account for …');
  });

  for (const operation of ['/deposit_address', '/verifyDepositAddress'])
    it(`logs why the service refuses ${operation}, without secrets and the customer`, async () => {
      const text = 'bad key secret-key-of-the-tests of c-77';
      const world = refusedWorld(
        (path) => (path.endsWith(operation) ? refusal(401, text, 401) : null),
        { deposits: [{ currency: 'BTC', verify: true }] },
      );
      await world.ask('/v1/deposit-address', { currency: 'BTC', customer_ref_id: 'c-77' });
      const lines = world.log.filter(({ event }) => event === 'deposit_address');
      assert.deepEqual(
        lines.map(({ fields }) => [fields.currency, fields.http_status, fields.service_message]),
        [['BTC', 401, 'bad key … of …']],
      );
    });

  for (const [what, answer] of [
    ['HTTP 401 with an envelope', () => refusal(401, 'bad key', 401)],
    ['code 403 with HTTP 200', () => refusal(403, 'no', 200)],
    ['HTTP 403 of a gateway', () => new Response('<h1>Forbidden</h1>', { status: 403 })],
  ] as const)
    it(`says on /readyz that the service refuses after ${what}, and remains in use`, async () => {
      let refuses = true;
      const world = refusedWorld(() => (refuses ? answer() : null));
      assert.deepEqual(await service(world), [200, 'ok']);
      await pay(world);
      assert.deepEqual(await service(world), [200, 'refuses']);
      assert.equal((await world.relay.gauges()).service_refuses, 1);
      refuses = false;
      await pay(world);
      assert.deepEqual(await service(world), [200, 'ok']);
      assert.equal((await world.relay.gauges()).service_refuses, 0);
    });

  it('says that the service refuses after five refused pays, and not after four', async () => {
    const world = refusedWorld((path) => (path.endsWith('/pay') ? refusal(77, 'no', 200) : null));
    for (let count = 0; count < 4; count++) await pay(world);
    assert.deepEqual(await service(world), [200, 'ok']);
    await pay(world);
    assert.deepEqual(await service(world), [200, 'refuses']);
  });

  it('does not take an unknown order for a refusal', async () => {
    const world = refusedWorld((path) =>
      path.endsWith('/query') ? refusal(4040, 'no such order', 404) : null,
    );
    for (let count = 0; count < 9; count++) {
      const { order } = (await pay(world)).body;
      const { order_key, request_id } = order ?? {};
      await world.ask('/v1/query', { request_id, order_key, known_status: 11, wait: 0 });
    }
    assert.deepEqual(await service(world), [200, 'ok']);
  });
});
