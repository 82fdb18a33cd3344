/** The scheduler of virtual time. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createScheduler } from './scheduler.js';

describe('the scheduler', () => {
  it('runs events by time, and events of the same time in the order of planning', async () => {
    const scheduler = createScheduler();
    const seen: string[] = [];
    for (const [ms, name] of [
      [20, 'c'],
      [10, 'a'],
      [10, 'b'],
      [30, 'd'],
    ] as const)
      scheduler.after(ms, () => seen.push(`${name} ${scheduler.now()}`));
    await scheduler.run(100);
    assert.deepEqual(seen, ['a 10', 'b 10', 'c 20', 'd 30']);
    assert.equal(scheduler.now(), 100);
  });

  it('lets the code after a sleep run before the next event', async () => {
    const scheduler = createScheduler();
    const seen: string[] = [];
    const work = async (): Promise<void> => {
      await scheduler.sleep(10);
      for (let left = 20; left > 0; left--) await Promise.resolve();
      seen.push('worked');
    };
    const working = work();
    scheduler.after(10, () => seen.push('event'));
    await scheduler.run(10);
    await working;
    assert.deepEqual(seen, ['worked', 'event']);
  });

  it('leaves out a cancelled event', async () => {
    const scheduler = createScheduler();
    let ran = false;
    const cancel = scheduler.after(5, () => (ran = true));
    cancel();
    await scheduler.run(10);
    assert.equal(ran, false);
  });

  it('runs no event after `until`, and goes on from there in the next run', async () => {
    const scheduler = createScheduler();
    const seen: number[] = [];
    for (const ms of [5, 15]) scheduler.after(ms, () => seen.push(ms));
    await scheduler.run(10);
    assert.deepEqual(seen, [5]);
    await scheduler.run(20);
    assert.deepEqual(seen, [5, 15]);
  });

  it('stops after the present event when `stop` is called', async () => {
    const scheduler = createScheduler();
    let ran = false;
    scheduler.after(1, scheduler.stop);
    scheduler.after(2, () => (ran = true));
    await scheduler.run(10);
    assert.deepEqual([ran, scheduler.now()], [false, 1]);
  });

  it('keeps many events in order', async () => {
    const scheduler = createScheduler();
    const seen: number[] = [];
    for (let index = 0; index < 1000; index++)
      scheduler.after((index * 7919) % 997, () => seen.push(scheduler.now()));
    await scheduler.run(1000);
    assert.equal(seen.length, 1000);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
  });
});
