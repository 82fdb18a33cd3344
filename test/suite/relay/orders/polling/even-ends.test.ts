/** The ends of long polls are spread only when many would come at once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEvenEnds } from '../../../../../relay/orders/polling/pacing.js';

const WAIT_MS = 25_000;

/** Chooses the end of a long poll that begins at `now`, in elapsed time. */
function ends(): (now: number, ms?: number) => number {
  let elapsed = 0;
  const evenEnd = createEvenEnds(() => elapsed);
  return (now, ms = WAIT_MS) => {
    elapsed = now;
    return now + evenEnd(ms);
  };
}

/** The largest number of ends within any slot of 250 ms. */
function mostAtOnce(times: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const time of times) {
    const slot = Math.floor(time / 250);
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

describe('the ends of long polls', () => {
  it('shortens none of a few that begin at once', () => {
    const end = ends();
    for (let n = 0; n < 20; n++) assert.equal(end(1000), 1000 + WAIT_MS);
    assert.ok(end(1000) < 1000 + WAIT_MS);
  });

  it('shortens none of thousands that begin one after the other', () => {
    const end = ends();
    for (let n = 0; n < 20_000; n++) {
      const now = n * 2.5;
      const ended = end(now);
      // the first ones find slots that are still empty
      if (now > WAIT_MS) assert.equal(ended, now + WAIT_MS, `the one that began at ${now} ms`);
    }
  });

  it('spreads those that begin at once evenly over the last two fifths of their time', () => {
    const end = ends();
    const times = Array.from({ length: 10_000 }, () => end(0));
    assert.ok(Math.min(...times) >= 0.6 * WAIT_MS);
    assert.equal(Math.max(...times), WAIT_MS);
    // ten seconds have forty slots
    assert.ok(mostAtOnce(times) <= 1.3 * (times.length / 40), `${mostAtOnce(times)} at once`);
  });

  it('spreads them over the whole time after they came back some times', () => {
    const end = ends();
    const waiting = Array.from({ length: 10_000 }, () => end(0));
    const shortened = (): number => {
      let count = 0;
      for (const began of [...waiting].sort((a, b) => a - b)) {
        const ended = end(began);
        if (ended < began + WAIT_MS) count++;
        waiting.shift();
        waiting.push(ended);
      }
      return count;
    };
    const counts = Array.from({ length: 12 }, shortened);
    assert.ok((counts.at(-1) ?? 0) < 1000, `shortened: ${counts.join(', ')}`);
    // the average is a hundred
    assert.ok(mostAtOnce(waiting) < 200, `${mostAtOnce(waiting)} at once`);
  });

  it('never shortens one by more than two fifths, nor lengthens it', () => {
    const end = ends();
    for (const ms of [0, 100, 1000, 24_999])
      for (let n = 0; n < 100; n++) {
        const waited = end(777, ms) - 777;
        assert.ok(waited >= 0.6 * ms && waited <= ms, `${waited} of ${ms} ms`);
      }
  });
});
