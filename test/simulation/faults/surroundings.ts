/** Clocks that step, and a service that cannot be reached. */
import type { Fault } from './fault.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const STEPS_MS = [2 * SECOND_MS, 20 * SECOND_MS, 90 * SECOND_MS, 2 * HOUR_MS, 30 * HOUR_MS];

/** A clock steps, and half of the time it is put right again afterwards. */
export const clockStep: Fault = {
  recoveryMs: 60_000,
  happen: async (scene, { lastsMs, relay, size }) => {
    const { checker, databaseClock, deployment, history, scheduler } = scene;
    const choice = Math.floor(size * 4 * STEPS_MS.length);
    const stepMs = (STEPS_MS[choice >> 2] ?? MINUTE_MS) * (choice & 1 ? -1 : 1);
    const isBack = (choice & 2) !== 0;
    const host = databaseClock ? relay % deployment.wallShifts.length : 0;
    // where the database has a clock, it steps as often as the hosts' clocks do
    const ofDatabase = databaseClock && size * 97 - Math.floor(size * 97) < 0.5;
    const step = (ms: number): void => {
      history.write(deployment.shop, `clock of ${ofDatabase ? 'database' : host} steps ${ms} ms`);
      checker.tell({ kind: 'clock_stepped', shop: deployment.shop, at: scheduler.now() });
      if (ofDatabase) deployment.databaseShift += ms;
      else deployment.wallShifts[host] = (deployment.wallShifts[host] ?? 0) + ms;
    };
    step(stepMs);
    await scheduler.sleep(lastsMs);
    if (isBack) step(-stepMs);
  },
};

export const outage: Fault = {
  recoveryMs: 40_000,
  happen: async ({ deployment, scheduler }, { lastsMs, size }) => {
    deployment.network.outage = size < 0.5 ? 'refused' : 'silent';
    await scheduler.sleep(lastsMs);
    deployment.network.outage = 'none';
  },
};
