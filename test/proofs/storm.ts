/**
 * Thousands of checkouts wait on one relay. Its queries stay within the budget of the service and
 * reach every order in turn, and the answers to customers stay fast.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { sleep } from '../suite/support/wait.js';
import { openIntent } from '../suite/support/world.js';
import { buildRelay, createRelayFolder, getJson, startSandbox } from './processes.js';
import { each, percentage, percentile, type Proof } from './proof.js';

/** The schedule's interval for orders between one and ten minutes old, in seconds. */
const SCHEDULE_S = 5;

type Call = { operation: string; at: string; body: { request_id: string } };
type Placed = { request_id: string; order_key: string };

/** The flags of Node with which the documented container starts the relay. */
function deployedFlags(): string[] {
  const entryPoint = /^ENTRYPOINT (\[.+\])$/m.exec(readFileSync('docs/deploy/Dockerfile', 'utf8'));
  const words = JSON.parse(entryPoint?.[1] ?? '[]') as string[];
  return words.filter((word) => word.startsWith('--'));
}

export const storm: Proof = {
  sizes: { checkouts: 5000, per_second: 200, seconds: 90 },
  run: async ({ checkouts = 0, per_second: perSecond = 0, seconds = 0 }) => {
    const sandbox = await startSandbox();
    const shop = await createRelayFolder(
      sandbox.url,
      { limits: { per_intent_per_minute: 10_000 } },
      { queries_per_second: perSecond, connections: 64 },
    );
    // the built relay, because the compiler that runs the source would need memory too
    const script = buildRelay();
    const relay = await shop.relay(script, 0, deployedFlags());
    const dispatcher = new Agent({
      connections: checkouts + 64,
      pipelining: 1,
      headersTimeout: 60_000,
    });
    const ask = async (
      path: string,
      body: object,
    ): Promise<{ order?: Placed & { outcome: string } } | null> => {
      const headers = { 'content-type': 'application/json' };
      try {
        const answer = await request(relay.url + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          dispatcher,
        });
        return answer.statusCode === 200
          ? ((await answer.body.json()) as { order: Placed & { outcome: string } })
          : (await answer.body.dump(), null);
      } catch {
        return null;
      }
    };
    const placed: Placed[] = [];
    await each(checkouts, 64, async () => {
      const answer = await ask('/v1/pay', {
        ...openIntent,
        attempt: crypto.randomUUID(),
        option: 'card',
      });
      if (answer?.order)
        placed.push({ request_id: answer.order.request_id, order_key: answer.order.order_key });
    });
    let waiting = true;
    let polls = 0;
    const customers = placed.map(async (order) => {
      while (waiting) if (await ask('/v1/query', { ...order, known_status: 11, wait: 25 })) polls++;
    });
    // waits until the dense schedule of the first minute is over and every order was queried
    await sleep(Math.max(65_000, (1000 * checkouts) / perSecond));
    const from = Date.now();
    const immediate: number[] = [];
    let rss = 0;
    const pid = relay.child.pid ?? 0;
    for (let index = 0; Date.now() < from + seconds * 1000; index++) {
      const order = placed[(index * 7919) % placed.length];
      const began = performance.now();
      if (order && (await ask('/v1/query', order))) immediate.push(performance.now() - began);
      rss = Math.max(
        rss,
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
      );
      await sleep(50);
    }
    const until = Date.now();
    waiting = false;
    const calls = (await getJson<Call[]>(`${sandbox.url}/control/calls`)).filter(
      ({ operation }) => operation === 'query',
    );
    relay.child.kill('SIGKILL');
    await Promise.all(customers);
    await dispatcher.destroy();
    sandbox.child.kill('SIGKILL');
    shop.remove();

    const at = calls.map((call) => ({ id: call.body.request_id, time: Date.parse(call.at) }));
    const inWindow = at.filter(({ time }) => time >= from && time < until).length;
    const load = inWindow / ((until - from) / 1000) / perSecond;
    const queriedAt = new Map<string, number[]>();
    for (const { id, time } of at) queriedAt.set(id, [...(queriedAt.get(id) ?? []), time]);
    const ages: number[] = [];
    for (let moment = from; moment < until; moment += 5000)
      for (const { request_id } of placed) {
        const last = queriedAt.get(request_id)?.findLast((time) => time <= moment);
        ages.push((moment - (last ?? from - 120_000)) / 1000);
      }
    const p95 = percentile(ages, 0.95);
    const bound = 1.2 * Math.max(SCHEDULE_S, placed.length / perSecond);
    const p99 = percentile(immediate, 0.99);
    return {
      held:
        placed.length === checkouts &&
        load >= 0.9 &&
        load <= 1.05 &&
        p95 <= bound &&
        p99 < 250 &&
        rss < 300,
      sections: [
        {
          figures: [
            { name: 'waiting', value: placed.length },
            percentage('acceptance', placed.length, checkouts),
            { name: 'long polls answered', value: polls },
          ],
        },
        {
          figures: [
            { name: 'upstream budget', value: perSecond, unit: '/s' },
            { ...percentage('used', load, 1), bound: '90 to 105' },
            { name: 'age p95', value: p95, digits: 1, unit: 's', bound },
            { name: 'immediate queries', value: immediate.length },
            { name: 'their p99', value: p99, unit: 'ms', bound: 250 },
            { name: 'RSS', value: rss, unit: 'MB', bound: 300 },
          ],
        },
      ],
    };
  },
};
