/** Memory and CPU time of one process while thousands of pages wait for their orders. */
import type { Socket } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { percentile } from '../../proofs/proof.js';
import { sleep } from '../../suite/support/wait.js';
import type { BenchSizes } from './sizes.js';
import { build, startRelay, startBaseline, startStub, type Contender } from './contenders.js';
import { cpuMicrosOfTree, residentMiBOfTree } from './cpu.js';
import { isNginxInstalled, startNginxBefore } from './nginx.js';
import { placeOrders, type Opened } from './opened.js';
import type { Bench, Row } from './table.js';

const OPEN = 10_000;
const QUERIES_PER_SECOND = 20;
/** The element's own wait. */
const WAIT_S = 25;
/** By then each page has asked twice, and every order is older than a minute. */
const SETTLE_MS = 75_000;
const MEASURE_MS = 30_000;

type Values = Record<string, number[]>;

export async function openCheckouts({ rounds }: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  type Baseline = Parameters<typeof startBaseline>[0];
  const baseline = (name: Baseline) => () => startBaseline(name, stub.url);
  const proxied = (name: Baseline) => async () => startNginxBefore(await baseline(name)());
  const contenders: (Row & { values: Values; run: () => Promise<Contender> })[] = [
    { name: 'limit: raw http', run: baseline('raw-http-hold'), values: {} },
    { name: 'Hono', run: baseline('hono-hold'), values: {} },
    { name: 'raw http, server-sent events', run: baseline('raw-http-events'), values: {} },
    { name: 'Hono, server-sent events', run: baseline('hono-events'), values: {} },
    ...(isNginxInstalled()
      ? [
          { name: 'nginx before raw http', run: proxied('raw-http-hold'), values: {} },
          { name: '… server-sent events', run: proxied('raw-http-events'), values: {} },
        ]
      : []),
    {
      name: 'relay on SQLite',
      run: () => startRelay(stub.url, {}, [], QUERIES_PER_SECOND),
      values: {},
    },
  ];
  for (let round = 0; round < rounds; round++)
    for (const { run, values } of contenders)
      for (const [column, value] of Object.entries(await holdAll(await run())))
        (values[column] ??= []).push(value);
  stub.child.kill('SIGKILL');
  return {
    about:
      `${OPEN.toLocaleString('en-US')} pages wait for an order each, and ask again after ` +
      `${WAIT_S} s. The relay asks the service about ${QUERIES_PER_SECOND} orders a second ` +
      'meanwhile; the baselines only hold the requests, or keep the connections of server-sent ' +
      `events open with a comment every ${WAIT_S} s. The rows of nginx count nginx alone. ` +
      '"Each" is the memory beyond that of the process at rest, per page. "Traffic" is what a ' +
      'page sends and receives in a minute, without the headers that a browser adds.',
    columns: [
      { name: 'of a core', unit: '%' },
      { name: 'memory', unit: 'MiB' },
      { name: 'each', unit: 'KiB' },
      { name: 'answer at once, p99', unit: 'ms' },
      { name: 'traffic', unit: 'B' },
    ],
    rows: contenders,
    rounds,
  };
}

/** Connections of pages, and how many bytes they have sent and received. */
function createPages(): { dispatcher: Agent; bytes: () => number } {
  const sockets = new Set<Socket>();
  const connect = buildConnector({});
  const dispatcher = new Agent({
    // one more than the pages, for the requests that are answered at once
    connections: OPEN + 1,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    connect: (options, done) =>
      connect(options, (...result) => {
        if (result[1]) sockets.add(result[1]);
        done(...result);
      }),
  });
  const bytes = (): number =>
    [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
  return { dispatcher, bytes };
}

async function holdAll({
  child,
  deliversEvents,
  stop,
  url,
}: Contender): Promise<Record<string, number>> {
  const pid = child.pid ?? 0;
  await sleep(3000);
  const atRest = residentMiBOfTree(pid);
  const opened = deliversEvents ? await placeOrders(url, OPEN) : [];
  const { bytes, dispatcher } = createPages();
  const headers = { 'content-type': 'application/json' };
  const ask = async (body: object): Promise<void> => {
    const sent = { method: 'POST', headers, body: JSON.stringify(body), dispatcher } as const;
    await (await request(`${url}/v1/query`, sent)).body.dump();
  };
  let waiting = true;
  let refused = 0;
  const wait = async (page: Opened | undefined): Promise<void> => {
    while (waiting) await ask({ ...page, known_status: 11, wait: WAIT_S }).catch(() => refused++);
  };
  const pages = Array.from({ length: OPEN }, (_, index) => wait(opened[index]));
  await sleep(SETTLE_MS);
  const [began, cpuBefore, bytesBefore] = [performance.now(), cpuMicrosOfTree(pid), bytes()];
  let memory = 0;
  const immediate: number[] = [];
  while (performance.now() < began + MEASURE_MS) {
    memory = Math.max(memory, residentMiBOfTree(pid));
    const askedAt = performance.now();
    await ask({ ...opened[immediate.length], wait: 0 });
    immediate.push(performance.now() - askedAt);
    await sleep(100);
  }
  const measuredMs = performance.now() - began;
  const cpu = (cpuMicrosOfTree(pid) - cpuBefore) / 1000 / measuredMs;
  const traffic = ((bytes() - bytesBefore) * 60_000) / measuredMs / OPEN;
  if (refused > 0) throw new Error(`${refused} requests of waiting pages were not answered`);
  waiting = false;
  await stop();
  await Promise.all(pages);
  await dispatcher.destroy();
  return {
    'of a core': 100 * cpu,
    memory,
    each: (1024 * (memory - atRest)) / OPEN,
    'answer at once, p99': percentile(immediate, 0.99),
    traffic,
  };
}
