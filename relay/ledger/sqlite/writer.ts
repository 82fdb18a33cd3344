/**
 * Writes of one SQLite connection. Each is one program, which runs without a pause, reads and
 * decides first and writes last. Those that arrive together form a group, which is committed once
 * (group commit), because a commit blocks the event loop until the disk has written. Nobody is
 * answered before the commit.
 */
import { asBusy, MAX_WRITE_WAIT_MS, retryWhileBusy } from './busy.js';
import type { Program } from '../tables/program.js';
import type { Statements } from './statements.js';

export type Writer = {
  /** @throws LedgerBusyError when another process holds the lock, or the disk is full */
  write<T>(program: () => Program<T>): Promise<T>;
  /** Waits for the writes under way. */
  idle(): Promise<void>;
};

type Member = {
  /** Until when the write waits for the lock. */
  readonly deadline: number;
  /** @returns what answers the caller, once the group is committed */
  run(): () => void;
  reject(error: unknown): void;
};

/** A larger group would block the event loop for long. */
const MAX_GROUP = 100;

/** @param elapsed milliseconds since an unspecified moment */
export function createWriter(db: Statements, elapsed = (): number => performance.now()): Writer {
  const waiting: Member[] = [];
  let writing: Promise<void> | null = null;

  const writeAll = async (): Promise<void> => {
    // the writes of requests that have already arrived join the group
    await new Promise((resolve) => setImmediate(resolve));
    for (let [first] = waiting; first; [first] = waiting)
      if (await begin(first)) await writeGroup(waiting.splice(0, MAX_GROUP));
      else waiting.shift();
    writing = null;
  };
  /** @returns whether the transaction has begun; if not, its first write is refused */
  const begin = async ({ deadline, reject }: Member): Promise<boolean> => {
    try {
      await retryWhileBusy(deadline, () => db.begin(), elapsed);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  };
  /** Runs in a transaction that has begun. */
  const writeGroup = async (group: readonly Member[]): Promise<void> => {
    let answers: (() => void)[];
    try {
      answers = group.map(({ run }) => run());
      db.execute('commit');
    } catch (error) {
      try {
        db.rollBack();
      } catch (failure) {
        // each caller needs an answer: without one, it and every later write would wait for ever
        for (const { reject } of group) reject(asBusy(failure));
        return;
      }
      const [member, ...others] = group;
      if (others.length === 0) return member?.reject(asBusy(error));
      // one of them failed, after others may have written: each runs again, alone
      for (const each of group) if (await begin(each)) await writeGroup([each]);
      return;
    }
    answers.forEach((answer) => answer());
  };

  return {
    write: (program) =>
      new Promise((resolve, reject) => {
        const run = (): (() => void) => {
          const result = db.run(program());
          return () => resolve(result);
        };
        waiting.push({ deadline: elapsed() + MAX_WRITE_WAIT_MS, run, reject });
        writing ??= writeAll();
      }),
    idle: async () => {
      while (writing) await writing;
    },
  };
}
