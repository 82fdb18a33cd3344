/**
 * Measures how many orders per second go through, from the pay until the page is told of the
 * success, on ledgers that already hold many orders, and with several relays on one ledger.
 */
import { each } from '../../proofs/proof.js';
import { startAged, startSeveral } from './aged-contenders.js';
import type { BenchSizes } from './sizes.js';
import { build, startBaseline, startStub, type Contender } from './contenders.js';
import { cpuMicros, cpuMicrosOfTree, idleShare } from './cpu.js';
import { createLoad, orderToken, type Load } from './load.js';
import { WARM_UP_ROUNDS } from './round.js';
import { syncedWritesPerSecond } from './synced-writes.js';
import type { Bench, Row } from './table.js';

const IN_FLIGHT = 32;
/** So many that no order waits for its turn in the query queue. */
const QUERIES_PER_SECOND = 100_000;
const WAIT_S = 25;
/** The stub's status of an order that nobody has paid. */
const UNPAID_STATUS = 11;
/** Relays that share one ledger on PostgreSQL. */
const SEVERAL = [2, 4];
/** The durable commits of an order (a test counts them). */
const COMMITS = 3;

/** One or several relays on the same ledger; the first one is named in the table. */
type Contest = Row & {
  values: Record<string, number[]>;
  relays: readonly { contender: Contender; load: Load }[];
};

export async function orders({ requests, rounds }: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  const service = createLoad(stub.url);
  const groups = [
    [await startBaseline('hono-undici', stub.url)],
    ...(await startAged(stub.url, QUERIES_PER_SECOND)).map((contender) => [contender]),
  ];
  for (const count of SEVERAL) groups.push(await startSeveral(stub.url, count, QUERIES_PER_SECOND));
  const contests = groups.map((contenders): Contest => ({
    name: contenders[0]?.name ?? '',
    values: {},
    relays: contenders.map((contender) => ({
      contender,
      load: createLoad(contender.url, IN_FLIGHT),
    })),
  }));
  const limit: Row & { values: Record<string, number[]> } = {
    name: `limit: ${COMMITS} synced writes an order`,
    values: {},
  };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    if (round >= 0) (limit.values['orders'] ??= []).push(syncedWritesPerSecond() / COMMITS);
    for (const contest of contests)
      for (const [column, value] of Object.entries(await runRound(contest, service, requests)))
        if (round >= 0) (contest.values[column] ??= []).push(value);
  }
  for (const { relays } of contests)
    for (const { contender, load } of relays) {
      await load.close();
      await contender.stop();
    }
  await service.close();
  stub.child.kill('SIGKILL');
  return {
    about:
      `Orders that ${IN_FLIGHT} customers complete, ${requests} in a round: pay, webhook, the ` +
      'query that tells the success, and the events to the shop. All processes share the cores, ' +
      'the customers, the order service and the shop too; "idle" is the part of the cores that ' +
      'nobody used. "Relay" and "database" are their CPU time for each order. With several ' +
      'relays, each order uses two: one gets the webhook, and the customer waits at the other. ' +
      'The baseline only forwards the pay.',
    columns: [
      { name: 'orders', unit: '1/s' },
      { name: 'relay', unit: 'µs' },
      { name: 'database', unit: 'µs' },
      { name: 'idle', unit: '%' },
    ],
    rows: [limit, ...contests],
    rounds,
  };
}

/** @returns the values of one round by column */
async function runRound(
  { relays }: Contest,
  service: Load,
  requests: number,
): Promise<Record<string, number>> {
  const databasePid = relays[0]?.contender.databasePid;
  const ofRelays = (): number =>
    relays.reduce((sum, { contender }) => sum + cpuMicros(contender.child.pid ?? 0), 0);
  const ofDatabase = (): number => (databasePid === undefined ? 0 : cpuMicrosOfTree(databasePid));
  const idle = idleShare();
  const [began, relayBefore, databaseBefore] = [performance.now(), ofRelays(), ofDatabase()];
  await each(requests, IN_FLIGHT, async (index) => {
    const [mine, other] = [relays[index % relays.length], relays[(index + 1) % relays.length]];
    if (!mine || !other) throw new Error('no relay');
    if (mine.contender.deliversEvents) await sellOrder(mine.load, other.load, service);
    else await payOnly(mine.load);
  });
  const seconds = (performance.now() - began) / 1000;
  return {
    orders: requests / seconds,
    relay: (ofRelays() - relayBefore) / requests,
    ...(databasePid !== undefined && { database: (ofDatabase() - databaseBefore) / requests }),
    idle: 100 * idle(),
  };
}

async function payOnly(load: Load): Promise<void> {
  await load.post('/v1/pay', { order_token: orderToken(crypto.randomUUID()), option: 'qr' });
}

/**
 * The relay delivers the events to the shop meanwhile, but the order does not wait for them.
 *
 * @param customer sends the customer's requests
 * @param signal sends the webhook
 */
async function sellOrder(customer: Load, signal: Load, service: Load): Promise<void> {
  const body = { order_token: orderToken(crypto.randomUUID()), option: 'qr' };
  const placed = await customer.post('/v1/pay', { ...body, attempt: crypto.randomUUID() });
  const { order_key, request_id } = (placed as { order: Record<string, string> }).order;
  const answer = (await service.post('/succeed', { request_id })) as { notify_url: string };
  await signal.notify(answer.notify_url);
  const query = { request_id, order_key, known_status: UNPAID_STATUS, wait: WAIT_S };
  const told = (await customer.post('/v1/query', query)) as { order: { outcome: string } };
  if (told.order.outcome !== 'succeeded') throw new Error(`the order is ${told.order.outcome}`);
}
