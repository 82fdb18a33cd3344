/** Starts the relay with all features on, and the baselines, each in a process of its own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import {
  buildRelay,
  createRelayFolder,
  root,
  start,
  type Running,
} from '../../proofs/processes.js';
import type { ConfigFile } from '../../../relay/config/schema.js';
import { startPostgres } from '../../suite/support/postgres.js';
import { BUILT_RELAY } from '../../suite/support/relay-command.js';

export type Contender = Running & {
  name: string;
  deliversEvents: boolean;
  /** The id of the process that started all processes of the database. */
  databasePid?: number;
  stop(): Promise<void>;
};

const UNREACHED_LIMIT = 1_000_000_000;
/**
 * So few that the queries of the timer do not change the result when a measurement takes longer.
 */
export const QUERIES_PER_SECOND = 1;
const BASELINES = 'dist/bench/baselines.mjs';

/** Compiles all contenders: a compiler in a process would add to its start time and its memory. */
export function build(): void {
  buildRelay();
  const source = readFileSync(join(root, 'test/tools/bench/baselines.ts'), 'utf8');
  const { ES2022 } = ts.ScriptTarget;
  const compilerOptions = { target: ES2022, module: ts.ModuleKind.ES2022 };
  mkdirSync(join(root, 'dist/bench'), { recursive: true });
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  writeFileSync(join(root, BASELINES), outputText);
}

/** Shop events, keys, limits and an operator's listener, as a shop in production has them. */
const allFeatures = (serviceUrl: string): Partial<ConfigFile> => ({
  links: { hosts: ['pay.example'] },
  shop_events: { url: `${serviceUrl}/events`, secret: { env: 'SECRET' } },
  capability_keys: [{ kid: 'c1', secret: { env: 'TOKEN' } }],
  operator: { port: 0, key: { env: 'SECRET' } },
  limits: { per_intent_per_minute: UNREACHED_LIMIT, per_ip_per_minute: UNREACHED_LIMIT },
});

export const startStub = (): Promise<Running> =>
  start('test/tools/bench/stub.ts', [], /stub on (http:\S+)/);

/** @returns a function that ends the process, waits for its end, and then calls `after` */
export const stopperOf = (
  running: Running,
  after: () => unknown,
  signal: NodeJS.Signals = 'SIGKILL',
): (() => Promise<void>) => {
  const gone = new Promise((resolve) => running.child.once('exit', resolve));
  return async () => {
    running.child.kill(signal);
    await gone;
    await after();
  };
};

/** The baselines by the argument of baselines.ts, with their names in the tables. */
const BASELINE_NAMES = {
  'raw-http': 'limit: raw http',
  'raw-http-hold': 'limit: raw http',
  'raw-http-events': 'raw http, server-sent events',
  'hono-undici': 'Hono + undici',
  'hono-fetch': 'Hono + fetch',
  'hono-hold': 'Hono',
  'hono-events': 'Hono, server-sent events',
} as const;

export async function startBaseline(
  baseline: keyof typeof BASELINE_NAMES,
  serviceUrl: string,
): Promise<Contender> {
  const running = await start(BASELINES, [baseline, serviceUrl], /baseline on (http:\S+)/);
  const name = BASELINE_NAMES[baseline];
  return { ...running, name, deliversEvents: false, stop: stopperOf(running, () => {}) };
}

/** The built relay on SQLite, unless `change` names another ledger. */
export async function startRelay(
  serviceUrl: string,
  change: Partial<ConfigFile> = {},
  flags: readonly string[] = [],
  queriesPerSecond = QUERIES_PER_SECOND,
): Promise<Contender> {
  const service = { queries_per_second: queriesPerSecond, connections: 64 };
  const config = { ...allFeatures(serviceUrl), ...change };
  const shop = await createRelayFolder(serviceUrl, config, service);
  const running = await shop.relay(BUILT_RELAY, 0, flags);
  const stop = stopperOf(running, shop.remove);
  return { ...running, name: 'relay on SQLite', deliversEvents: true, stop };
}

export async function startRelayOnPostgres(serviceUrl: string): Promise<Contender> {
  const postgres = await startPostgres();
  const relay = await startRelay(serviceUrl, { ledger: await postgres.database() });
  const stop = async (): Promise<void> => {
    await relay.stop();
    await postgres.stop();
  };
  return { ...relay, name: 'relay on PostgreSQL', stop, databasePid: postgres.pid() };
}

/** Flags of V8: those at the start of Node, and those that the running process sets. */
export type HeapFlags = { atStart: readonly string[]; later: readonly string[] };

/** A module that sets the flags, and turns the setting off, so that the relay sets none. */
const setFlags = (flags: readonly string[]): string =>
  "import v8 from 'node:v8'; import { syncBuiltinESMExports } from 'node:module'; " +
  `${JSON.stringify(flags)}.forEach(v8.setFlagsFromString); ` +
  'v8.setFlagsFromString = () => {}; syncBuiltinESMExports();';

/** @param flags of V8, instead of those that the relay sets */
export async function startRelayWithFlags(
  serviceUrl: string,
  { atStart, later }: HeapFlags,
): Promise<Contender> {
  const preload = `data:text/javascript,${encodeURIComponent(setFlags(later))}`;
  const relay = await startRelay(serviceUrl, {}, ['--import', preload, ...atStart]);
  const name = [...atStart, ...(later.length > 0 ? ['later', ...later] : [])].join(' ');
  return { ...relay, name: name || 'no flag' };
}
