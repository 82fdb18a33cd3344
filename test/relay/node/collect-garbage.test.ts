import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from '../../../relay/node/collect-garbage.js';

describe('the collection of garbage', () => {
  it('frees what nothing refers to', async () => {
    const unused = new WeakRef({});
    // a new object stays until the current task ends
    await setImmediate();
    await collectGarbage();
    assert.equal(unused.deref(), undefined);
  });
});
