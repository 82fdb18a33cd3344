/**
 * A discrete-event scheduler. Virtual time stands still while code runs, and jumps to the next
 * event when nothing is left to do, so nothing waits on real time.
 */

/** Cancels a planned event. */
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
 * Events in one turn of the runtime's event loop. Between two events the runtime runs all code that
 * waits for promises. This suffices because no code of the simulation waits for a thread or a
 * socket: cryptography and SQLite are synchronous. One turn per event would cost one system call
 * per event.
 */
const EVENTS_PER_TURN = 200;

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
  /** The earliest event that was not cancelled; it stays planned. */
  const nextEvent = (): { at: number; run: () => void } | undefined => {
    for (;;) {
      const next = heap.peek();
      if (!next) return undefined;
      const { at, run } = next;
      if (run) return { at, run };
      heap.pop();
    }
  };
  return {
    now: () => now,
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    stop: () => {
      stopped = true;
    },
    run: (until) =>
      new Promise((resolve, reject) => {
        stopped = false;
        let ended = false;
        const runNext = (): void => {
          if (ended) return;
          const next = nextEvent();
          if (next && next.at <= until && !stopped) {
            heap.pop();
            now = next.at;
            next.run();
            return;
          }
          ended = true;
          if (!stopped) now = Math.max(now, until);
          resolve();
        };
        const step = (): void => {
          try {
            runNext();
          } catch (error) {
            ended = true;
            reject(error);
          }
        };
        const turn = (): void => {
          if (ended) return;
          for (let left = EVENTS_PER_TURN; left > 0; left--) realSetImmediate(step);
          realSetImmediate(turn);
        };
        turn();
      }),
  };
}

const isBefore = (a: Planned, b: Planned): boolean =>
  a.at === b.at ? a.order < b.order : a.at < b.at;

/** A binary heap; the earliest event is on top. */
function createHeap(): { push(event: Planned): void; peek(): Planned | undefined; pop(): void } {
  const events: Planned[] = [];
  /** Puts an event into the free entry `from`, or above it. */
  const rise = (event: Planned, from: number): void => {
    let free = from;
    while (free > 0) {
      const parent = (free - 1) >> 1;
      const above = events[parent];
      if (above === undefined || !isBefore(event, above)) break;
      events[free] = above;
      free = parent;
    }
    events[free] = event;
  };
  /** Puts an event on top, or below it. */
  const sink = (event: Planned): void => {
    let free = 0;
    for (;;) {
      const left = events[2 * free + 1];
      const right = events[2 * free + 2];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const below = isRight ? right : left;
      if (below === undefined || !isBefore(below, event)) break;
      events[free] = below;
      free = 2 * free + (isRight ? 2 : 1);
    }
    events[free] = event;
  };
  return {
    push: (event) => rise(event, events.length),
    peek: () => events[0],
    pop: () => {
      const last = events.pop();
      if (last && events.length > 0) sink(last);
    },
  };
}
