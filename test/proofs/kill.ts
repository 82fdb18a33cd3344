/**
 * `kill`: a relay is killed again and again while one fifth of all calls to the service fail. The
 * service does not deduplicate. No order is sent twice, and none is lost.
 * `busy-day`: the same at a given rate of orders, with two relays on one ledger that resend lost
 * requests, and the primary of the ledger's database cluster is killed in the middle. The service
 * accepts no order twice.
 */
import { openLedger } from '../../relay/node/open-ledger.js';
import { sleep, until } from '../suite/support/wait.js';
import { openIntent } from '../suite/support/world.js';
import { startCluster } from './cluster/cluster.js';
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
import {
  buildRelay,
  createRelayFolder,
  post,
  startSandbox,
  type RelayFolder,
  type Running,
} from './processes.js';
import { counts, each, percentage, type Proof } from './proof.js';
import { findOrder } from '../suite/support/ledger-calls.js';

const FAULT_RATE = 0.2;
const CONCURRENT_CUSTOMERS = 32;
const QUERIES_PER_SECOND = 500;
/**
 * Customers who come at a rate retry like this. If they retried sooner, those who wait during a
 * failover would take the CPU time that the cluster needs to end it.
 */
const PAGE_RETRY_MS = 1000;
/** Tries to start a relay again, one a second. */
const MAX_STARTS = 60;
/**
 * Within this time after the last order the ledger must know the status of every order: at least a
 * minute, and time for twelve queries of each order. A lost request needs three (it is absent, it
 * is sent again, it has a status), and waits for its turn among all orders that are due: no page
 * waits for it here. Two cores with the cluster, the service and the customers send a quarter of
 * the queries that the relays may send.
 */
const maxSettleMs = (orders: number): number =>
  Math.max(60_000, ((12 * orders) / QUERIES_PER_SECOND) * 1000);

export const kill: Proof = {
  sizes: { orders: 20_000, kills: 200, seed: 1 },
  small: { orders: 500, kills: 8, seed: 1 },
  run: async ({
    orders = 0,
    kills = 0,
    relays: count = 1,
    resend_after_s: resendAfterS = 0,
    per_second: perSecond = 0,
    reached_percent: reachedPercent = 0,
    failovers = 0,
    seed = 1,
  }) => {
    if (failovers > 0 && missingPrograms) console.log(`without a failover: ${missingPrograms}`);
    // the built relay starts in a fifth of the time, and is what a shop runs; it is built before
    // the cluster starts, because a build keeps the machine busy and could end a primary's lease
    const script = buildRelay();
    const cluster = failovers > 0 && !missingPrograms ? await startCluster() : null;
    const sandbox = await startSandbox();
    const shop = await createRelayFolder(
      sandbox.url,
      { limits: { per_intent_per_minute: 10_000 }, ...(cluster && { ledger: cluster.url }) },
      {
        timeout_ms: 1000,
        queries_per_second: QUERIES_PER_SECOND,
        resend_after_s: resendAfterS || null,
      },
    );
    const relays = await Promise.all(
      Array.from({ length: count }, (_, index) => startSupervised(shop, script, index)),
    );
    let next = 0;
    const anyRelay = (): string => relays[next++ % count]?.url ?? '';
    await post(`${sandbox.url}/control/chaos`, { rate: FAULT_RATE, seed });
    const start = performance.now();
    let begun = 0;
    /** The orders that the customers received. */
    const answered: Answered[] = [];
    let killed = 0;
    const customer = async (index: number): Promise<void> => {
      if (perSecond > 0) await sleep(start + (1000 * index) / perSecond - performance.now());
      begun++;
      const attempt = crypto.randomUUID();
      // the element retries too when it gets no answer
      for (let tries = 0; tries < 60; tries++) {
        const pay = { ...openIntent, attempt, option: 'card' };
        const answer = await post(`${anyRelay()}/v1/pay`, pay);
        if (answer) {
          const { intent_id, request_id } = answer.order as Ids;
          return void answered.push({ attempt, intent_id, request_id });
        }
        await sleep(perSecond > 0 ? PAGE_RETRY_MS : 100);
      }
    };
    const killer = async (): Promise<void> => {
      const every = orders / (kills + 1);
      for (let nth = 1; nth <= kills; nth++) {
        while (begun < nth * every) await sleep(5);
        const victim = nth % count;
        relays[victim]?.child.kill('SIGKILL');
        killed++;
        relays[victim] = await startSupervised(shop, script, victim);
      }
    };
    let failedOver = 0;
    const failOver = async (): Promise<void> => {
      if (!cluster) return;
      while (begun < orders / 2) await sleep(5);
      const node = await cluster.primary();
      node.kill();
      const isReplaced = async (): Promise<boolean> => (await cluster.primary()).name !== node.name;
      await until(isReplaced, `another primary than ${node.name}`, 60_000);
      failedOver++;
      node.start();
    };
    // customers who come at a rate do not wait for each other
    const atOnce = perSecond > 0 ? orders : CONCURRENT_CUSTOMERS;
    await Promise.all([each(orders, atOnce, customer), killer(), failOver()]);
    const rate = (1000 * answered.length) / (performance.now() - start);
    await post(`${sandbox.url}/control/chaos`, { rate: 0 });

    const known = new Set(await orderIdsAtService(sandbox.url));
    const ledger = await openLedger(cluster?.url ?? shop.ledger);
    /** The pay is pending, or its answer was lost and it was not resent yet. */
    const isUnsettled = async ({ request_id }: Answered): Promise<boolean> => {
      const row = await findOrder(ledger, request_id);
      return !row || row.sending === 'claimed' || row.sending === 'lost';
    };
    let lost = [...known];
    let unsettled = resendAfterS > 0 ? answered : [];
    const settling = Date.now();
    for (
      const end = settling + maxSettleMs(orders);
      lost.length + unsettled.length > 0 && Date.now() < end;
      await sleep(1000)
    ) {
      lost = await filter(lost, isLost(ledger));
      unsettled = await filter(unsettled, isUnsettled);
    }
    const settledMs = Date.now() - settling;
    const misattributed = await countMisattributed(ledger, answered);
    const pays = await paysSent(sandbox.url);
    const twice = repetitions(pays);
    // read again: requests that were resent while the ledger settled count too
    const ordersAfter = await orderIdsAtService(sandbox.url);
    const doubled = repetitions(ordersAfter);
    await ledger.close();
    for (const relay of relays) relay.child.kill('SIGKILL');
    cluster?.stop();
    sandbox.child.kill('SIGKILL');
    shop.remove();
    return {
      held:
        (twice === 0 || resendAfterS > 0) &&
        lost.length === 0 &&
        unsettled.length === 0 &&
        misattributed === 0 &&
        doubled === 0 &&
        pays.length >= 0.2 * orders &&
        killed === kills &&
        failedOver === (cluster ? failovers : 0) &&
        rate >= (reachedPercent / 100) * perSecond,
      sections: [
        {
          figures: [
            ...counts({ answered: answered.length, kills: killed, 'pays sent': pays.length }),
            percentage('acceptance', pays.length, orders),
            ...(perSecond > 0 ? [{ name: 'answered', value: rate, unit: '/s' }] : []),
            ...(cluster ? counts({ failovers: failedOver }) : []),
          ],
        },
        {
          figures: counts({
            'at the service': ordersAfter.length,
            doubled,
            'request_ids sent twice': twice,
            lost: lost.length,
          }),
        },
        {
          figures: [
            ...counts({
              'orders of another customer': misattributed,
              'never settled': unsettled.length,
            }),
            { name: 'settled after', value: settledMs, unit: 'ms' },
          ],
        },
      ],
    };
  },
};

/** Starts a relay as a supervisor does: during a failover it finds no ledger, and ends. */
async function startSupervised(shop: RelayFolder, script: string, index: number): Promise<Running> {
  for (let tries = 1; ; tries++)
    try {
      return await shop.relay(script, index);
    } catch (error) {
      if (tries === MAX_STARTS) throw error;
      await sleep(1000);
    }
}

/** As many as two cores carry together with the cluster, the service and the customers. */
const RATE = 40;
const SECONDS = 600;

export const busyDay: Proof = {
  sizes: {
    orders: RATE * SECONDS,
    per_second: RATE,
    reached_percent: 95,
    kills: 20,
    relays: 2,
    resend_after_s: 2,
    failovers: 1,
    seed: 1,
  },
  // without a bound of the rate, since the machine may be busy
  small: { orders: 200, per_second: 40, kills: 3, relays: 2, resend_after_s: 2, seed: 1 },
  run: kill.run,
};
