/**
 * An engine with time around its programs: a program may wait before it runs, its answer may be
 * slow, and the process may freeze or die before the program or before its answer.
 */
import type { Engine } from '../../../../relay/ledger/tables/engine.js';
import type { Random } from '../chance.js';
import type { Scheduler } from '../time/scheduler.js';
import type { Gate } from './gate.js';

export type Latency = {
  scheduler: Scheduler;
  gate: Gate;
  random: Random;
  /** The share of programs (0 to 1) that take long enough for other relays to come in between. */
  slowPart: number;
};

const MEAN_SLOW_MS = 4;

/** @param databaseNow the database's own clock, in milliseconds; null: the machine's clock */
export function gatedEngine(
  engine: Engine,
  { gate, random, scheduler, slowPart }: Latency,
  databaseNow: (() => number) | null,
): Engine {
  const pass = async <T>(work: () => Promise<T>): Promise<T> => {
    if (random.chance(slowPart)) await scheduler.sleep(1 + random.wait(MEAN_SLOW_MS));
    const before = gate.pass();
    if (before) await before;
    const result = await work();
    // the answer of a commit may be slow too: then other relays see the commit before its writer
    if (random.chance(slowPart)) await scheduler.sleep(1 + random.wait(MEAN_SLOW_MS));
    const after = gate.pass();
    if (after) await after;
    return result;
  };
  return {
    ...engine,
    read: (program) => pass(() => engine.read(program)),
    write: (program) => pass(() => engine.write(program)),
    relaxed: (program) => pass(() => engine.relaxed(program)),
    change: (...change) => pass(() => engine.change(...change)),
    now:
      databaseNow &&
      function* () {
        return databaseNow();
      },
  };
}
