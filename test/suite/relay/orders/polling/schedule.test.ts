/** The interval between the queries of an order, by the order's age. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { interval, nextCheck } from '../../../../../relay/orders/polling/schedule.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('interval', () => {
  for (const [age, expected] of [
    [0, 2 * SECOND_MS],
    [MINUTE_MS - 1, 2 * SECOND_MS],
    [MINUTE_MS, 5 * SECOND_MS],
    [10 * MINUTE_MS - 1, 5 * SECOND_MS],
    [10 * MINUTE_MS, 15 * SECOND_MS],
    [HOUR_MS - 1, 15 * SECOND_MS],
    [HOUR_MS, 5 * MINUTE_MS],
    [DAY_MS - 1, 5 * MINUTE_MS],
    [DAY_MS, HOUR_MS],
    [30 * DAY_MS, HOUR_MS],
  ] as const)
    it(`waits ${expected} ms when the order is ${age} ms old`, () =>
      assert.equal(interval(age), expected));

  it('waits 15 s when the age of the order is not known', () =>
    assert.equal(interval(null), 15 * SECOND_MS));
});

describe('nextCheck', () => {
  it('dates the next check one interval after the present', () =>
    assert.equal(nextCheck(5 * MINUTE_MS, 30 * DAY_MS, 3), 30 * DAY_MS + 5 * SECOND_MS));

  it('returns null as the next check after the days for which an order is followed', () => {
    assert.equal(nextCheck(3 * DAY_MS - HOUR_MS, 7, 3), 7 + HOUR_MS);
    assert.equal(nextCheck(3 * DAY_MS - HOUR_MS + 1, 7, 3), null);
  });

  it('counts the days from the age at which they began again', () => {
    assert.equal(nextCheck(33 * DAY_MS - HOUR_MS, 7, 3, 30 * DAY_MS), 7 + HOUR_MS);
    assert.equal(nextCheck(33 * DAY_MS - HOUR_MS + 1, 7, 3, 30 * DAY_MS), null);
  });

  it('follows an order of unknown age', () =>
    assert.equal(nextCheck(null, 7, 3), 7 + 15 * SECOND_MS));
});
