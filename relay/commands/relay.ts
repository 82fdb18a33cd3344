/**
 * `pay-checkout-relay start --config FILE`: runs the relay until SIGTERM or SIGINT. SIGHUP lets it
 * read the configuration again.
 */
import { setFlagsFromString } from 'node:v8';
import { collectGarbage } from '../node/process.js';
import { flushLog, jsonLog, listen, nodeRelay, type NodeRelay } from '../server.js';
import { elementScript } from '../node/element-script.js';
import { LOOPBACK } from '../node/listener.js';
import { readConfigFile } from '../node/read-config-file.js';
import { createReload } from '../node/reload-config.js';
import {
  FLAG,
  readFlags,
  readHost,
  readPort,
  required,
  TEXT,
  UsageError,
  type Command,
} from './arguments.js';

const usage = `usage: pay-checkout-relay [start] --config FILE [--port N] [--host ADDRESS]
         [--restored | --not-restored]
--restored: the ledger is a backup that takes the place of the ledger.
--not-restored: the ledger is a clone that is only read; nothing is sent to service or shop.`;

/**
 * With V8's defaults the heap would grow by half while thousands of pages wait.
 * `--optimize-for-size` saves more memory, but doubles the CPU time of a query (`npm run bench --
 * flags` prints the table). `--compact-on-every-full-gc` does not lower the peak, because a
 * compaction holds the old pages and the new ones for a moment.
 */
const HEAP_FLAGS = ['--heap-growing-percent=30'];

/** Long enough for the first requests, which may follow the start at once. */
const COLLECT_AFTER_MS = 1000;

async function run(args: string[]): Promise<void> {
  HEAP_FLAGS.forEach(setFlagsFromString);
  const flags = { config: TEXT, port: TEXT, host: TEXT, restored: FLAG, 'not-restored': FLAG };
  const values = readFlags(args, flags, usage);
  const file = required(values, 'config', usage);
  const host = readHost(values, usage);
  const port = readPort(values, '8787', usage);
  const { 'not-restored': notRestored = false, restored = false } = values;
  if (restored && notRestored)
    throw new UsageError(`--restored and --not-restored exclude each other\n${usage}`);
  let started = (_relay: NodeRelay): void => {};
  const relayStarted = new Promise<NodeRelay>((resolve) => (started = resolve));
  // set before the start: without a listener, a SIGHUP would end the process
  process.on('SIGHUP', createReload(file, relayStarted, jsonLog));
  const config = await readConfigFile(file);
  const relay = await nodeRelay(config, { script: elementScript(), port, restored, notRestored });
  const listening = await listen(relay, port, config.operator?.port, host);
  const operator =
    listening.operatorPort === null ? {} : { operator_url: urlAt(host, listening.operatorPort) };
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    jsonLog('info', 'stopping');
    const failure = await listening.close().catch((error: unknown) => ({ error: String(error) }));
    jsonLog(failure ? 'error' : 'info', 'stopped', { ...failure });
    await flushLog();
    process.exit(failure ? 1 : 0);
  };
  // a supervisor may send both; the same one again ends the process at once
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void (stopping ??= stop()));
  jsonLog('info', 'listening', {
    url: urlAt(host, listening.port),
    ...operator,
    mode: config.mode,
  });
  started(relay);
  setTimeout(() => void collectGarbage(), COLLECT_AFTER_MS).unref();
}

export const relay: Command = { usage, run };

/** The URL of a listener; a listener on loopback or on all addresses is reached as localhost. */
function urlAt(host: string, port: number): string {
  if ([LOOPBACK, '::1', '0.0.0.0', '::'].includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
