/** Signals are counted until the next query of their order takes them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSignalCounts } from '../../../../relay/webhooks/signal-counts.js';

const at = (moment: number) => ({ first: moment, last: moment, count: 1 });

it('adds up the signals of an order until they are taken', () => {
  const counts = createSignalCounts();
  for (const moment of [20, 10, 30]) counts.add('r1', at(moment));
  counts.add('r2', at(40));
  assert.deepEqual(counts.take('r1'), { first: 10, last: 30, count: 3 });
  assert.deepEqual([counts.take('r1'), counts.take('r2')], [null, at(40)]);
});

it('forgets the orders that have waited longest when there are too many', () => {
  const counts = createSignalCounts();
  for (let order = 0; order <= 10_000; order++) counts.add(`r${order}`, at(order));
  assert.deepEqual([counts.take('r0'), counts.take('r1')], [null, at(1)]);
});
