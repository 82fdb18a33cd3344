/** A ledger that can be read but not written, as on a full disk. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { systemClock } from '../../../../relay/runtime.js';
import { createWorld, openIntent, type World } from '../../support/world.js';
import { beforeChanges } from '../../support/ledger-calls.js';

const MESSAGE = 'the ledger cannot be written: is its disk full?';

/** A world whose ledger fails in one kind of writes while `disk.full` is set. */
function worldOnDisk(writes: 'claims' | 'others' | 'heartbeat'): {
  world: World;
  disk: { full: boolean };
  /** Moves the relay's elapsed time ahead. */
  pass: (ms: number) => void;
} {
  const disk = { full: false };
  const failWhenFull = (): void => {
    if (disk.full) throw new LedgerBusyError(MESSAGE);
  };
  const inner = memoryLedger();
  const heartbeat: Ledger['heartbeat'] = async (instance) => {
    failWhenFull();
    return inner.heartbeat(instance);
  };
  const ledger =
    writes === 'heartbeat' ? { ...inner, heartbeat } : beforeChanges(inner, writes, failWhenFull);
  let ahead = 0;
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + ahead };
  return { world: createWorld({ ledger, clock }), disk, pass: (ms) => void (ahead += ms) };
}
const pay = (world: World, attempt = crypto.randomUUID()): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' });
const ready = async ({ relay }: World): Promise<unknown[]> => {
  const response = await relay.fetch(new Request('https://shop.example/readyz'));
  const { ledger, status } = (await response.json()) as Record<string, unknown>;
  const { ledger_read_only } = await relay.gauges();
  return [response.status, status, ledger, ledger_read_only];
};
const failureOf = ({
  body,
}: Awaited<ReturnType<World['ask']>>): { code: string; message: string } =>
  body.error as { code: string; message: string };

describe('a ledger that cannot be written', () => {
  it('answers 503 without “nothing was placed” when a sent pay cannot be recorded', async () => {
    const { disk, world } = worldOnDisk('others');
    disk.full = true;
    const attempt = crypto.randomUUID();
    const answer = await pay(world, attempt);
    const { code, message } = failureOf(answer);
    assert.deepEqual([answer.status, code], [503, 'ledger_unavailable']);
    assert.match(message, /cannot be written/);
    assert.doesNotMatch(message, /nothing was placed/);
    assert.equal(world.pays().length, 1);
    const [line] = world.log.filter(({ event, level }) => event === 'pay' && level === 'error');
    const sent = world.pays()[0]?.request_id;
    assert.equal(line?.fields.request_id, sent);
    // the claim stays, so the order is sent once
    disk.full = false;
    assert.equal((await pay(world, attempt)).body.order?.request_id, sent);
    assert.equal(world.pays().length, 1);
  });

  it('answers 503 and says that nothing was placed when an order cannot be claimed', async () => {
    const { disk, world } = worldOnDisk('claims');
    disk.full = true;
    const answer = await pay(world);
    assert.equal(answer.status, 503);
    assert.match(failureOf(answer).message, /nothing was placed/);
    assert.equal(world.pays().length, 0);
  });

  it('reports a read-only ledger on /readyz and in a gauge, until it is written', async () => {
    const { disk, pass, world } = worldOnDisk('heartbeat');
    await world.relay.tick();
    assert.deepEqual(await ready(world), [200, 'ok', 'ok', 0]);
    disk.full = true;
    pass(5000);
    await world.relay.tick();
    assert.deepEqual(await ready(world), [200, 'ok', 'read_only', 1]);
    disk.full = false;
    pass(5000);
    await world.relay.tick();
    assert.deepEqual(await ready(world), [200, 'ok', 'ok', 0]);
  });

  it('reports it too while only orders cannot be written, as in a locked table', async () => {
    const { disk, pass, world } = worldOnDisk('claims');
    const fail = async (): Promise<void> => {
      disk.full = true;
      assert.equal((await pay(world)).status, 503);
      pass(5000);
      await world.relay.tick();
      assert.deepEqual(await ready(world), [200, 'ok', 'read_only', 1], 'after a heartbeat');
    };
    await fail();
    disk.full = false;
    assert.equal((await pay(world)).status, 200);
    assert.deepEqual(await ready(world), [200, 'ok', 'ok', 0], 'after another pay');
    await fail();
    pass(60_000);
    assert.deepEqual(await ready(world), [200, 'ok', 'ok', 0], 'when nobody pays any more');
  });
});
