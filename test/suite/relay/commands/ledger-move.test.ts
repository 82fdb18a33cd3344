/** `ledger move` finds relays that still run. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runningRelays } from '../../../../relay/commands/ledger-move.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';

describe('runningRelays', () => {
  it('names the relays whose heartbeat goes on, and leaves no trace', async () => {
    const ledger = memoryLedger();
    for (const instance of ['stopped', 'running']) await ledger.heartbeat(instance);
    const waits: number[] = [];
    const running = await runningRelays(ledger, async (ms) => {
      waits.push(ms);
      await ledger.heartbeat('running');
      await ledger.heartbeat('started meanwhile');
    });
    assert.deepEqual(running, ['running', 'started meanwhile']);
    assert.deepEqual(waits, [10_000]);
    const left = await ledger.heartbeat('stopped');
    assert.deepEqual([...left.keys()].sort(), ['running', 'started meanwhile', 'stopped']);
  });

  it('does not wait when no relay has used the ledger', async () => {
    const wait = (): Promise<never> => assert.fail('waits');
    assert.deepEqual(await runningRelays(memoryLedger(), wait), []);
  });
});
