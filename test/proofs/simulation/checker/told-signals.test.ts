/** Which signals of the service the timeline of an order must count. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createDisturbances } from './disturbances.js';
import type { Fact } from './facts.js';
import { createKnown } from './known.js';
import { createToldSignals } from './told-signals.js';

const MINUTE_MS = 60_000;
const relay = {};
const signalled: Fact = { kind: 'signalled', requestId: 'r1' };
const taken: Fact = { kind: 'signal_taken', requestId: 'r1', relay };
const asked = (by: object = relay): Fact => ({ kind: 'asked', requestId: 'r1', relay: by });

/** @returns whether a timeline may tell so many signals after facts, each with its time */
function mayTell(
  told: number,
  facts: readonly (readonly [at: number, fact: Fact])[],
  disturbances = createDisturbances(),
): boolean {
  let now = 0;
  const failures: string[] = [];
  const signals = createToldSignals({
    known: createKnown(() => now),
    disturbances,
    promised: { followMs: 0, unpaidAfterMs: null },
    now: () => now,
    fail: (text) => void failures.push(text),
    tried: () => {},
  });
  for (const [at, fact] of facts) {
    now = at;
    signals.on(fact);
  }
  now = 100 * MINUTE_MS;
  signals.check('leaf', 'r1', told);
  return failures.length === 0;
}

const counted = [
  [0, signalled],
  [1, taken],
  [5 * MINUTE_MS, asked()],
] as const;

it('demands each signal that a relay took before it asked', () => {
  assert.deepEqual(
    [0, 1, 2].map((told) => mayTell(told, counted)),
    [false, true, false],
  );
});

it('demands no signal that was lost, or that came after the last query of its relay', () => {
  const facts = [
    [0, signalled],
    [MINUTE_MS, asked()],
    [2 * MINUTE_MS, signalled],
    [2 * MINUTE_MS, taken],
    [9 * MINUTE_MS, asked({})],
  ] as const;
  assert.deepEqual(
    [0, 1, 2, 3].map((told) => mayTell(told, facts)),
    [true, true, true, false],
  );
});

it('demands no signal that a fault may have taken from the ledger', () => {
  const disturbances = createDisturbances();
  disturbances.begin('leaf', 6 * MINUTE_MS).end(7 * MINUTE_MS);
  assert.equal(mayTell(0, counted, disturbances), true);
});
