/** How busy this process is. */
import { performance } from 'node:perf_hooks';

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
