/** Orders added up by hour: random histories, and what an idle relay does for it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { timeOf } from '../../../../relay/ledger/counts.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { sqliteLedger } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { observedDatabase } from '../../support/observed-ledger.js';
import { manualClock } from '../../support/manual-clock.js';
import { createWorld, openIntent } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { claimOrder, purge } from '../../support/ledger-calls.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { assertCounted, histories, runHistory, type Two } from './count-histories.js';

const folder = temporaryFolder('counts');
let files = 0;
const engines: Record<string, () => Promise<Two>> = {
  memory: async () => {
    const ledger = memoryLedger();
    return [ledger, ledger];
  },
  SQLite: async () => {
    const address = `sqlite:${join(folder, `${files++}.db`)}`;
    return [await openLedger(address), await openLedger(address)];
  },
};

const claim = (ledger: Ledger, id: string) =>
  claimOrder(ledger, {
    intent: { ...freshIntent, intent_id: id },
    order: { ...fresh, request_id: id, intent_id: id, next_check_at: null },
    after: null,
  });

describe('the counts of orders', () => {
  for (const [name, open] of Object.entries(engines))
    it(`are those of all bodies after any history that two relays count on ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const ledgers = await open();
          try {
            await runHistory(ledgers, history);
            await assertCounted(ledgers[0]);
          } finally {
            for (const ledger of ledgers) await ledger.close();
          }
        }),
        { numRuns: 20 },
      );
    });

  it('cost one read, and no write, while nothing changes', async () => {
    const seen: string[] = [];
    const file = join(folder, `${files++}.db`);
    const connect = () =>
      observedDatabase(new DatabaseSync(file, { timeout: 0 }), ({ sql }) => seen.push(sql));
    const connections = { writer: connect(), reader: connect(), relaxed: connect() };
    const ledger = await sqliteLedger(connections);
    await claim(ledger, 'a');
    assert.equal(await ledger.countChanges(9), false);
    await assertCounted(ledger);
    seen.length = 0;
    assert.equal(await ledger.countChanges(9), false);
    assert.deepEqual(
      seen.map((sql) => sql.slice(0, 'select last'.length)),
      ['select last'],
    );
    await ledger.close();
  });

  it('hold what a customer ordered after the next tick of the relay', async () => {
    const clock = manualClock();
    const ledger = await openLedger(`sqlite:${join(folder, `${files++}.db`)}`);
    const world = createWorld({ ledger, clock });
    const order = async () =>
      world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' });
    for (let round = 0; round < 2; round++) {
      await order();
      await clock.advance(5000);
      await world.relay.tick();
      await assertCounted(ledger);
    }
    await world.relay.close();
    await ledger.close();
  });

  it('are added up for a short time at each tick, and rarely when nothing changes', async () => {
    const clock = manualClock();
    let [left, calls] = [4, 0];
    const countChanges = async (): Promise<boolean> => {
      calls++;
      await clock.advance(20);
      return --left > 0;
    };
    const { relay } = createWorld({ ledger: { ...memoryLedger(), countChanges }, clock });
    const callsOfTick = async (): Promise<number> => {
      calls = 0;
      await relay.tick();
      return calls;
    };
    assert.deepEqual([await callsOfTick(), await callsOfTick(), await callsOfTick()], [3, 1, 0]);
    await clock.advance(2900);
    assert.equal(await callsOfTick(), 0);
    await clock.advance(100);
    assert.equal(await callsOfTick(), 1);
    await relay.close();
  });

  it('are right again after a recount, and after the ledger was restored', async () => {
    const file = join(folder, `${files++}.db`);
    const ledger = await openLedger(`sqlite:${file}`);
    const other = new DatabaseSync(file);
    for (const id of ['a', 'b', 'c']) await claim(ledger, id);
    const countAll = async () => {
      while (await ledger.countChanges(2));
    };
    const isComplete = async () => (await ledger.hourCounts({ since: 0, until: 0 })).isComplete;
    assert.equal(await isComplete(), false);
    for (const begin of [
      () => ledger.recount(),
      // the step was planned before the counts were emptied
      async () => {
        await claim(ledger, 'd');
        await Promise.all([ledger.recount(), ledger.countChanges(9)]);
      },
      () => ledger.writeSetting('epoch', 'of the restored ledger'),
      // the position is of another ledger
      () => ledger.writeSetting('counted', JSON.stringify(['of the restored ledger', 99, 0])),
    ]) {
      await countAll();
      other.exec('update hour_counts set orders = 7');
      other.exec("insert into counted (intent_id, orders) values ('gone', '[]')");
      await begin();
      assert.equal(await isComplete(), false);
      await countAll();
      await assertCounted(ledger);
      assert.deepEqual(other.prepare("select * from counted where intent_id = 'gone'").all(), []);
    }
    other.close();
    await ledger.close();
  });

  it('keep nothing of an intent that was deleted', async () => {
    const file = join(folder, `${files++}.db`);
    const ledger = await openLedger(`sqlite:${file}`);
    for (const id of ['a', 'b']) await claim(ledger, id);
    await ledger.countChanges(9);
    // the newest intent stays
    assert.equal(await purge(ledger, 1, 9), 1);
    await assertCounted(ledger);
    const other = new DatabaseSync(file);
    const kept = other.prepare('select intent_id from counted').all() as { intent_id: string }[];
    assert.deepEqual(
      kept.map(({ intent_id }) => intent_id),
      ['b'],
    );
    other.close();
    await ledger.close();
  });

  it('tell the time to the payment to within 15 %', () => {
    const seconds = fc.double({ min: 1, max: 600_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 1 }), (times) => {
        const steps: Record<string, number> = {};
        for (const time of times) {
          const step = Math.floor(Math.log(time) / Math.log(1.25));
          steps[step] = (steps[step] ?? 0) + 1;
        }
        const sorted = times.toSorted((one, other) => one - other);
        for (const part of [0.5, 0.9]) {
          const exact = sorted[Math.ceil(part * sorted.length) - 1] ?? NaN;
          const told = timeOf(steps, part) ?? NaN;
          assert.ok(Math.abs(told / exact - 1) < 0.15, `${told} for ${exact}`);
        }
      }),
    );
    assert.equal(timeOf({}, 0.5), null);
  });
});
