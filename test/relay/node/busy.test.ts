import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { createBusy } from '../../../relay/node/busy.js';

describe('how busy the process is', () => {
  it('is measured since the last call', async () => {
    const busy = createBusy();
    // the loop counts its time from its first turn
    await setTimeout(1);
    busy();
    for (const end = performance.now() + 100; performance.now() < end;);
    const whileWorking = busy();
    await setTimeout(200);
    const whileIdle = busy();
    assert.ok(whileWorking > 0.9, `${whileWorking} while it worked`);
    assert.ok(whileIdle < 0.5, `${whileIdle} while it was idle`);
  });
});
