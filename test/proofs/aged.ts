/** Creates ledgers of a given size, each with a relay whose order service answers at once. */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { createRelay, type Relay } from '../../relay/app.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import type { Ledger } from '../../relay/ledger/ledger.js';
import { openLedger } from '../../relay/node/open-ledger.js';
import type { Fetch } from '../../relay/runtime.js';
import type { Send } from '../../relay/order-service/client.js';
import { createCapabilities, type Capabilities } from '../../relay/orders/capabilities.js';
import { fill, isFinished, type RunSql } from '../suite/support/filled-ledger.js';
import { sleep } from '../suite/support/wait.js';
import { openIntent, readSecret, testConfig } from '../suite/support/world.js';

/**
 * No watched order becomes due by itself within this time, so that each tick finds the same number
 * due in every ledger.
 */
const QUIET_MS = 3_600_000;

export type Aged = {
  orders: number;
  bytes: number;
  filledAt: number;
  /** The number of queries so far. */
  queryCount: number;
  relay: Relay;
  ledger: Ledger;
  capabilities: Capabilities;
  /** Runs a statement on a connection of its own. */
  run: RunSql;
  /** Reads the whole ledger once, into the page cache. */
  warm(): Promise<void>;
  /** Resolves when no call of the relay to the ledger is pending. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

const config = parseConfig(
  {
    ...testConfig,
    // so high that no measured request waits for its turn in the query queue
    service: { ...testConfig.service, queries_per_second: 1_000_000 },
    shop_events: { url: 'https://shop.example/events', secret: { env: 'SECRET' } },
  },
  readSecret,
);

/** Selects every table and index of the ledger. */
const RELATIONS = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;

/** A service that answers at once: a pay with a link, a query with the order's status. */
const sendFor =
  (orders: number): Send =>
  async (path, json) => {
    const { request_id = '' } = JSON.parse(json) as Record<string, string>;
    const order = {
      request_id,
      order_no: `P${request_id}`,
      order_amount: openIntent.amount,
      currency: openIntent.currency,
      status: isFinished(request_id, orders) ? 20 : 11,
    };
    const link = { checkout_url: 'https://service.example/checkout/1' };
    const data = path.endsWith('/pay') ? { ...order, ...link } : order;
    return { status: 200, text: JSON.stringify({ code: '200', message: 'ok', data }) };
  };

/** Counts the pending calls to a ledger. */
function countCalls(ledger: Ledger): { ledger: Ledger; idle: () => Promise<void> } {
  let pending = 0;
  const entries = Object.entries(ledger) as [string, (...args: unknown[]) => unknown][];
  const counting = entries.map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      const answer = call(...args);
      if (answer instanceof Promise) {
        pending++;
        void answer.finally(() => pending--).catch(() => {});
      }
      return answer;
    },
  ]);
  const idle = async (): Promise<void> => {
    for (let checks = 0; checks < 3; checks = pending === 0 ? checks + 1 : 0) await sleep(3);
  };
  return { ledger: Object.fromEntries(counting) as Ledger, idle };
}

const acceptEvent: Fetch = async () => new Response('OK');

/** @param receiveEvent answers as the shop's backend does */
export async function sqlite(
  folder: string,
  orders: number,
  receiveEvent = acceptEvent,
): Promise<Aged> {
  const file = join(folder, `${orders}.db`);
  await (await openLedger(`sqlite:${file}.empty`)).close();
  const empty = new DatabaseSync(`${file}.empty`);
  empty.exec(`vacuum into '${file}'`);
  empty.close();
  const database = new DatabaseSync(file);
  // without a write-ahead log the rows are written once instead of twice; a file that breaks
  // halfway is thrown away
  database.exec('pragma journal_mode = memory; pragma synchronous = off');
  database.exec('pragma cache_size = -3000000');
  const run: RunSql = async (sql) => database.prepare(sql).all() as Record<string, unknown>[];
  await fill(run, 'sqlite', { count: orders, now: Date.now(), dueFrom: Date.now() + QUIET_MS });
  database.exec('pragma journal_mode = wal; pragma cache_size = -2000');
  const warm = async (): Promise<void> => {
    for await (const chunk of createReadStream(file, { highWaterMark: 4_000_000 })) void chunk;
  };
  const filled = { orders, bytes: statSync(file).size, run, warm, receiveEvent };
  return openAged(`sqlite:${file}`, filled, async () => database.close());
}

export async function postgres(url: string, orders: number): Promise<Aged> {
  await (await openLedger(url)).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run: RunSql = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
  await run('create extension pg_prewarm');
  await fill(run, 'postgres', { count: orders, now: Date.now(), dueFrom: Date.now() + QUIET_MS });
  // autovacuum would have done this on a ledger that grew day by day
  await run('vacuum analyze');
  await run('checkpoint');
  const [row] = await run('select pg_database_size(current_database())::float8 as bytes');
  const warm = async (): Promise<void> => {
    for (const { name } of await run(RELATIONS))
      await run(`select pg_prewarm('${String(name)}', 'read')`);
  };
  const bytes = Number(row?.bytes);
  return openAged(url, { orders, bytes, run, warm, receiveEvent: acceptEvent }, () => client.end());
}

type Filled = Pick<Aged, 'orders' | 'bytes' | 'run' | 'warm'> & { receiveEvent: Fetch };

async function openAged(
  name: string,
  { bytes, orders, receiveEvent, run, warm }: Filled,
  end: () => Promise<void>,
): Promise<Aged> {
  const { ledger, idle } = countCalls(await openLedger(name));
  const relay = createRelay({
    config,
    ledger,
    send: sendFor(orders),
    fetch: receiveEvent,
  });
  return {
    orders,
    bytes,
    filledAt: Date.now(),
    queryCount: 0,
    relay,
    ledger,
    capabilities: createCapabilities(config, ledger),
    run,
    warm,
    idle,
    close: async () => {
      await relay.close();
      await ledger.close();
      await end();
    },
  };
}
