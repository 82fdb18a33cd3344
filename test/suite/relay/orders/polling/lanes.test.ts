/** The lanes say which query comes first. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  createLane,
  createYoungestLane,
  type Lane,
} from '../../../../../relay/orders/polling/lanes.js';

type Query = { createdAt: number; place: number; servedAs: 'scheduled' | null };

/** `take` gives the first query a slot; `serve` gives one to a query by another lane. */
type Step = { add: number } | 'take' | { serve: number };

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 40 }) }) },
    { weight: 1, arbitrary: fc.constant('take' as const) },
    { weight: 1, arbitrary: fc.record({ serve: fc.nat(400) }) },
  ),
  { maxLength: 400, size: 'max' },
);

/** Follows the steps, and compares each first query with that of a sorted list. */
function follow(
  script: readonly Step[],
  lane: Lane<Query>,
  sort: (one: Query, other: Query) => number,
): void {
  const queries: Query[] = [];
  for (const step of script) {
    if (step === 'take') {
      const first = lane.first();
      if (first) first.servedAs = 'scheduled';
    } else if ('add' in step) {
      const query: Query = { createdAt: step.add, place: queries.length, servedAs: null };
      queries.push(query);
      lane.add(query);
    } else {
      const query = queries[step.serve];
      if (query) query.servedAs = 'scheduled';
    }
    const waiting = queries.filter(({ servedAs }) => servedAs === null);
    assert.equal(lane.first(), waiting.sort(sort)[0]);
  }
}

describe('the lanes of the queue of queries', () => {
  it('give the query that came first, of those without a slot', () => {
    fc.assert(
      fc.property(steps, (script) => follow(script, createLane(), (a, b) => a.place - b.place)),
    );
  });

  it('give the youngest order, and of the same age the one that came first', () => {
    fc.assert(
      fc.property(steps, (script) =>
        follow(
          script,
          createYoungestLane(),
          (a, b) => b.createdAt - a.createdAt || a.place - b.place,
        ),
      ),
    );
  });

  it('forget the queries that got their slot by another lane', () => {
    const { count, query } = createCounter();
    const lane = createYoungestLane<Query>();
    const young: Query = { createdAt: 1000, place: 0, servedAs: null };
    lane.add(young);
    for (let place = 1; place <= 10_000; place++) lane.add(query(place, 'scheduled'));
    young.servedAs = 'scheduled';
    const before = count();
    assert.equal(lane.first(), undefined);
    assert.ok(count() - before < 2000, `${count() - before} reads`);
  });

  it('compare a new query with few others', () => {
    const { count, query } = createCounter();
    const lane = createYoungestLane<Query>();
    for (let place = 1; place <= 10_000; place++) lane.add(query(place, null));
    assert.ok(count() / 10_000 < 100, `${count() / 10_000} reads for each`);
  });
});

/** Queries of orders of the same age. The lane reads the age of each query that it compares. */
function createCounter(): {
  count: () => number;
  query: (place: number, servedAs: Query['servedAs']) => Query;
} {
  let reads = 0;
  return {
    count: () => reads,
    query: (place, servedAs) => ({
      get createdAt() {
        reads++;
        return 1;
      },
      place,
      servedAs,
    }),
  };
}
