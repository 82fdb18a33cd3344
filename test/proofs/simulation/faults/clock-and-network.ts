/** Clocks that step, and a service that cannot be reached. */
import type { Fault } from './fault.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** How far a clock steps. */
const STEPS_MS = [2 * SECOND_MS, 20 * SECOND_MS, 90 * SECOND_MS, 2 * HOUR_MS, 30 * HOUR_MS];

type ClockDraws = {
  readonly stepMs: number;
  readonly isBackward: boolean;
  /** Whether the clock is corrected when the fault ends. */
  readonly isUndone: boolean;
  /** Whether the database's clock steps instead of a host's, where the database has one. */
  readonly ofDatabase: boolean;
};

/** The values that the two lowest bits can have: one bit per boolean. */
const TWO_BITS = 4;
/** A prime, so that `ofDatabase` does not depend on the other draws. */
const DATABASE_PRIME = 97;

/**
 * The number from which a step of 30 hours back is drawn that is not corrected: of the database's
 * clock, where the database has one.
 */
export const BACK_FOR_GOOD = 0.86;

/** Makes every draw from one random number below 1, so that a plan stores a single number. */
export function drawClock(size: number): ClockDraws {
  const choice = Math.floor(size * TWO_BITS * STEPS_MS.length);
  const scaled = size * DATABASE_PRIME;
  return {
    stepMs: STEPS_MS[choice >> 2] ?? MINUTE_MS,
    isBackward: (choice & 1) !== 0,
    isUndone: (choice & 2) !== 0,
    ofDatabase: scaled - Math.floor(scaled) < 0.5,
  };
}

/** A clock steps, and half of the time it is corrected afterwards. */
export const clockStep: Fault = {
  recoveryMs: 60_000,
  happen: async (scene, { lastsMs, relay, size }) => {
    const { checker, databaseClock, deployment, history, scheduler } = scene;
    const draws = drawClock(size);
    const stepMs = draws.isBackward ? -draws.stepMs : draws.stepMs;
    const host = databaseClock ? relay % deployment.wallShifts.length : 0;
    const ofDatabase = databaseClock && draws.ofDatabase;
    const step = (ms: number): void => {
      history.write(deployment.shop, `clock of ${ofDatabase ? 'database' : host} steps ${ms} ms`);
      checker.tell({ kind: 'clock_stepped', shop: deployment.shop, at: scheduler.now() });
      if (ofDatabase) deployment.databaseShift += ms;
      else deployment.wallShifts[host] = (deployment.wallShifts[host] ?? 0) + ms;
    };
    step(stepMs);
    await scheduler.sleep(lastsMs);
    if (draws.isUndone) step(-stepMs);
  },
};

/** Below this size (0 to 1) connections are refused; above it, the service does not answer. */
const MAX_SIZE_TO_REFUSE = 0.5;

export const outage: Fault = {
  recoveryMs: 40_000,
  happen: async ({ deployment, scheduler }, { lastsMs, size }) => {
    deployment.network.outage = size < MAX_SIZE_TO_REFUSE ? 'refused' : 'silent';
    await scheduler.sleep(lastsMs);
    deployment.network.outage = 'none';
  },
};
