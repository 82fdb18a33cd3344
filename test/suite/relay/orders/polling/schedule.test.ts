/** The interval between the queries of an order, by the order's age. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LedgerClock } from '../../../../../relay/ledger/ledger-clock.js';
import { agesNow, interval, nextCheck } from '../../../../../relay/orders/polling/schedule.js';
import { createParts } from '../parts.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A moment at which the wall clock and the counted time agree. */
const at = (now: number): { now: number; ageAt: number } => ({ now, ageAt: now });

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
      assert.equal(interval(1000, at(1000 + age)), expected));

  it('waits 15 s when the order was made after both clocks, so that its age is unknown', () =>
    assert.equal(interval(1000, at(999)), 15 * SECOND_MS));

  it('takes the smaller age when the wall clock stepped forward', () =>
    assert.equal(interval(0, { now: 30 * DAY_MS, ageAt: 5 * MINUTE_MS }), 5 * SECOND_MS));

  it('takes the wall clock when the order was made after its step', () =>
    assert.equal(
      interval(20 * DAY_MS, { now: 20 * DAY_MS + HOUR_MS, ageAt: HOUR_MS }),
      5 * MINUTE_MS,
    ));

  it('takes the age of an order that was made between two steps forward', () => {
    const between = [20 * DAY_MS + 5 * MINUTE_MS, 30 * DAY_MS];
    const moment = { now: 40 * DAY_MS, ageAt: 10 * DAY_MS, between };
    assert.equal(interval(20 * DAY_MS, moment), 5 * SECOND_MS);
  });

  it('takes the time between two steps as a second later, since it is not exact', () => {
    const moment = { now: 40 * DAY_MS, ageAt: 10 * DAY_MS, between: [20 * DAY_MS] };
    assert.equal(interval(20 * DAY_MS + SECOND_MS, moment), 2 * SECOND_MS);
    assert.equal(interval(20 * DAY_MS + SECOND_MS + 1, moment), HOUR_MS);
  });
});

describe('nextCheck', () => {
  it('dates the next check one interval after the present by the wall clock', () =>
    assert.equal(
      nextCheck(0, { now: 30 * DAY_MS, ageAt: 5 * MINUTE_MS }, 3),
      30 * DAY_MS + 5 * SECOND_MS,
    ));

  it('returns null as the next check after the days for which an order is followed', () => {
    assert.equal(nextCheck(0, at(3 * DAY_MS - HOUR_MS), 3), 3 * DAY_MS);
    assert.equal(nextCheck(0, at(3 * DAY_MS - HOUR_MS + 1), 3), null);
  });

  it('counts the days for which an order is followed from its creation', () =>
    assert.equal(nextCheck(DAY_MS, at(4 * DAY_MS - HOUR_MS), 3), 4 * DAY_MS));
});

describe('agesNow', () => {
  it('reads each of the times that ages are measured by', async () => {
    const { context } = await createParts();
    const ledgerClock: LedgerClock = {
      ...context.ledgerClock,
      agingNow: () => 4,
      dateNow: () => 5,
      agingBetweenSteps: () => [6, 7],
    };
    assert.deepEqual(agesNow(ledgerClock), { ageAt: 4, dateAt: 5, between: [6, 7] });
  });
});
