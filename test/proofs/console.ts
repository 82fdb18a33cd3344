/**
 * The verbs of the operator on a ledger with many orders: each answers within 200 ms, and a console
 * that is left open on its first page costs less than one per cent of a core.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../suite/support/postgres.js';
import { filledRequestId } from '../suite/support/filled-ledger.js';
import { cpuMicros, cpuMicrosOfTree } from '../tools/bench/cpu.js';
import { postgres, sqlite, type Aged } from './aged.js';
import { verbNamed } from '../../relay/operator/verbs.js';
import {
  createRandom,
  keepAlive,
  percentile,
  type Figure,
  type Proof,
  type Random,
  type Result,
  type Sizes,
} from './proof.js';

const MAX_MS = 200;
const MAX_SHARE = 1;
/** How often the page of the console asks again. */
const POLL_MS = 10_000;
const HOUR_MS = 3_600_000;
/** As many characters of an identifier as a person may type. */
const PREFIX_LENGTH = 6;

type Act = { verb: string; input: object };

const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const find = (text: string): Act => ({ verb: 'orders/find', input: { text } });
const list = (input: object): Act => ({ verb: 'orders/list', input });

/** What a person asks about one order, or about many. */
const acts: Readonly<Record<string, (requestId: string) => Act>> = {
  'find request_id': (id) => find(id),
  'find order_no': (id) => find(`P${id.slice(-15)}`),
  'find customer': (id) => find(`web-${id.slice(-15)}`),
  'find prefix': (id) => find(id.slice(0, PREFIX_LENGTH)),
  'find nothing': () => find('nothing-has-this-number'),
  show: (id) => ({ verb: 'orders/show', input: { id } }),
  list: () => list({}),
  'list since': () => list({ since: ago(48), until: ago(24) }),
  'list pending': () => list({ outcome: 'pending' }),
  'list review': () => list({ outcome: 'review' }),
  'list hanging': () => list({ hanging: true }),
  'list undelivered': () => list({ undelivered: true }),
  events: () => ({ verb: 'events/list', input: {} }),
  'events since': () => ({ verb: 'events/list', input: { since: ago(24) } }),
  links: () => ({ verb: 'links/list', input: {} }),
};
/** What the first page asks each time. */
const polled: readonly Act[] = [
  { verb: 'today', input: {} },
  { verb: 'todo', input: {} },
];

async function act({ relay }: Aged, { input, verb }: Act): Promise<void> {
  const found = verbNamed(verb);
  if (!found) throw new Error(`no verb ${verb}`);
  await found.run(relay.verbDeps(), input, 'operator');
}

/** Asks each thing about another order in each round. */
async function times(aged: Aged, rounds: number, random: Random): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, make] of Object.entries(acts)) {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const asked = make(filledRequestId(1 + random.integer(aged.orders)));
      const began = performance.now();
      await act(aged, asked);
      taken.push(performance.now() - began);
    }
    figures.push({ name, value: percentile(taken, 0.99), digits: 1, unit: 'ms', bound: MAX_MS });
  }
  return figures;
}

/** @returns the part of a core, in per cent, that relay and database spend for an open page */
async function share(aged: Aged, polls: number, databasePid: number | null): Promise<number> {
  const cpu = (): number =>
    cpuMicros(process.pid) + (databasePid === null ? 0 : cpuMicrosOfTree(databasePid));
  const before = cpu();
  for (let poll = 0; poll < polls; poll++) {
    for (const each of polled) await act(aged, each);
    await aged.relay.state();
  }
  return (100 * (cpu() - before)) / (polls * POLL_MS * 1000);
}

async function measure(
  engine: string,
  aged: Aged,
  { rounds = 0 }: Sizes,
  databasePid: number | null,
): Promise<Result> {
  await aged.warm();
  const figures = await times(aged, rounds, createRandom(1));
  const open = await share(aged, rounds, databasePid);
  return {
    held: figures.every(({ value }) => value < MAX_MS) && open < MAX_SHARE,
    sections: [
      {
        name: `${engine} with ${aged.orders} orders, p99`,
        figures: [
          { name: 'size', value: aged.bytes / 1e6, unit: 'MB' },
          ...figures,
          { name: 'open page', value: open, digits: 2, unit: '% of a core', bound: MAX_SHARE },
        ],
      },
    ],
  };
}

async function onSqlite(orders: number, sizes: Sizes): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  const aged = await sqlite(folder, orders);
  const result = await measure('sqlite', aged, sizes, null);
  await aged.close();
  rmSync(folder, { recursive: true });
  return result;
}

async function onPostgres(orders: number, sizes: Sizes): Promise<Result> {
  const server = await startPostgres();
  const aged = await postgres(await server.database(), orders);
  const result = await measure('postgres', aged, sizes, server.pid());
  await aged.close();
  await server.stop();
  return result;
}

export const operatorConsole: Proof = {
  sizes: { orders: 5_000_000, postgres_orders: 5_000_000, rounds: 100 },
  small: { orders: 20_000, postgres_orders: 20_000, rounds: 5 },
  run: (sizes) =>
    keepAlive(async () => {
      const { orders = 0, postgres_orders = 0 } = sizes;
      const results: Result[] = [];
      if (orders > 0) results.push(await onSqlite(orders, sizes));
      if (postgres_orders > 0) results.push(await onPostgres(postgres_orders, sizes));
      return {
        sections: results.flatMap(({ sections }) => sections),
        held: results.length > 0 && results.every(({ held }) => held),
      };
    }),
};
