/** How often an order is asked about, by its age. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { interval, nextCheck } from '../../../../relay/orders/polling/schedule.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Where wall clock and aging time agree. */
const at = (now: number): { now: number; ageAt: number } => ({ now, ageAt: now });

describe('interval', () => {
  for (const [age, expected] of [
    [0, 2 * SECOND],
    [MINUTE - 1, 2 * SECOND],
    [MINUTE, 5 * SECOND],
    [10 * MINUTE - 1, 5 * SECOND],
    [10 * MINUTE, 15 * SECOND],
    [HOUR - 1, 15 * SECOND],
    [HOUR, 5 * MINUTE],
    [DAY - 1, 5 * MINUTE],
    [DAY, HOUR],
    [30 * DAY, HOUR],
  ] as const)
    it(`is ${expected} ms for an order of ${age} ms`, () =>
      assert.equal(interval(1000, at(1000 + age)), expected));

  it('is 15 s when the order was made after both clocks, so that its age is not known', () =>
    assert.equal(interval(1000, at(999)), 15 * SECOND));

  it('takes the smaller age when the wall clock stepped forward', () =>
    assert.equal(interval(0, { now: 30 * DAY, ageAt: 5 * MINUTE }), 5 * SECOND));

  it('takes the wall clock when the order was made after its step', () =>
    assert.equal(interval(20 * DAY, { now: 20 * DAY + HOUR, ageAt: HOUR }), 5 * MINUTE));

  it('takes the age of an order that was made between two steps forward', () => {
    const between = [20 * DAY + 5 * MINUTE, 30 * DAY];
    const moment = { now: 40 * DAY, ageAt: 10 * DAY, between };
    assert.equal(interval(20 * DAY, moment), 5 * SECOND);
  });
});

describe('nextCheck', () => {
  it('is one interval after the present by the wall clock', () =>
    assert.equal(nextCheck(0, { now: 30 * DAY, ageAt: 5 * MINUTE }, 3), 30 * DAY + 5 * SECOND));

  it('comes as long as the order is followed, and then no more', () => {
    assert.equal(nextCheck(0, at(3 * DAY - HOUR), 3), 3 * DAY);
    assert.equal(nextCheck(0, at(3 * DAY - HOUR + 1), 3), null);
  });

  it('counts the days from the creation of the order', () =>
    assert.equal(nextCheck(DAY, at(4 * DAY - HOUR), 3), 4 * DAY));
});
