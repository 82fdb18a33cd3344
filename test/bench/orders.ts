/**
 * Measures how many orders per second go through, from the pay until the page is told of the
 * success, on ledgers that already hold many orders.
 */
import { request } from 'undici';
import { each } from '../proofs/proof.js';
import { startAged } from './aged-contenders.js';
import type { BenchSizes } from './sizes.js';
import { build, startBaseline, startStub, type Contender } from './contenders.js';
import { createLoad, orderToken, type Load } from './load.js';
import type { Bench, Row } from './table.js';

const IN_FLIGHT = 32;
/** So many that no order waits for its turn in the query queue. */
const QUERIES_PER_SECOND = 100_000;
const WAIT_S = 25;
/** The stub's status of an order that nobody has paid. */
const UNPAID_STATUS = 11;

type Contest = Row & { values: Record<string, number[]>; contender: Contender; load: Load };

export async function orders({ requests, rounds }: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  const service = createLoad(stub.url);
  const contenders = [
    await startBaseline('hono-undici', stub.url),
    ...(await startAged(stub.url, QUERIES_PER_SECOND)),
  ];
  const contests = contenders.map((contender): Contest => ({
    name: contender.name,
    values: {},
    contender,
    load: createLoad(contender.url, IN_FLIGHT),
  }));
  // the first round is not counted, because V8 compiles the code in it
  for (let round = -1; round < rounds; round++)
    for (const { contender, load, values } of contests) {
      const sell = contender.deliversEvents ? sellOrder : payOnly;
      const began = performance.now();
      await each(requests, IN_FLIGHT, () => sell(contender.url, load, service));
      const perSecond = (1000 * requests) / (performance.now() - began);
      if (round >= 0) (values['orders'] ??= []).push(perSecond);
    }
  for (const { contender, load } of contests) {
    await load.close();
    await contender.stop();
  }
  await service.close();
  stub.child.kill('SIGKILL');
  return {
    about:
      `Orders that ${IN_FLIGHT} customers complete, ${requests} in a round: pay, web-hook, the ` +
      'query that tells the success, and the events to the shop. The baseline only forwards the ' +
      'pay. All processes share the cores.',
    columns: [{ name: 'orders', unit: '1/s' }],
    rows: contests,
    rounds,
  };
}

async function payOnly(_url: string, load: Load): Promise<void> {
  await load.post('/v1/pay', { order_token: orderToken(crypto.randomUUID()), option: 'qr' });
}

/** The relay delivers the events to the shop meanwhile, but the order does not wait for them. */
async function sellOrder(url: string, load: Load, service: Load): Promise<void> {
  const body = { order_token: orderToken(crypto.randomUUID()), option: 'qr' };
  const placed = await load.post('/v1/pay', { ...body, attempt: crypto.randomUUID() });
  const { order_key, request_id } = (placed as { order: Record<string, string> }).order;
  const answer = (await service.post('/succeed', { request_id })) as { notify_url: string };
  // no proxy runs here, so the path of `public_url` is cut off as a proxy would do
  const { pathname } = new URL(answer.notify_url);
  const signal = await request(url + pathname.slice(pathname.indexOf('/v1/')), { method: 'POST' });
  await signal.body.dump();
  const query = { request_id, order_key, known_status: UNPAID_STATUS, wait: WAIT_S };
  const told = (await load.post('/v1/query', query)) as { order: { outcome: string } };
  if (told.order.outcome !== 'succeeded') throw new Error(`the order is ${told.order.outcome}`);
}
