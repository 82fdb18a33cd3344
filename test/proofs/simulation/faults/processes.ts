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

/**
 * Below this size (0 to 1) the process freezes at once; above it, at its next pay, after the claim
 * and before the request is written.
 */
const MAX_SIZE_TO_FREEZE_AT_ONCE = 0.5;
/** Long enough for the next pay to come, and for its claim to end while the process is frozen. */
const NEXT_PAY_MS = 40_000;

export const freeze: Fault = {
  recoveryMs: 30_000,
  happen: async ({ deployment, scheduler }, { lastsMs, relay, size }) => {
    const frozen = deployment.process(relay % deployment.wallShifts.length);
    if (size < MAX_SIZE_TO_FREEZE_AT_ONCE) frozen?.gate.freeze();
    else {
      frozen?.gate.freezeAtNextPay();
      await scheduler.sleep(NEXT_PAY_MS);
    }
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
