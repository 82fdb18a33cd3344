/** A transaction of the ledger that holds back the lists is named in the log and on /readyz. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportHeldBack } from '../../../../relay/ledger/held-back.js';
import type { HeldBack } from '../../../../relay/ledger/ledger.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { createWorld } from '../../support/world.js';

describe('lists that are held back', () => {
  it('are logged once after five seconds, and once when they go on', async () => {
    let held: HeldBack | null = null;
    const lines: unknown[] = [];
    const report = reportHeldBack({ heldBack: async () => held }, (level, event, fields) =>
      lines.push([level, event, fields]),
    );
    for (const ms of [null, 4999, 5000, 6000, null, null]) {
      held = ms === null ? null : { by: 'process 7', ms };
      await report();
    }
    assert.deepEqual(lines, [
      [
        'error',
        'lists',
        {
          message: 'an open transaction of the ledger holds back the lists',
          by: 'process 7',
          for_s: 5,
        },
      ],
      ['info', 'lists', { message: 'the lists go on' }],
    ]);
  });

  it('are named on /readyz with their age, and the relay remains in use', async () => {
    const heldBack = async (): Promise<HeldBack> => ({ by: 'process 7', ms: 7400 });
    const { relay } = createWorld({ ledger: { ...memoryLedger(), heldBack } });
    const answer = await relay.fetch(new Request('https://shop.example/readyz'));
    assert.equal(answer.status, 200);
    const { held_back_by, held_back_s, lists } = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual([lists, held_back_by, held_back_s], ['held_back', 'process 7', 7]);
    assert.equal((await relay.gauges()).lists_held_back_seconds, 7.4);
  });
});
