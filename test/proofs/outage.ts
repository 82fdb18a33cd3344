/**
 * The service stops answering for minutes under load. The relay answers at once with a clear code,
 * sends and writes nothing while the breaker is open, and loses no order.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Agent, request } from 'undici';
import { openLedger } from '../../relay/node/open-ledger.js';
import { sleep } from '../suite/support/wait.js';
import { identityOn, openIntent } from '../suite/support/world.js';
import { getJson, startSandbox, createRelayFolder } from './processes.js';
import { counts, percentage, percentile, type Proof } from './proof.js';
import { findOrder } from '../suite/support/ledger-calls.js';

/**
 * A proxy between relay and service. While it is silent it accepts connections and bytes and holds
 * them back, as a broken network does. It counts the requests that arrive while it is silent.
 */
function silentProxy(
  target: string,
): Promise<{ url: string; set(silent: boolean): void; held(): number; close(): void }> {
  const { hostname, port } = new URL(target);
  let silent = false;
  let heldRequests = 0;
  const sockets = new Set<Socket>();
  const pending: (() => void)[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('data', (chunk) => {
      if (silent) heldRequests += chunk.toString('latin1').split('POST /').length - 1;
      const pass = (): void => void far.write(chunk);
      if (silent) pending.push(pass);
      else pass();
    });
    far.on('data', (chunk) => {
      const pass = (): void => void (near.destroyed || near.write(chunk));
      if (silent) pending.push(pass);
      else pass();
    });
    near.on('end', () => (silent ? pending.push(() => far.end()) : far.end()));
    far.on('end', () => near.end());
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        set: (now) => {
          silent = now;
          if (!silent) for (const pass of pending.splice(0)) pass();
        },
        held: () => heldRequests,
        close: () => {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      }),
    ),
  );
}

type Answer = {
  status: number;
  code: string | undefined;
  ms: number;
  attempt: string | undefined;
  at: number;
};

export const outage: Proof = {
  sizes: { seconds: 120, pays_per_second: 150, queries_per_second: 150 },
  run: async ({ pays_per_second: pays = 0, queries_per_second: queries = 0, seconds = 0 }) => {
    const sandbox = await startSandbox();
    const proxy = await silentProxy(sandbox.url);
    const shop = await createRelayFolder(proxy.url, { limits: { per_intent_per_minute: 100_000 } });
    const relay = await shop.relay();
    const dispatcher = new Agent({ connections: 4000, pipelining: 1 });
    const answers: Answer[] = [];
    const ask = async (
      path: string,
      body: object,
      attempt?: string,
    ): Promise<Record<string, unknown> | null> => {
      const began = performance.now();
      const at = Date.now();
      try {
        const headers = { 'content-type': 'application/json' };
        const { body: responseBody, statusCode } = await request(relay.url + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          dispatcher,
        });
        const answer = (await responseBody.json()) as { error?: { code: string } };
        answers.push({
          status: statusCode,
          code: answer.error?.code,
          ms: performance.now() - began,
          attempt,
          at,
        });
        return answer as Record<string, unknown>;
      } catch {
        answers.push({ status: 0, code: undefined, ms: performance.now() - began, attempt, at });
        return null;
      }
    };
    const pay = (): Promise<Record<string, unknown> | null> => {
      const attempt = crypto.randomUUID();
      return ask('/v1/pay', { ...openIntent, attempt, option: 'card' }, attempt);
    };
    const known: { request_id: string; order_key: string }[] = [];
    for (let count = 0; count < 200; count++) {
      const { order } = (await pay()) as { order: { request_id: string; order_key: string } };
      known.push({ request_id: order.request_id, order_key: order.order_key });
    }
    const before = answers.length;
    answers.length = 0;

    proxy.set(true);
    const silentFrom = Date.now();
    const requests: Promise<unknown>[] = [];
    let attemptsAtOpen = 0;
    let openedAt = 0;
    let asks = 0;
    for (let sent = 0; Date.now() - silentFrom < seconds * 1000; await sleep(5)) {
      if (openedAt === 0 && answers.some(({ code }) => code === 'service_unavailable')) {
        openedAt = Date.now();
        attemptsAtOpen = proxy.held();
      }
      for (const due = ((Date.now() - silentFrom) / 1000) * (pays + queries); sent < due; sent++) {
        asks++;
        const order = known[sent % known.length];
        requests.push(
          sent % (pays + queries) < pays || !order
            ? pay()
            : ask('/v1/query', { request_id: order.request_id, order_key: order.order_key }),
        );
      }
    }
    const attempts = proxy.held() - attemptsAtOpen;
    const openSeconds = (Date.now() - openedAt) / 1000;
    proxy.set(false);
    const silentUntil = Date.now();
    let recovered = 0;
    while (recovered === 0 && Date.now() - silentUntil < 30_000) {
      const answer = await pay();
      if (
        answer &&
        'order' in answer &&
        (answer.order as { order_no: string | null }).order_no !== null
      )
        recovered = Date.now() - silentUntil;
      else await sleep(100);
    }
    await Promise.all(requests);
    const inSilence = answers.filter(({ at }) => at < silentUntil);
    const unclear = inSilence.filter(
      ({ code, status }) => status === 0 || (status >= 500 && !code?.startsWith('service_')),
    ).length;
    const p99 = percentile(
      inSilence.map(({ ms }) => ms),
      0.99,
    );

    const ledger = await openLedger(shop.ledger);
    const identity = identityOn(ledger);
    let written = 0;
    for (const { attempt, code } of inSilence) {
      if (attempt === undefined || code !== 'service_unavailable') continue;
      if ((await ledger.intent(await identity.intentIdOf(attempt))) !== null) written++;
    }
    let lost: string[] = [];
    for (const end = Date.now() + 60_000; Date.now() < end; await sleep(1000)) {
      lost = [];
      const orders = await getJson<{ request_id: string }[]>(`${sandbox.url}/control/orders`);
      for (const { request_id } of orders) {
        const row = await findOrder(ledger, request_id);
        if (!row || row.order_no === null || row.status === null) lost.push(request_id);
      }
      if (lost.length === 0) break;
    }
    await ledger.close();
    relay.child.kill('SIGKILL');
    sandbox.child.kill('SIGKILL');
    proxy.close();
    await dispatcher.destroy();
    shop.remove();
    const rate = attempts / openSeconds;
    return {
      held:
        p99 < 200 &&
        unclear === 0 &&
        written === 0 &&
        openedAt > 0 &&
        rate <= 1.05 &&
        recovered > 0 &&
        recovered <= 10_000 &&
        lost.length === 0,
      sections: [
        {
          figures: [
            { name: 'silence', value: seconds, unit: 's' },
            ...counts({ 'requests before it': before, 'requests in it': asks }),
            percentage('answered', inSilence.length, asks),
          ],
        },
        {
          figures: [
            { name: 'breaker open after', value: openedAt - silentFrom, unit: 'ms' },
            { name: 'p99', value: p99, unit: 'ms', bound: 200 },
            ...counts({ 'unclear answers': unclear, 'written while open': written }),
            { name: 'upstream attempts', value: rate, digits: 2, unit: '/s', bound: 1 },
            { name: 'recovered in', value: recovered, unit: 'ms', bound: 10_000 },
            { name: 'lost', value: lost.length },
          ],
        },
      ],
    };
  },
};
