/** Processes that die or stand still, and machines that lose their power. */
import type { Fault } from './fault.js';

export const kill: Fault = {
  recoveryMs: 30_000,
  happen: async ({ deployment, scheduler }, { lastsMs, relay }) => {
    deployment.kill(relay % deployment.wallShifts.length);
    await scheduler.sleep(lastsMs);
    deployment.startAll();
  },
};

export const freeze: Fault = {
  recoveryMs: 30_000,
  happen: async ({ deployment, scheduler }, { lastsMs, relay }) => {
    const frozen = deployment.process(relay % deployment.wallShifts.length);
    frozen?.gate.freeze();
    await scheduler.sleep(lastsMs);
    frozen?.gate.thaw();
  },
};

export const powerCut: Fault = {
  recoveryMs: 30_000,
  happen: async ({ deployment, scheduler }, { lastsMs }) => {
    deployment.powerCut();
    await scheduler.sleep(lastsMs);
    deployment.startAll();
  },
};
