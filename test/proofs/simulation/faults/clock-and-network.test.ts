/** A mutant relies on what a fault draws from a named number. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BACK_FOR_GOOD, drawClock } from './clock-and-network.js';

it('draws a step of 30 hours back that is not corrected, of any clock', () => {
  const stepMs = 30 * 3_600_000;
  const expected = { stepMs, isBackward: true, isUndone: false, ofDatabase: true };
  assert.deepEqual(drawClock(BACK_FOR_GOOD), expected);
});
