/** The machine's clock: elapsed time counts from its start, so it continues over a restart. */
import { systemClock, type Clock } from '../runtime.js';

const NANOSECONDS_PER_MS = 1e6;

export const nodeClock: Clock = {
  ...systemClock,
  elapsed: () => Number(process.hrtime.bigint()) / NANOSECONDS_PER_MS,
};
