/**
 * Gives each test of a suite the element's clock and timers for itself. Suites of one process run
 * at once: without turns, the timers of one test would wait for the clock of another, for ever.
 */
import { afterEach, beforeEach } from 'node:test';
import { timing } from '../../../widget/timing.js';

const { after, nowMs } = timing;
let lastTurn: Promise<void> = Promise.resolve();

/** Call it in a `describe`. Each test may replace `timing`, which is put back after it. */
export function ownTiming(): void {
  let endTurn = (): void => {};
  beforeEach(async () => {
    const before = lastTurn;
    lastTurn = new Promise((resolve) => (endTurn = resolve));
    await before;
  });
  afterEach(() => {
    Object.assign(timing, { after, nowMs });
    endTurn();
  });
}
