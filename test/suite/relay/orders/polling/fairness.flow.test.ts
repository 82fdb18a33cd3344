/** No order and no query uses up the query slots of other orders. */
import { expect } from '@open-wc/testing';
import { createWorld, openIntent, testConfig, until, type World } from '../../../support/world.js';

type Placed = { request_id: string; order_key: string };
async function place(world: World): Promise<Placed> {
  const attempt = crypto.randomUUID();
  const { order } = (await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' })).body;
  return { request_id: order!.request_id, order_key: order!.order_key };
}
const notifyUrl = (world: World, { request_id }: Placed): string => {
  const pay = world.pays().find((body) => body.request_id === request_id);
  return String(pay?.notify_url).replace('/pay/v1/', '/v1/');
};
const isPaid = async (world: World, { request_id }: Placed): Promise<boolean> =>
  (await world.ledger.order(request_id))?.outcome === 'succeeded';

/** A world whose service sends no webhook signals. */
const silent = (queries_per_second: number): World =>
  createWorld({
    config: { service: { ...testConfig.service, queries_per_second, timeout_ms: 10_000 } },
    sandboxOptions: { notify: async () => {} },
  });

describe('an order', () => {
  it('queries a flooded order once a second, and other orders in time', async () => {
    const world = silent(4);
    const flooded = await place(world);
    const other = await place(world);
    world.sandbox.orders.act(world.sandbox.orders.byRequest(other.request_id)!, 'confirm');
    const url = notifyUrl(world, flooded);
    const began = performance.now();
    await until(async () => {
      await Promise.all(
        Array.from({ length: 20 }, () => world.relay.fetch(new Request(url, { method: 'POST' }))),
      );
      await world.relay.tick();
      return isPaid(world, other);
    }, 'the other order is queried');
    const queries = world.sandbox.calls.filter(
      ({ body, operation }) =>
        operation === 'query' && (body as Placed).request_id === flooded.request_id,
    ).length;
    // one query for each second that began, one at the first signal, one by the schedule
    expect(queries).to.be.at.most(Math.ceil((performance.now() - began) / 1000) + 2);
  });

  it('queries other due orders when one query hangs', async () => {
    const world = silent(20);
    const hanging = await place(world);
    const answer = world.sandbox.fetch;
    world.sandbox.fetch = async (request) => {
      const requestBody = (await request.clone().json()) as Placed;
      const isQuery = request.url.endsWith('/query');
      if (isQuery && requestBody.request_id === hanging.request_id) return new Promise(() => {});
      return answer(request);
    };
    const others = await Promise.all(Array.from({ length: 5 }, () => place(world)));
    for (const { request_id } of others)
      world.sandbox.orders.act(world.sandbox.orders.byRequest(request_id)!, 'confirm');
    const began = performance.now();
    await until(async () => {
      await world.relay.tick();
      return (await Promise.all(others.map((order) => isPaid(world, order)))).every(Boolean);
    }, 'all other orders are paid');
    expect(performance.now() - began).to.be.below(5000);
  });

  it('queries an order without a page when pages that wait fill the queue', async () => {
    const world = silent(20);
    const waiting = await Promise.all(Array.from({ length: 120 }, () => place(world)));
    const leaving = new AbortController();
    const pages = waiting.map(async (order) => {
      while (!leaving.signal.aborted)
        await world.ask('/v1/query', { ...order, known_status: 11, wait: 25 });
    });
    // the pages' first checks fill the queue, and their later checks keep it full
    await until(async () => (await world.relay.gauges()).queries_queued > 60, 'a full queue');
    const left = await place(world);
    world.sandbox.orders.act(world.sandbox.orders.byRequest(left.request_id)!, 'confirm');
    await until(
      async () => {
        await world.relay.tick();
        return isPaid(world, left);
      },
      'the order without a page',
      20_000,
    );
    leaving.abort();
    world.relay.drain();
    await Promise.all(pages);
  });
});
