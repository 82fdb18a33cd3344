/**
 * The primary of a database cluster is killed, frozen and cut off again and again while customers
 * pay through two relays. No order is sent twice, no order and no event is lost, and customers can
 * pay again soon.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openLedger } from '../../relay/node/open-ledger.js';
import { missingPgbouncer, startPgbouncer } from '../suite/support/pgbouncer.js';
import { sleep, until } from '../suite/support/wait.js';
import { openIntent } from '../suite/support/world.js';
import { startCluster, type Cluster } from './cluster/cluster.js';
import type { DatabaseNode } from './cluster/database-node.js';
import { startProbe, type Probe } from './cluster/probe.js';
import { missingPrograms } from './cluster/programs.js';
import {
  countMisattributed,
  filter,
  isLost,
  orderIdsAtService,
  paysSent,
  repetitions,
  type Answered,
  type Ids,
} from './placed-orders.js';
import { buildRelay, createRelayFolder, post, startSandbox } from './processes.js';
import { counts, createRandom, percentile, type Figure, type Proof } from './proof.js';

const CUSTOMERS = 16;
const QUERIES_PER_SECOND = 200;
/** A customer's page gives up a request after this time, and asks again. */
const PAGE_TIMEOUT_MS = 15_000;
const POOLED_CONNECTIONS = 20;
const MAX_SETTLE_MS = 240_000;
/** The longest pause before the next fault. */
const MAX_REST_MS = 3000;
/** After this time nothing succeeds that the fault should have stopped. */
const FAULT_BEGINS_WITHIN_MS = 200;
/** How many new pays must be answered under a new primary before the fault ends. */
const ANSWERS_OF_RECOVERY = 30;

type Fault = { name: string; begin(node: DatabaseNode): void; end(node: DatabaseNode): void };
const FAULTS: readonly Fault[] = [
  { name: 'killed', begin: (node) => node.kill(), end: (node) => node.start() },
  { name: 'frozen', begin: (node) => node.freeze(), end: (node) => node.thaw() },
  { name: 'cut off', begin: (node) => node.cutOff(), end: (node) => node.reconnect() },
];

export const failover: Proof = {
  sizes: { faults: 20, pgbouncer: 0, within_ms: 15_000, seed: 1 },
  missing: missingPrograms,
  run: async ({ faults = 0, pgbouncer = 0, within_ms: within = 0, seed = 1 }) => {
    if (pgbouncer && missingPgbouncer) throw new Error(missingPgbouncer);
    const random = createRandom(seed);
    const script = buildRelay();
    const cluster = await startCluster();
    const pooler = pgbouncer ? await startPgbouncer(cluster.url, POOLED_CONNECTIONS) : null;
    const ledgerUrl = pooler ? pooler.through(cluster.url) : cluster.url;
    const receiver = await receiveSuccesses();
    const sandbox = await startSandbox();
    const shop = await createRelayFolder(
      sandbox.url,
      {
        ledger: ledgerUrl,
        shop_events: { url: receiver.url, secret: { env: 'SECRET' } },
        limits: { per_intent_per_minute: 10_000 },
      },
      // a pay whose claim may not have been committed is not sent at once; without the resend its
      // order would never be sent
      { queries_per_second: QUERIES_PER_SECOND, resend_after_s: 2, timeout_ms: 1000 },
    );
    const relays = [await shop.relay(script, 0), await shop.relay(script, 1)];

    const answered: Answered[] = [];
    const pays: AnsweredPay[] = [];
    /** The payments of the customers. Each waits until the service has received its order. */
    const confirmed: Promise<void>[] = [];
    let isOpen = true;
    let next = 0;
    const buy = async (): Promise<void> => {
      const pay = { ...openIntent, attempt: crypto.randomUUID(), option: 'card' };
      const beganAt = Date.now();
      for (;;) {
        const url = relays[next++ % relays.length]?.url ?? '';
        const answer = await post(`${url}/v1/pay`, pay, PAGE_TIMEOUT_MS);
        const order = answer?.order as (Ids & { outcome: string }) | undefined;
        if (order?.outcome === 'pending') {
          pays.push({ beganAt, answeredAt: Date.now() });
          answered.push({ attempt: pay.attempt, ...order });
          const url = `${sandbox.url}/control/orders/${order.request_id}`;
          const confirm = async () => (await post(url, { action: 'confirm' })) !== null;
          const placed = `the service has the order ${order.request_id}`;
          confirmed.push(until(confirm, placed, MAX_SETTLE_MS));
          return;
        }
        await sleep(100);
      }
    };
    const customer = async (): Promise<void> => {
      while (isOpen) {
        await buy();
        await sleep(random.integer(800));
      }
    };
    const customers = Promise.all(Array.from({ length: CUSTOMERS }, customer));
    await until(() => answered.length > CUSTOMERS, 'the first pays', 60_000);

    const probe = startProbe(cluster.url);
    await until(() => probe.writtenAt.length > 0, 'the first write of the probe', 60_000);
    const pauses = new Map<string, Pauses[]>(FAULTS.map(({ name }) => [name, []]));
    for (let count = 0; count < faults; count++) {
      const fault = FAULTS[count % FAULTS.length]!;
      await sleep(random.integer(MAX_REST_MS));
      const began = Date.now();
      const pause = await measureFault(fault, cluster, { pays, probe });
      pauses.get(fault.name)?.push(pause);
      // says whether the database or the relays took so long
      if (pause.untilPay > within) console.log(pause, cluster.logSince(began).join('\n'));
    }
    await probe.stop();
    isOpen = false;
    await customers;
    await Promise.all(confirmed);

    const ledger = await openLedger(ledgerUrl);
    const ids = await orderIdsAtService(sandbox.url);
    // every order counts as lost, and every payment as untold, until it is found
    let lost = [...new Set(ids)];
    let untold = answered.map(({ request_id }) => request_id);
    const end = Date.now() + MAX_SETTLE_MS;
    while (lost.length + untold.length > 0 && Date.now() < end) {
      lost = await filter(lost, isLost(ledger));
      untold = untold.filter((id) => !receiver.told.has(id));
      await sleep(1000);
    }
    const misattributed = await countMisattributed(ledger, answered);
    const paysSentTwice = repetitions(await paysSent(sandbox.url));
    const ordersPlacedTwice = repetitions(ids);
    await ledger.close();
    for (const { child } of [...relays, sandbox]) child.kill('SIGKILL');
    receiver.close();
    pooler?.stop();
    cluster.stop();
    shop.remove();
    const all = [...pauses.values()].flat().map(({ untilPay }) => untilPay);
    return {
      held:
        [lost.length, untold.length, misattributed, paysSentTwice, ordersPlacedTwice].every(
          (wrong) => wrong === 0,
        ) &&
        all.length === faults &&
        Math.max(...all) <= within,
      sections: [
        {
          figures: counts({
            answered: answered.length,
            'at the service': ids.length,
            faults: all.length,
          }),
        },
        {
          figures: counts({
            doubled: ordersPlacedTwice,
            'request_ids sent twice': paysSentTwice,
            lost: lost.length,
            'of another customer': misattributed,
            'payments not told to the shop': untold.length,
          }),
        },
        ...[...pauses].map(([name, values]) => ({
          name: `time until a new pay was answered after the primary was ${name}`,
          figures: pauseFigures(values, within),
        })),
      ],
    };
  },
};

/** The same with PgBouncer, in transaction mode, between the relays and the cluster. */
export const pooledFailover: Proof = {
  ...failover,
  sizes: { ...failover.sizes, pgbouncer: 1 },
  missing: failover.missing || missingPgbouncer,
};

type AnsweredPay = { beganAt: number; answeredAt: number };
/** Milliseconds from the fault to the first write, and to the answer of a pay begun after it. */
type Pauses = { untilWrite: number; untilPay: number };

/**
 * Only pays that began after the fault count: an older one may have its order already, and is
 * answered while the database takes no writes.
 */
async function measureFault(
  fault: Fault,
  cluster: Cluster,
  { pays, probe }: { pays: readonly AnsweredPay[]; probe: Probe },
): Promise<Pauses> {
  const node = await cluster.primary();
  const began = Date.now();
  fault.begin(node);
  const isReplaced = async (): Promise<boolean> => (await cluster.primary()).name !== node.name;
  await until(isReplaced, `another primary than ${node.name}`, 60_000);
  const isNew = ({ beganAt }: AnsweredPay): boolean => beganAt > began + FAULT_BEGINS_WITHIN_MS;
  const isNewWrite = (at: number): boolean => at > began + FAULT_BEGINS_WITHIN_MS;
  const answers = (): number => pays.filter(isNew).length;
  await until(() => answers() > ANSWERS_OF_RECOVERY, 'new pays', 60_000);
  fault.end(node);
  await cluster.ready();
  return {
    untilPay: (pays.find(isNew)?.answeredAt ?? Infinity) - began,
    untilWrite: (probe.writtenAt.find(isNewWrite) ?? Infinity) - began,
  };
}

/** The time until the database took a write shows how much the relays and the pooler add. */
function pauseFigures(pauses: readonly Pauses[], within: number): Figure[] {
  const untilPay = pauses.map((pause) => pause.untilPay);
  const untilWrite = pauses.map((pause) => pause.untilWrite);
  return [
    { name: 'p50', value: percentile(untilPay, 0.5), unit: 'ms' },
    { name: 'longest', value: Math.max(0, ...untilPay), unit: 'ms', bound: within },
    { name: 'p50 until a write', value: percentile(untilWrite, 0.5), unit: 'ms' },
    { name: 'longest until a write', value: Math.max(0, ...untilWrite), unit: 'ms' },
  ];
}

/** The shop's receiver of events; `told` has the request_ids of the payments that it received. */
async function receiveSuccesses(): Promise<{ url: string; told: Set<string>; close(): void }> {
  const told = new Set<string>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { data, type } = JSON.parse(body) as { type: string; data: Ids };
      if (type === 'order.succeeded') told.add(data.request_id);
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    told,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
