/** A large ledger answers as fast as a small ledger. Measures pay, query and tick by its size. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../suite/support/postgres.js';
import { filledRequestId, type SqlEngine } from '../suite/support/filled-ledger.js';
import { openIntent, ORIGIN, postRequest } from '../suite/support/world.js';
import { postgres, sqlite, type Aged } from './aged.js';
import {
  createRandom,
  keepAlive,
  percentile,
  type Random,
  type Figure,
  type Proof,
  type Result,
  type Section,
  type Sizes,
} from './proof.js';
import { findOrder, replaceOrder } from '../suite/support/ledger-calls.js';

/** The small ledger that the others are compared with. */
const SMALL_ORDERS = 1000;
/** The largest ledger has this many times the orders of the middle one. */
const MIDDLE_DIVISOR = 50;
/** Orders that each measured tick finds due. */
const DUE_ORDERS = 10;
/** The step from one queried order to the next: a prime, so that every order comes once. */
const STRIDE = 7919;
/** The bound of a figure's largest value divided by its smallest value. */
const MAX_RATIO = 1.5;

type Samples = { pay: number[]; query: number[]; tick: number[] };
type Figures = Record<(typeof FIGURES)[number], number>;
const FIGURES = ['pay p50', 'pay p99', 'query p50', 'query p99', 'tick p50'] as const;

/**
 * Sends one request.
 * @returns how long the relay took, in milliseconds
 */
async function ask({ relay }: Aged, path: string, body: object): Promise<number> {
  const request = postRequest(path, body, { origin: ORIGIN });
  const began = performance.now();
  const response = await relay.fetch(request);
  const text = await response.text();
  const ms = performance.now() - began;
  if (response.status !== 200) throw new Error(`${path}: HTTP ${response.status} ${text}`);
  return ms;
}

const pay = (aged: Aged): Promise<number> =>
  ask(aged, '/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'card' });

/**
 * Queries another order each time: the relay answers a second query about the same order without a
 * call to the service.
 */
async function query(aged: Aged): Promise<number> {
  const request_id = filledRequestId(1 + ((aged.queryCount++ * STRIDE) % aged.orders));
  const order_key = await aged.capabilities.mint('order', request_id);
  return ask(aged, '/v1/query', { request_id, order_key });
}

/** Makes an order due now. */
async function makeDue({ ledger, run }: Aged, requestId: string): Promise<void> {
  const order = await findOrder(ledger, requestId);
  if (!order) throw new Error(`the ledger has no order ${requestId}`);
  await replaceOrder(ledger, { ...order, next_check_at: Date.now(), version: order.version + 1 });
  // clears the last query: in a small ledger the same ten orders are due at each tick, and the
  // relay would skip those that it queried a moment ago
  await run(`update requests set asked_at = null where request_id = '${requestId}'`);
}

/** Times a tick that has ten due orders and one event to deliver, and no other work. */
async function tick(aged: Aged, random: Random): Promise<number> {
  const youngest = Math.ceil(aged.orders / 100);
  const first = random.integer(youngest);
  const ids = Array.from({ length: DUE_ORDERS }, (_, index) => {
    const behind = (first + index * Math.floor(youngest / DUE_ORDERS)) % youngest;
    return filledRequestId(aged.orders - behind);
  });
  await pay(aged);
  for (const id of ids) await makeDue(aged, id);
  const began = performance.now();
  await aged.relay.tick();
  const ms = performance.now() - began;
  await aged.idle();
  return ms;
}

/** Completes the work of the measured pays, so that no measured tick contains it. */
async function settle(aged: Aged): Promise<void> {
  await aged.run(`update intents set due_at = null
    where due_at is not null and created_at > ${aged.filledAt}`);
  await aged.relay.tick();
  await aged.idle();
}

/** The ledgers take turns request by request, so a slow disk affects all of them equally. */
async function measureRound(
  ledgers: readonly Aged[],
  sizes: Sizes,
  random: Random,
): Promise<Figures[]> {
  // a busy server has its ledger in the page cache; other programs may have evicted it here
  for (const { warm } of ledgers) await warm();
  const samples = ledgers.map((): Samples => ({ pay: [], query: [], tick: [] }));
  const inTurn = async (
    what: keyof Samples,
    count: number | undefined,
    work: (aged: Aged) => Promise<number>,
  ): Promise<void> => {
    for (let done = 0; done < (count ?? 0); done++)
      for (const [index, aged] of ledgers.entries()) samples[index]?.[what].push(await work(aged));
  };
  await inTurn('pay', sizes.pays, pay);
  await inTurn('query', sizes.queries, query);
  for (const aged of ledgers) await settle(aged);
  await inTurn('tick', sizes.ticks, (aged) => tick(aged, random));
  for (const aged of ledgers) await settle(aged);
  return samples.map(figuresOf);
}

const figuresOf = ({ pay: pays, query: queries, tick: ticks }: Samples): Figures => ({
  'pay p50': percentile(pays, 0.5),
  'pay p99': percentile(pays, 0.99),
  'query p50': percentile(queries, 0.5),
  'query p99': percentile(queries, 0.99),
  'tick p50': percentile(ticks, 0.5),
});

/** @returns per ledger the median of each figure over the rounds, without a first warm-up round */
async function measure(ledgers: readonly Aged[], sizes: Sizes): Promise<Figures[]> {
  const random = createRandom(1);
  const rounds: Figures[][] = [];
  await measureRound(ledgers, sizes, random);
  for (let round = 0; round < (sizes.rounds ?? 0); round++)
    rounds.push(await measureRound(ledgers, sizes, random));
  return ledgers.map((_aged, index) => {
    const median = (figure: (typeof FIGURES)[number]): [string, number] => [
      figure,
      percentile(
        rounds.map((round) => round[index]?.[figure] ?? 0),
        0.5,
      ),
    ];
    return Object.fromEntries(FIGURES.map(median)) as Figures;
  });
}

/** @returns one section per ledger, and whether each figure's largest value is near its smallest */
async function compare(engine: SqlEngine, ledgers: readonly Aged[], sizes: Sizes): Promise<Result> {
  const measured = await measure(ledgers, sizes);
  const sections = ledgers.map(({ bytes, orders }, index): Section => {
    const size: Figure = { name: 'size', value: bytes / 1e6, unit: 'MB' };
    const times = FIGURES.map((name): Figure => {
      return { name, value: measured[index]?.[name] ?? 0, digits: 2, unit: 'ms' };
    });
    return { name: `${engine} with ${orders} orders`, figures: [size, ...times] };
  });
  const ratios = FIGURES.map((name) => {
    const values = measured.map((row) => row[name]);
    const value = Math.max(...values) / Math.min(...values);
    return { name, value, digits: 2, bound: MAX_RATIO };
  });
  return {
    held: ratios.every(({ value }) => value <= MAX_RATIO),
    sections: [...sections, { name: `${engine}, slowest ÷ fastest`, figures: ratios }],
  };
}

async function onSqlite(folder: string, orders: number, sizes: Sizes): Promise<Result> {
  const counts = [
    ...new Set([SMALL_ORDERS, Math.max(SMALL_ORDERS, orders / MIDDLE_DIVISOR), orders]),
  ];
  const ledgers: Aged[] = [];
  for (const count of counts) ledgers.push(await sqlite(folder, Math.round(count)));
  const compared = await compare('sqlite', ledgers, sizes);
  for (const aged of ledgers) await aged.close();
  return compared;
}

async function onPostgres(orders: number, sizes: Sizes): Promise<Result> {
  const server = await startPostgres();
  const ledgers: Aged[] = [];
  for (const count of [SMALL_ORDERS, orders])
    ledgers.push(await postgres(await server.database(), count));
  const compared = await compare('postgres', ledgers, sizes);
  for (const aged of ledgers) await aged.close();
  await server.stop();
  return compared;
}

export const age: Proof = {
  sizes: {
    orders: 5_000_000,
    postgres_orders: 1_000_000,
    rounds: 5,
    pays: 400,
    queries: 2000,
    ticks: 50,
  },
  run: (sizes) =>
    keepAlive(async () => {
      const { orders = 0, postgres_orders = 0 } = sizes;
      const folder = mkdtempSync(join(tmpdir(), 'age-'));
      const runs: Result[] = [];
      if (orders > 0) runs.push(await onSqlite(folder, orders, sizes));
      rmSync(folder, { recursive: true });
      if (postgres_orders > 0) runs.push(await onPostgres(postgres_orders, sizes));
      return {
        sections: runs.flatMap(({ sections }) => sections),
        held: runs.length > 0 && runs.every(({ held }) => held),
      };
    }),
};
