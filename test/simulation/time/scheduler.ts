/**
 * A discrete-event scheduler. Virtual time stands still while code runs, and jumps to the next
 * event when nothing is left to do, so nothing waits on real time.
 */

/** Ends a planned event before it happens. */
export type Cancel = () => void;

export type Scheduler = {
  /** Virtual milliseconds since the world began. */
  now(): number;
  /** Plans an event; events of one moment happen in the order in which they were planned. */
  after(ms: number, run: () => void): Cancel;
  sleep(ms: number): Promise<void>;
  /** Runs events until `until`, or until `stop` is called. */
  run(until: number): Promise<void>;
  /** Ends `run` after the present event. */
  stop(): void;
};

type Planned = { at: number; order: number; run: (() => void) | null };

/** Taken before the globals are replaced. */
const realSetImmediate = setImmediate;

/**
 * Lets all code run that waits for promises alone. It suffices because no code of the simulation
 * waits for a thread or a socket: cryptography and SQLite answer at once.
 */
const settle = (): Promise<void> => new Promise((resolve) => void realSetImmediate(resolve));

export function createScheduler(): Scheduler {
  const heap = createHeap();
  let now = 0;
  let planned = 0;
  let stopped = false;

  const after = (ms: number, run: () => void): Cancel => {
    const event: Planned = { at: now + Math.max(0, Math.ceil(ms)), order: planned++, run };
    heap.push(event);
    return () => {
      event.run = null;
    };
  };
  return {
    now: () => now,
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    stop: () => {
      stopped = true;
    },
    run: async (until) => {
      stopped = false;
      await settle();
      for (;;) {
        const next = heap.peek();
        if (!next || next.at > until || stopped) break;
        heap.pop();
        if (next.run === null) continue;
        now = next.at;
        next.run();
        await settle();
      }
      if (!stopped) now = Math.max(now, until);
    },
  };
}

/** A binary heap; the earliest event is on top. */
function createHeap(): { push(event: Planned): void; peek(): Planned | undefined; pop(): void } {
  const events: Planned[] = [];
  const isBefore = (one: number, other: number): boolean => {
    const [a, b] = [events[one], events[other]];
    if (!a || !b) return a !== undefined;
    return a.at === b.at ? a.order < b.order : a.at < b.at;
  };
  const swap = (one: number, other: number): void => {
    const [a, b] = [events[one], events[other]];
    if (a && b) [events[one], events[other]] = [b, a];
  };
  return {
    push: (event) => {
      events.push(event);
      let at = events.length - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(at, parent)) return;
        swap(at, parent);
        at = parent;
      }
    },
    peek: () => events[0],
    pop: () => {
      const last = events.pop();
      if (!last || events.length === 0) return;
      events[0] = last;
      for (let at = 0; ;) {
        const left = 2 * at + 1;
        const smaller = left + 1 < events.length && isBefore(left + 1, left) ? left + 1 : left;
        if (smaller >= events.length || !isBefore(smaller, at)) return;
        swap(at, smaller);
        at = smaller;
      }
    },
  };
}
