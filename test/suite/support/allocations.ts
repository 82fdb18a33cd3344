/**
 * Prints, as JSON, how many bytes of JavaScript objects the relay allocates for a request on
 * SQLite. Node's flags must turn off the collection and the optimization, as those of
 * test/suite/relay/app/allocations.process.test.ts do; then each run counts the same, to within one
 * percent.
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { createRelay } from '../../../relay/app.js';
import type { OnGone } from '../../../relay/runtime.js';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { sqliteLedger } from '../../../relay/ledger/sqlite/sqlite-ledger.js';
import type { SqliteDatabase } from '../../../relay/ledger/sqlite/statements.js';
import { createDiskFile } from '../../proofs/simulation/machine/disk-file.js';
import { manualClock } from './manual-clock.js';
import { openIntent, postRequest, readSecret, testConfig } from './world.js';

/** After so many requests each one allocates the same. */
const WARM_UP_REQUESTS = 100;
const REQUESTS = 200;

const disk = createDiskFile();
const open = (): SqliteDatabase => new DatabaseSync(disk.address(), { timeout: 0 });
const connections = { writer: open(), reader: open(), relaxed: open() };
const relay = createRelay({
  config: parseConfig(testConfig, readSecret),
  ledger: await sqliteLedger(connections),
  send: async (_path, json, _signal, _headers, isLate) => {
    isLate?.();
    const { amount, currency, request_id } = JSON.parse(json) as Record<string, string>;
    const order = { request_id, order_no: '1', status: 11, currency, order_amount: amount };
    const data = { ...order, qrcode_string: 'https://pay.example' };
    return { status: 200, text: JSON.stringify({ code: 200, message: 'ok', data }) };
  },
  log: () => {},
  clock: manualClock(),
});

type Answer = { order?: { request_id: string; order_key: string } };

async function ask(path: string, body: object, onGone?: OnGone): Promise<Answer> {
  const response = await relay.fetch(postRequest(path, body), onGone && { onGone });
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as Answer;
}

/** @returns bytes of one call, without those of its arguments */
async function bytesOf<T>(work: (index: number) => Promise<T>): Promise<[number, T[]]> {
  const results: T[] = [];
  for (let index = 0; index < WARM_UP_REQUESTS; index++) results.push(await work(index));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < REQUESTS; index++) results.push(await work(WARM_UP_REQUESTS + index));
  return [(process.memoryUsage().heapUsed - before) / REQUESTS, results];
}

const [checkout] = await bytesOf(() => ask('/v1/checkout', openIntent));
const [pay, placed] = await bytesOf(() =>
  ask('/v1/pay', { ...openIntent, option: 'qr', attempt: crypto.randomUUID() }),
);
const askAbout = (index: number, known_status: number, onGone?: OnGone): Promise<Answer> => {
  const { order } = placed[index] ?? {};
  const { order_key, request_id } = order ?? {};
  return ask('/v1/query', { request_id, order_key, known_status, wait: 5 }, onGone);
};
const [query] = await bytesOf((index) => askAbout(index, 1));
/**
 * Pages of which nothing has changed wait until they leave. They wait at once, so that what the
 * relay does meanwhile, to know what other relays wrote, costs each page little.
 */
const askAgain = async (): Promise<void> => {
  const leaves: (() => void)[] = [];
  const onGone: OnGone = (leave) => {
    leaves.push(leave);
    return () => {};
  };
  const asked = placed.map((_, index) => askAbout(index, 11, onGone));
  for (let tick = 0; tick < 2; tick++) await relay.tick();
  for (const leave of leaves) leave();
  await Promise.all(asked);
};
await askAgain();
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
await askAgain();
const again = (process.memoryUsage().heapUsed - before) / placed.length;
console.log(JSON.stringify({ checkout, pay, query, again }));
disk.remove();
process.exit(0);
