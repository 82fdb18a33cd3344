/** The clock of a machine: elapsed time counts from its start, so it goes on over a restart. */
import { systemClock, type Clock } from '../runtime.js';

const NANOSECONDS_PER_MS = 1e6;

export const nodeClock: Clock = {
  ...systemClock,
  elapsed: () => Number(process.hrtime.bigint()) / NANOSECONDS_PER_MS,
};
