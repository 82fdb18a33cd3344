import assert from 'node:assert/strict';
import inspector from 'node:inspector';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from '../../../../relay/node/process.js';

describe('the collection of garbage', () => {
  it('frees what nothing refers to', async () => {
    const unused = new WeakRef({});
    // a new object stays until the current task ends
    await setImmediate();
    await collectGarbage();
    assert.equal(unused.deref(), undefined);
  });

  it('frees nothing, and does not fail, when Node forbids the inspector', async () => {
    class Session extends inspector.Session {
      override connect(): void {
        throw new Error('ERR_ACCESS_DENIED');
      }
    }
    await collectGarbage(async () => ({ ...inspector, Session }));
  });
});
