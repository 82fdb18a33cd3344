/** The order service is protected by a budget for all queries, and by a circuit breaker. */
import { expect } from '@open-wc/testing';
import { createWorld, identityOn, openIntent, testConfig, until } from '../../support/world.js';

describe('the budget of queries', () => {
  it('sends no more queries than configured when many checkouts are open', async () => {
    const world = createWorld({
      config: { service: { ...testConfig.service, queries_per_second: 10 } },
    });
    const orders = await Promise.all(
      Array.from(
        { length: 60 },
        async () =>
          (
            await world.ask('/v1/pay', {
              ...openIntent,
              attempt: crypto.randomUUID(),
              option: 'card',
            })
          ).body.order!,
      ),
    );
    const started = performance.now();
    const slowest = async (): Promise<number> => {
      const times = orders.map(async ({ request_id, order_key }) => {
        const began = performance.now();
        await world.ask('/v1/query', { request_id, order_key });
        return performance.now() - began;
      });
      return Math.max(...(await Promise.all(times)));
    };
    expect(await slowest()).to.be.below(1000);
    await Promise.all(
      orders.map(({ request_id, order_key }) =>
        world.ask('/v1/query', { request_id, order_key, known_status: 11, wait: 4 }),
      ),
    );
    const queries = world.sandbox.calls.filter(({ operation }) => operation === 'query').length;
    expect(queries).to.be.at.most(Math.ceil(10 * ((performance.now() - started) / 1000)) + 2);
    expect(queries).to.be.at.least(10);
  });
});

describe('a slow order service', () => {
  it('takes the pay of a customer while it answers many queries late', async () => {
    const service = { ...testConfig.service, connections: 4, queries_per_second: 100 };
    const world = createWorld({ config: { service } });
    const pay = (): ReturnType<typeof world.ask> =>
      world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'card' });
    await Promise.all(Array.from({ length: 12 }, pay));
    world.sandbox.faults.add({ operation: 'query', fault: 'slow', times: 0, delay_ms: 3000 });
    await until(async () => {
      await world.relay.tick();
      return world.sandbox.calls.filter(({ operation }) => operation === 'query').length >= 3;
    }, 'the relay asks about the orders');
    const { body, status } = await pay();
    expect([status, body.order?.outcome]).to.deep.equal([200, 'pending']);
  });
});

describe('the circuit breaker', () => {
  it('sends and writes nothing while the service is silent, until a probe succeeds', async () => {
    const world = createWorld();
    world.sandbox.faults.add({ operation: '*', fault: 'cut_before', times: 0 });
    for (let calls = 0; calls < 3; calls++)
      await world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' });
    const sent = world.sandbox.calls.length;
    const attempt = crypto.randomUUID();
    const { status, body } = await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' });
    expect([status, (body.error as { code: string }).code]).to.deep.equal([
      503,
      'service_unavailable',
    ]);
    const intentId = await identityOn(world.ledger).intentIdOf(attempt);
    expect(await world.ledger.intent(intentId)).to.equal(null);
    expect(world.sandbox.calls.length).to.equal(sent);
    world.sandbox.faults.clear();
    const sentBefore = world.pays().length;
    await until(async () => {
      await world.relay.tick();
      return (await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' })).status === 200;
    }, 'the circuit breaker is closed again');
    expect(world.pays().length - sentBefore).to.equal(1);
  });

  it('tells each waiting page at once that the service cannot be asked', async () => {
    const world = createWorld();
    const { body } = await world.ask('/v1/pay', {
      ...openIntent,
      attempt: crypto.randomUUID(),
      option: 'qr',
    });
    const { order_key, request_id, version } = body.order!;
    const known = { request_id, order_key, known_version: version };
    const waits = world.ask('/v1/query', { ...known, wait: 20 });
    world.sandbox.faults.add({ operation: '*', fault: 'cut_before', times: 0 });
    for (let calls = 0; calls < 5; calls++)
      await world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' });
    const began = performance.now();
    for (const answer of [await waits, await world.ask('/v1/query', { ...known, wait: 20 })]) {
      expect(answer.status).to.equal(200);
      expect(answer.body).to.include({ service_unreachable: true });
    }
    const stale = await world.ask('/v1/query', { request_id, order_key, known_version: 0 });
    expect(stale.body.order).to.include({ outcome: 'pending', service_unreachable: true });
    expect(performance.now() - began).to.be.below(10_000);
    world.sandbox.faults.clear();
    await until(async () => {
      await world.relay.tick();
      return !('service_unreachable' in (await world.ask('/v1/query', known)).body);
    }, 'the service can be asked again');
  });

  it('keeps the circuit breaker closed when the service refuses', async () => {
    const world = createWorld();
    world.sandbox.faults.add({ operation: 'pay', fault: 'refusal', times: 0 });
    for (let calls = 0; calls < 12; calls++)
      expect(
        (await world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' }))
          .body.order?.outcome,
      ).to.equal('failed');
  });
});
