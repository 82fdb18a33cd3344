/** Ledgers filled to a size, each with a relay on it whose order service answers at once. */
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { createRelay, type Relay } from '../../relay/app.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import type { Ledger } from '../../relay/ledger/ledger.js';
import { openLedger } from '../../relay/node/open-ledger.js';
import type { Send } from '../../relay/order-service/client.js';
import { createCapabilities, type Capabilities } from '../../relay/orders/capabilities.js';
import { fill, isFinished, type RunSql } from '../support/filled-ledger.js';
import { openIntent, SECRETS, testConfig } from '../support/world.js';
import { sleep } from './proof.js';

/** Until then no watched order is due by itself: each tick finds as many due in every ledger. */
const QUIET_MS = 3_600_000;

export type Aged = {
  orders: number;
  bytes: number;
  filledAt: number;
  /** Queries so far. */
  asked: number;
  relay: Relay;
  capabilities: Capabilities;
  /** On a connection of its own. */
  run: RunSql;
  /** Reads the whole ledger once. */
  warm(): Promise<void>;
  /** Resolves when the relay has nothing under way in the ledger. */
  quiet(): Promise<void>;
  close(): Promise<void>;
};

const config = parseConfig(
  {
    ...testConfig,
    // the turn to ask is no part of what is measured
    service: { ...testConfig.service, queries_per_second: 1_000_000 },
    shop_events: { url: 'https://shop.example/events', secret: { env: 'SECRET' } },
  },
  (reference) => ('env' in reference ? SECRETS[reference.env] : undefined),
);

/** Every table and index of the ledger. */
const RELATIONS = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;

/** The service answers at once: a pay with a link, a query with what is known. */
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

/** The ledger, and when it was last asked something. */
function watched(ledger: Ledger): { ledger: Ledger; quiet: () => Promise<void> } {
  let underWay = 0;
  const entries = Object.entries(ledger) as [string, (...said: unknown[]) => unknown][];
  const counting = entries.map(([name, call]) => [
    name,
    (...said: unknown[]) => {
      const answer = call(...said);
      if (answer instanceof Promise) {
        underWay++;
        void answer.finally(() => underWay--).catch(() => {});
      }
      return answer;
    },
  ]);
  const quiet = async (): Promise<void> => {
    for (let still = 0; still < 3; still = underWay === 0 ? still + 1 : 0) await sleep(3);
  };
  return { ledger: Object.fromEntries(counting) as Ledger, quiet };
}

export async function sqlite(folder: string, orders: number): Promise<Aged> {
  const file = join(folder, `${orders}.db`);
  await (await openLedger(`sqlite:${file}.empty`)).close();
  const empty = new DatabaseSync(`${file}.empty`);
  empty.exec(`vacuum into '${file}'`);
  empty.close();
  const database = new DatabaseSync(file);
  // a copy without a write-ahead log, into which all the rows would be written a second time;
  // nothing is lost when the filling of a new file breaks off
  database.exec('pragma journal_mode = memory; pragma synchronous = off');
  database.exec('pragma cache_size = -3000000');
  const run: RunSql = async (sql) => database.prepare(sql).all() as Record<string, unknown>[];
  await fill(run, 'sqlite', { count: orders, now: Date.now(), dueFrom: Date.now() + QUIET_MS });
  database.exec('pragma journal_mode = wal; pragma cache_size = -2000');
  const warm = async (): Promise<void> => {
    for await (const chunk of createReadStream(file, { highWaterMark: 4_000_000 })) void chunk;
  };
  return openAged(`sqlite:${file}`, { orders, bytes: statSync(file).size, run, warm }, async () =>
    database.close(),
  );
}

export async function postgres(url: string, orders: number): Promise<Aged> {
  await (await openLedger(url)).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run: RunSql = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
  await run('create extension pg_prewarm');
  await fill(run, 'postgres', { count: orders, now: Date.now(), dueFrom: Date.now() + QUIET_MS });
  // what autovacuum has done long ago on a ledger that grew day by day
  await run('vacuum analyze');
  await run('checkpoint');
  const [row] = await run('select pg_database_size(current_database())::float8 as bytes');
  const warm = async (): Promise<void> => {
    for (const { name } of await run(RELATIONS))
      await run(`select pg_prewarm('${String(name)}', 'read')`);
  };
  return openAged(url, { orders, bytes: Number(row?.bytes), run, warm }, () => client.end());
}

async function openAged(
  name: string,
  { bytes, orders, run, warm }: Pick<Aged, 'orders' | 'bytes' | 'run' | 'warm'>,
  end: () => Promise<void>,
): Promise<Aged> {
  const { ledger, quiet } = watched(await openLedger(name));
  const relay = createRelay({
    config,
    ledger,
    send: sendFor(orders),
    fetch: async () => new Response('OK'),
  });
  return {
    orders,
    bytes,
    filledAt: Date.now(),
    asked: 0,
    relay,
    capabilities: createCapabilities(config, ledger),
    run,
    warm,
    quiet,
    close: async () => {
      await relay.close();
      await ledger.close();
      await end();
    },
  };
}
