/** How soon a page that waits learns that its order was paid, once the order service signals it. */
import { Agent, request } from 'undici';
import { each, percentile } from '../../proofs/proof.js';
import { startPostgres } from '../../suite/support/postgres.js';
import { sleep } from '../../suite/support/wait.js';
import type { BenchSizes } from './sizes.js';
import { build, startRelay, startStub, type Contender } from './contenders.js';
import { CONCURRENT_REQUESTS, createLoad } from './load.js';
import { placeOrders, type Opened } from './opened.js';
import type { Bench, Row } from './table.js';

/** Pages that wait at one relay on SQLite. */
const OPEN = 10_000;
/**
 * Pages that wait at two relays on PostgreSQL. The budget of queries below lets the relays ask
 * about all orders as often as their schedule wants; with 10,000 this alone would use up two cores.
 */
const OPEN_AT_TWO = 2000;
const AT_ONCE = 1000;
const ONE_BY_ONE = 200;
const PAUSE_MS = 100;
/** The order service sends its webhooks by so many connections, which stay open. */
const CONNECTIONS = 64;
const WAIT_S = 25;
/** After this time every page waits, and every order is older than a minute. */
const SETTLE_MS = 75_000;
/** Above the number of changes at once, so that the budget of queries delays none of them. */
const QUERIES_PER_SECOND = 1200;

/** The relay that the order service signals, and the one where the customers wait. */
type Pair = { signalled: Contender; waiting: Contender; open: number; stop(): Promise<void> };
/** Milliseconds until the page was told: of each single change, and of the last of many at once. */
type Told = { single: number[]; last: number };

const count = (value: number): string => value.toLocaleString('en-US');

export async function tell({ rounds }: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  const contenders: (Row & { values: Record<string, number[]>; run: () => Promise<Pair> })[] = [
    { name: 'one relay on SQLite', run: () => startOne(stub.url), values: {} },
    { name: 'two relays on PostgreSQL', run: () => startTwo(stub.url, false), values: {} },
    { name: 'two relays with hints', run: () => startTwo(stub.url, true), values: {} },
  ];
  for (let round = 0; round < rounds; round++)
    for (const { name, run, values } of contenders) {
      const { last, single } = await measure(await run(), stub.url);
      (values['p50'] ??= []).push(percentile(single, 0.5));
      (values['p99'] ??= []).push(percentile(single, 0.99));
      (values['last of 1,000'] ??= []).push(last);
      console.log(`${name}: the last of ${count(AT_ONCE)} after ${Math.round(last)} ms`);
    }
  stub.child.kill('SIGKILL');
  return {
    about:
      `From the webhook to the answer that a page waits for, while ${count(OPEN)} pages wait ` +
      `(${count(OPEN_AT_TWO)} with two relays): ` +
      `${ONE_BY_ONE} changes one by one, then ${count(AT_ONCE)} at once by ` +
      `${CONNECTIONS} connections. Of two ` +
      'relays one gets the webhooks, and the customers wait at the other.',
    columns: ['p50', 'p99', 'last of 1,000'].map((name) => ({ name, unit: 'ms' })),
    rows: contenders,
    rounds,
  };
}

async function startOne(serviceUrl: string): Promise<Pair> {
  const relay = await startRelay(serviceUrl, {}, [], QUERIES_PER_SECOND);
  return { signalled: relay, waiting: relay, open: OPEN, stop: relay.stop };
}

async function startTwo(serviceUrl: string, hasHints: boolean): Promise<Pair> {
  const postgres = await startPostgres();
  const ledger = await postgres.database();
  const change = { ledger, ...(hasHints && { ledger_hints: ledger }) };
  const signalled = await startRelay(serviceUrl, change, [], 2 * QUERIES_PER_SECOND);
  const waiting = await startRelay(serviceUrl, change, [], 2 * QUERIES_PER_SECOND);
  const stop = async (): Promise<void> => {
    await Promise.all([signalled.stop(), waiting.stop()]);
    await postgres.stop();
  };
  return { signalled, waiting, open: OPEN_AT_TWO, stop };
}

async function measure(
  { open, signalled, stop, waiting }: Pair,
  serviceUrl: string,
): Promise<Told> {
  const opened = await placeOrders(signalled.url, open);
  const toldAt = new Map<string, (at: number) => void>();
  /** Orders that the relay asked about by itself, before the webhook was sent. */
  const early = new Set<string>();
  const dispatcher = new Agent({ connections: open, headersTimeout: 60_000 });
  const headers = { 'content-type': 'application/json' };
  let isOver = false;
  const wait = async (page: Opened): Promise<void> => {
    while (!isOver) {
      const body = JSON.stringify({ ...page, known_status: 11, wait: WAIT_S });
      const sent = { method: 'POST', headers, body, dispatcher } as const;
      const answer = await request(`${waiting.url}/v1/query`, sent);
      const text = await answer.body.text();
      if (!text.includes('"outcome":"succeeded"')) continue;
      const tell = toldAt.get(page.request_id);
      if (tell) tell(performance.now());
      else early.add(page.request_id);
      return;
    }
  };
  const pages = opened.map((page) => wait(page).catch(() => {}));
  await sleep(SETTLE_MS);

  const service = createLoad(serviceUrl);
  const webhooks = new Agent({ connections: CONNECTIONS });
  /** @returns the milliseconds until the page was told; none when it was told without the signal */
  const change = async ({ request_id }: Opened): Promise<number[]> => {
    const answer = (await service.post('/succeed', { request_id })) as { notify_url: string };
    if (early.has(request_id)) return [];
    const told = new Promise<number>((resolve) => toldAt.set(request_id, resolve));
    const signalledAt = performance.now();
    const { pathname } = new URL(answer.notify_url);
    const url = signalled.url + pathname.slice(pathname.indexOf('/v1/'));
    await (await request(url, { method: 'POST', dispatcher: webhooks })).body.dump();
    return [(await told) - signalledAt];
  };
  const single: number[] = [];
  for (const page of opened.slice(0, ONE_BY_ONE)) {
    single.push(...(await change(page)));
    await sleep(PAUSE_MS);
  }
  const began = performance.now();
  const atOnce = opened.slice(ONE_BY_ONE, ONE_BY_ONE + AT_ONCE);
  const signals: Promise<number[]>[] = [];
  await each(atOnce.length, CONCURRENT_REQUESTS, async (index) => {
    const page = atOnce[index];
    if (page) signals.push(change(page));
  });
  await Promise.all(signals);
  const last = performance.now() - began;
  isOver = true;
  await stop();
  await Promise.all([...pages, service.close(), dispatcher.destroy(), webhooks.destroy()]);
  return { single, last };
}
