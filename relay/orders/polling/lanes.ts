/**
 * The lanes of the queue of queries. A query may be in several lanes. One that got its slot by
 * another lane is skipped when it comes to the front: to remove it from the middle would take time
 * in proportion to the length of the lane.
 */

/** What a lane knows of a query. */
type InLane = {
  createdAt: number;
  /** The number of queries that came before it. */
  place: number;
  /** Null while it waits. */
  servedAs: unknown;
};

export type Lane<T extends InLane> = {
  add(waiting: T): void;
  /** The first query that has no slot yet. */
  first(): T | undefined;
};

/** Queries in the order in which they came. */
export function createLane<T extends InLane>(): Lane<T> {
  let lane: T[] = [];
  let front = 0;
  return {
    add: (waiting) => void lane.push(waiting),
    first: () => {
      for (let next = lane[front]; next?.servedAs; next = lane[front]) front++;
      // so late that each query is copied once at most, on average
      if (front > lane.length / 2) {
        lane = lane.slice(front);
        front = 0;
      }
      return lane[front];
    },
  };
}

/** A shorter lane is not worth the sorting. */
const MIN_SORTED = 64;

/** The youngest first; of the same age, the one that came first. */
const compare = (one: InLane, other: InLane): number =>
  other.createdAt - one.createdAt || one.place - other.place;

/**
 * Queries by the age of their orders, the youngest first. The lane is a binary heap: the query at
 * `index` comes before those at `2 * index + 1` and `2 * index + 2`.
 */
export function createYoungestLane<T extends InLane>(): Lane<T> {
  let heap: T[] = [];
  /** At this length the queries that have a slot are removed. */
  let sortAt = MIN_SORTED;

  const rise = (waiting: T): void => {
    let free = heap.length;
    for (;;) {
      const above = (free - 1) >> 1;
      // there is none above the first
      const other = heap[above];
      if (!other || compare(other, waiting) < 0) break;
      heap[free] = other;
      free = above;
    }
    heap[free] = waiting;
  };
  const removeFirst = (): void => {
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let free = 0;
    for (;;) {
      const [left, right] = [heap[2 * free + 1], heap[2 * free + 2]];
      const isLeft = left && (!right || compare(left, right) < 0);
      const next = isLeft ? left : right;
      if (!next || compare(last, next) < 0) break;
      heap[free] = next;
      free = 2 * free + (isLeft ? 1 : 2);
    }
    heap[free] = last;
  };
  return {
    add: (waiting) => {
      rise(waiting);
      if (heap.length < sortAt) return;
      // a sorted list is a heap
      heap = heap.filter(({ servedAs }) => servedAs === null).sort(compare);
      sortAt = Math.max(MIN_SORTED, 2 * heap.length);
    },
    first: () => {
      while (heap[0]?.servedAs) removeFirst();
      return heap[0];
    },
  };
}
