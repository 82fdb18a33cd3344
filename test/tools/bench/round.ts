/** Sends rounds of a page's requests to the contenders, and measures their CPU time. */
import { getJson, type Running } from '../../proofs/processes.js';
import { until } from '../../suite/support/wait.js';
import type { BenchSizes } from './sizes.js';
import type { Contender } from './contenders.js';
import { cpuMicros, cpuMicrosOfTree } from './cpu.js';
import { createLoad, orderToken, type Load } from './load.js';

/**
 * Rounds before the first round that is measured. A relay's CPU time falls for about ten rounds of
 * 400 requests, because V8 compiles the code meanwhile; the compiler's threads count too.
 */
export const WARM_UP_ROUNDS = 10;

export type Measured = Contender & { load: Load; values: Record<string, number[]> };
type Placed = { order?: { request_id: string; order_key: string } };

/**
 * Runs all rounds. Each round runs every contender once, so that a change of the machine's load
 * affects all of them.
 */
export async function measureAll(
  contenders: readonly Contender[],
  stub: Running,
  { requests, rounds }: BenchSizes,
): Promise<Measured[]> {
  const measured = contenders.map((contender): Measured => {
    return { ...contender, load: createLoad(contender.url), values: {} };
  });
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++)
    for (const each of measured) {
      const found = await runRound(each, stub, requests);
      for (const [name, value] of found) if (round >= 0) (each.values[name] ??= []).push(value);
    }
  return measured;
}

export async function closeAll(measured: readonly Measured[]): Promise<void> {
  for (const { load, stop } of measured) {
    await load.close();
    await stop();
  }
}

/** @returns CPU time per request in microseconds, by the column's name */
async function runRound(
  { child, databasePid, deliversEvents, load }: Measured,
  stub: Running,
  requests: number,
): Promise<[string, number][]> {
  const pid = child.pid ?? 0;
  const tokens = Array.from({ length: requests }, () => orderToken(crypto.randomUUID()));
  const perRequest = async (read: () => number, work: () => Promise<unknown>): Promise<number> => {
    const before = read();
    await work();
    return (read() - before) / requests;
  };
  const ofProcess = (): number => cpuMicros(pid);
  const checkouts = tokens.map((order_token) => ({ order_token }));
  const checkout = await perRequest(ofProcess, () => load.postAll('/v1/checkout', checkouts));

  const pays = tokens.map((order_token) => ({
    order_token,
    option: 'qr',
    attempt: crypto.randomUUID(),
  }));
  let placed: Placed[] = [];
  let pay = 0;
  const payAll = async (): Promise<void> => {
    const events = await countEvents(stub);
    placed = (await load.postAll('/v1/pay', pays)) as Placed[];
    const all = async (): Promise<boolean> => (await countEvents(stub)) >= events + requests;
    if (deliversEvents) await until(all, 'the shop has all events');
  };
  const ofDatabase = await perRequest(
    () => (databasePid === undefined ? 0 : cpuMicrosOfTree(databasePid)),
    async () => {
      pay = await perRequest(ofProcess, payAll);
    },
  );

  // the page names another status than the order's, so the long poll is answered at once
  const polls = placed.map(({ order }) => ({
    request_id: order?.request_id,
    order_key: order?.order_key,
    known_status: 1,
    wait: 5,
  }));
  const query = await perRequest(ofProcess, () => load.postAll('/v1/query', polls));
  return [
    ['checkout', checkout],
    ['pay', pay],
    ['query', query],
    ...(databasePid === undefined ? [] : [['database', ofDatabase] satisfies [string, number]]),
  ];
}

const countEvents = async (stub: Running): Promise<number> =>
  (await getJson<{ events: number }>(`${stub.url}/count`)).events;
