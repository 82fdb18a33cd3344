/**
 * The CPU time that V8's heap flags cost, and the memory they save while thousands of pages wait.
 */
import { Agent, request } from 'undici';
import { sleep } from '../../suite/support/wait.js';
import type { BenchSizes } from './sizes.js';
import { build, startRelayWithFlags, startStub, type HeapFlags } from './contenders.js';
import { residentMiB } from './cpu.js';
import { orderToken } from './load.js';
import { closeAll, measureAll, type Measured } from './round.js';
import type { Bench } from './table.js';

const GROWING = '--heap-growing-percent=30';
const FOR_SIZE = '--optimize-for-size';
const SMALL_YOUNG = '--max-semi-space-size=4';
const FLAG_SETS: readonly HeapFlags[] = [
  { atStart: [], later: [] },
  { atStart: [], later: [GROWING] },
  { atStart: [FOR_SIZE], later: [] },
  { atStart: [], later: [GROWING, FOR_SIZE] },
  { atStart: [SMALL_YOUNG], later: [GROWING] },
  { atStart: [SMALL_YOUNG], later: [GROWING, FOR_SIZE] },
  { atStart: [SMALL_YOUNG], later: [GROWING, '--compact-on-every-full-gc'] },
];
const WAITING_PAGES = 2000;
/** Long enough that each page's wait of 2 s ends and begins again. */
const WAITING_MS = 6000;

export async function flags(sizes: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  const contenders = [];
  for (const set of FLAG_SETS) contenders.push(await startRelayWithFlags(stub.url, set));
  const rows = await measureAll(contenders, stub, sizes);
  for (const row of rows) row.values['memory'] = [await memoryOfWaiting(row)];
  await closeAll(rows);
  stub.child.kill('SIGKILL');
  return {
    about:
      `CPU time of one request, as in relay-cpu, ${sizes.requests} in a round; then the memory ` +
      `while ${WAITING_PAGES} pages wait.`,
    columns: [
      ...['pay', 'checkout', 'query'].map((name) => ({ name, unit: 'µs' })),
      { name: 'memory', unit: 'MiB' },
    ],
    rows,
    rounds: sizes.rounds,
  };
}

/** The highest memory while many pages wait for one order, and ask again after 2 s. */
async function memoryOfWaiting({ child, load, url }: Measured): Promise<number> {
  const order_token = orderToken(crypto.randomUUID());
  const body = { order_token, option: 'qr', attempt: crypto.randomUUID() };
  const { order } = (await load.post('/v1/pay', body)) as { order: Record<string, unknown> };
  const { order_key, request_id, status } = order;
  const dispatcher = new Agent({ connections: WAITING_PAGES });
  const sent = JSON.stringify({ request_id, order_key, known_status: status, wait: 2 });
  const headers = { 'content-type': 'application/json' };
  let waiting = true;
  const wait = async (): Promise<void> => {
    while (waiting) {
      const options = { method: 'POST', headers, body: sent, dispatcher } as const;
      await (await request(`${url}/v1/query`, options)).body.dump();
    }
  };
  const waits = Array.from({ length: WAITING_PAGES }, wait);
  let highest = 0;
  for (const end = Date.now() + WAITING_MS; Date.now() < end; await sleep(100))
    highest = Math.max(highest, residentMiB(child.pid ?? 0));
  waiting = false;
  await Promise.all(waits);
  await dispatcher.close();
  return highest;
}
