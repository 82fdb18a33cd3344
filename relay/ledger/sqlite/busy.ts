/** Turns SQLite's errors about locks and disks into errors of the ledger. */
import { LedgerBusyError } from '../ledger-errors.js';

/** Delay before a busy BEGIN is retried; SQLite's own busy timeout would block the event loop. */
const BUSY_RETRY_MS = 3;
/** How long a write waits for the lock, from when it was asked for. */
export const MAX_WRITE_WAIT_MS = 4000;

export const isBusy = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_BUSY|database is locked/.test(error.message);
const isFull = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_FULL|disk is full|SQLITE_IOERR|disk I\/O/.test(error.message);
const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_READONLY|readonly database/.test(error.message);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const busy = (cause?: unknown): LedgerBusyError =>
  new LedgerBusyError('the ledger is locked by another process', { cause });

/**
 * Turns the error of a lock, or of a disk that takes no writes, into a LedgerBusyError; returns any
 * other as it is.
 */
export function asBusy(error: unknown): unknown {
  if (isBusy(error)) return busy(error);
  const why = isFull(error) ? 'is its disk full?' : 'its file or its disk is read-only';
  return isFull(error) || isReadOnly(error)
    ? new LedgerBusyError(`the ledger cannot be written: ${why}`, { cause: error })
    : error;
}

/**
 * @param deadline by `elapsed`
 * @throws LedgerBusyError when the lock is still held at `deadline`
 */
export async function retryWhileBusy<T>(
  deadline: number,
  work: () => T,
  elapsed = (): number => performance.now(),
): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw asBusy(error);
      if (elapsed() >= deadline) throw busy(error);
      await sleep(BUSY_RETRY_MS);
    }
  }
}
