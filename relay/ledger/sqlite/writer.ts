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
  /** @returns what answers the caller, once the group is committed */
  run(): () => void;
  reject(error: unknown): void;
};

/** A larger group would block the event loop for long. */
const MAX_GROUP = 100;

export function createWriter(db: Statements): Writer {
  const waiting: Member[] = [];
  let writing: Promise<void> | null = null;

  const writeAll = async (): Promise<void> => {
    // the writes of requests that have already arrived join the group
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await writeGroup(waiting.splice(0, MAX_GROUP));
    writing = null;
  };
  const writeGroup = async (group: readonly Member[]): Promise<void> => {
    try {
      const deadline = performance.now() + MAX_WRITE_WAIT_MS;
      await retryWhileBusy(deadline, () => db.begin());
    } catch (error) {
      return group.forEach(({ reject }) => reject(error));
    }
    let answers: (() => void)[];
    try {
      answers = group.map(({ run }) => run());
      db.execute('commit');
    } catch (error) {
      db.rollBack();
      const [member, ...others] = group;
      if (others.length === 0) return member?.reject(asBusy(error));
      // one of them failed, after others may have written: each runs again, alone
      for (const each of group) await writeGroup([each]);
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
        waiting.push({ run, reject });
        writing ??= writeAll();
      }),
    idle: async () => {
      while (writing) await writing;
    },
  };
}
