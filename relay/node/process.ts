/** This process: its clock, how busy it is, and when it collects garbage. */
import type inspector from 'node:inspector';
import { performance } from 'node:perf_hooks';
import { type Clock, systemClock } from '../runtime.js';

const NANOSECONDS_PER_MS = 1e6;

export const nodeClock: Clock = {
  ...systemClock,
  elapsed: () => Number(process.hrtime.bigint()) / NANOSECONDS_PER_MS,
};

/**
 * @returns a function that returns which part of the time since its last call the event loop was
 *   not idle, from 0 to 1. On a full machine this includes the time in which other processes ran.
 */
export function createBusy(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const before = last;
    last = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(last, before).utilization;
  };
}

/**
 * Collects all garbage, and returns the freed memory to the operating system. V8 itself collects
 * when the heap grows, so a process that rests after its start keeps 13 MB that it does not need.
 * Stops the process for about 50 ms.
 *
 * Frees nothing, and reports no error, where V8's inspector is missing or forbidden: Node's
 * permission model forbids it. The inspector opens no port here.
 *
 * @param load loads the inspector
 */
export async function collectGarbage(
  load: () => Promise<Pick<typeof inspector, 'Session'>> = () => import('node:inspector'),
): Promise<void> {
  try {
    const { Session } = await load();
    const session = new Session();
    session.connect();
    await new Promise<void>((resolve) => {
      // `global.gc` would keep the freed memory
      session.post('HeapProfiler.collectGarbage', () => resolve());
    });
    session.disconnect();
  } catch {
    // the relay works with more memory too
  }
}
