/** Relays that share a ledger divide the budget of queries. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LedgerBusyError, LedgerLostError } from '../../../../../relay/ledger/ledger-errors.js';
import { createInstances, type Instances } from '../../../../../relay/orders/polling/instances.js';

type Relays = {
  counts: Map<string, number>;
  forgotten: string[];
  fail: Error | null;
  /** The ledger counts a heartbeat, and its answer is lost. */
  isAnswerLost: boolean;
  calls: number;
  now: number;
};

/** Relays that share one table of heartbeats, and one elapsed time. */
function relays(): { shared: Relays; start: (name: string) => Instances } {
  const shared: Relays = {
    counts: new Map(),
    forgotten: [],
    fail: null,
    isAnswerLost: false,
    calls: 0,
    now: 0,
  };
  const ledger = {
    heartbeat: async (name: string) => {
      shared.calls++;
      if (shared.fail) throw shared.fail;
      shared.counts.set(name, (shared.counts.get(name) ?? 0) + 1);
      if (shared.isAnswerLost) throw new LedgerLostError('the answer was lost');
      return new Map(shared.counts);
    },
    forgetInstance: async (name: string, count: number) => {
      if (shared.counts.get(name) !== count) return;
      shared.forgotten.push(name);
      shared.counts.delete(name);
    },
  };
  return { shared, start: (name) => createInstances(ledger, name, () => shared.now) };
}

describe('the share of a relay', () => {
  it('gives a single relay the whole budget, before and after its first heartbeat', async () => {
    const one = relays().start('one');
    assert.equal(one.share(20), 20);
    await one.heartbeat();
    assert.equal(one.share(20), 20);
  });

  it('divides the budget among the live relays at each relay’s next heartbeat', async () => {
    const { shared, start } = relays();
    const one = start('one');
    const two = start('two');
    await one.heartbeat();
    await two.heartbeat();
    assert.deepEqual([one.share(20), two.share(20)], [20, 1]);
    shared.now = 5000;
    await one.heartbeat();
    await two.heartbeat();
    assert.deepEqual([one.share(20), two.share(20)], [10, 10]);
  });

  it('divides the budget between two relays of one name, which then have two', async () => {
    const { shared, start } = relays();
    const [one, two] = [start('host:8787'), start('host:8787')];
    for (; shared.now <= 40_000; shared.now += 5000) {
      await one.heartbeat();
      await two.heartbeat();
    }
    assert.deepEqual([one.share(20), two.share(20)], [10, 10]);
    assert.match(one.names()[0] ?? '', /^host:8787 [0-9a-f]{8}$/);
    assert.deepEqual([...one.names()].sort(), [...two.names()].sort());
  });

  it('keeps its name after a heartbeat whose answer was lost', async () => {
    const { shared, start } = relays();
    const one = start('one');
    await one.heartbeat();
    shared.now = 5000;
    shared.isAnswerLost = true;
    await assert.rejects(one.heartbeat(), LedgerLostError);
    shared.isAnswerLost = false;
    for (shared.now = 10_000; shared.now <= 20_000; shared.now += 5000) await one.heartbeat();
    assert.deepEqual(one.names(), ['one']);
  });

  it('gives a new relay no more than its part when the budget is small', async () => {
    const { start } = relays();
    await start('one').heartbeat();
    const two = start('two');
    await two.heartbeat();
    assert.equal(two.share(1), 0.5);
  });

  it('gives a relay its part at once when it restarts under its name', async () => {
    const { start } = relays();
    await start('one').heartbeat();
    await start('two').heartbeat();
    const again = start('two');
    await again.heartbeat();
    assert.equal(again.share(20), 10);
  });

  it('enlarges the share when the other relay has been silent for fifteen seconds', async () => {
    const { shared, start } = relays();
    const one = start('one');
    await start('two').heartbeat();
    await one.heartbeat();
    for (shared.now = 5000; shared.now < 15_000; shared.now += 5000) await one.heartbeat();
    assert.equal(one.share(20), 10);
    await one.heartbeat();
    assert.equal(one.share(20), 20);
  });

  it('counts the other relay again when it returns', async () => {
    const { shared, start } = relays();
    const [one, two] = [start('one'), start('two')];
    await two.heartbeat();
    await one.heartbeat();
    shared.now = 20_000;
    await one.heartbeat();
    assert.equal(one.share(20), 20);
    await two.heartbeat();
    shared.now = 25_000;
    await one.heartbeat();
    assert.equal(one.share(20), 10);
  });
});

describe('the heartbeat', () => {
  it('writes at most one heartbeat in five seconds', async () => {
    const { shared, start } = relays();
    const one = start('one');
    await one.heartbeat();
    shared.now = 4999;
    await one.heartbeat();
    assert.equal(shared.calls, 1);
    shared.now = 5000;
    await one.heartbeat();
    assert.equal(shared.calls, 2);
  });

  it('removes a relay that has been silent for more than five minutes', async () => {
    const { shared, start } = relays();
    const one = start('one');
    await start('two').heartbeat();
    await one.heartbeat();
    shared.now = 300_000;
    await one.heartbeat();
    assert.deepEqual(shared.forgotten, []);
    shared.now = 305_001;
    await one.heartbeat();
    assert.deepEqual(shared.forgotten, ['two']);
    shared.now = 310_001;
    await one.heartbeat();
    assert.deepEqual(shared.forgotten, ['two']);
  });

  it('reports the ledger as read-only while no heartbeat can be written', async () => {
    const { shared, start } = relays();
    const one = start('one');
    assert.equal(one.isReadOnly(), false);
    for (const failure of [new LedgerBusyError('locked'), new LedgerLostError('disk full')]) {
      shared.fail = failure;
      await assert.rejects(one.heartbeat(), failure);
      assert.equal(one.isReadOnly(), true);
      shared.now += 5000;
      shared.fail = null;
      await one.heartbeat();
      assert.equal(one.isReadOnly(), false);
      shared.now += 5000;
    }
  });
});
