import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { createBusy } from '../../../../relay/node/process.js';
import { until } from '../../support/wait.js';

describe('how busy the process is', () => {
  it('is measured since the last call', async () => {
    const busy = createBusy();
    // the loop counts its time from its first turn
    await setTimeout(1);
    busy();
    for (const end = performance.now() + 100; performance.now() < end;);
    const whileWorking = busy();
    assert.ok(whileWorking > 0.9, `${whileWorking} while it worked`);
    const isIdle = async (): Promise<boolean> => {
      busy();
      await setTimeout(200);
      return busy() < 0.5;
    };
    // on a full machine, waiting for the processor counts as work
    await until(isIdle, 'the process is idle');
  });
});
