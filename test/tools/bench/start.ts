/** Time from the start of a process to its first successful /readyz, and memory at rest. */
import type { BenchSizes } from './sizes.js';
import { sleep } from '../../suite/support/wait.js';
import { build, startRelay, startBaseline, startStub, type Contender } from './contenders.js';
import { cpuMicros, residentMiB } from './cpu.js';
import type { Bench, Row } from './table.js';

/** How long a contender gets no requests before its memory is read. */
const REST_MS = 3000;

export async function start({ rounds }: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  const contenders: (Row & { run: () => Promise<Contender>; values: Record<string, number[]> })[] =
    [
      { name: 'Hono', run: () => startBaseline('hono-undici', stub.url), values: {} },
      { name: 'relay on SQLite', run: () => startRelay(stub.url), values: {} },
    ];
  for (let round = 0; round < rounds; round++)
    for (const { run, values } of contenders)
      for (const [column, value] of Object.entries(await startOnce(run)))
        (values[column] ??= []).push(value);
  stub.child.kill('SIGKILL');
  return {
    about: 'A process starts on an empty ledger, with all features on, and then rests for 3 s.',
    columns: [
      { name: 'to /readyz', unit: 'ms' },
      { name: 'CPU to /readyz', unit: 'ms' },
      { name: 'memory', unit: 'MiB' },
    ],
    rows: contenders,
    rounds,
  };
}

async function startOnce(run: () => Promise<Contender>): Promise<Record<string, number>> {
  const began = performance.now();
  const contender = await run();
  while (!(await isReady(contender.url))) await sleep(2);
  const ready = performance.now() - began;
  const pid = contender.child.pid ?? 0;
  const cpu = cpuMicros(pid) / 1000;
  await sleep(REST_MS);
  const memory = residentMiB(pid);
  await contender.stop();
  return { 'to /readyz': ready, 'CPU to /readyz': cpu, memory };
}

/** The relay answers 503 until it is ready; a baseline is ready when it answers at all. */
async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  return answer !== null && answer.status !== 503;
}
