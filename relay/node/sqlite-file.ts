/** Checks of a ledger's file: private to its owner, complete, and still in its place. */
import { LedgerGoneError } from '../ledger/ledger.js';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const FIRST_PAGE_WAIT_MS = 2000;
const CHECK_EVERY_MS = 20;

/**
 * Creates a file that only its owner can read, since a ledger names customers and holds keys.
 * SQLite gives its other files (-wal, -shm) the same mode. An existing file keeps its mode.
 *
 * @throws Error when the file is empty
 */
export async function createPrivately(file: string): Promise<void> {
  if (isNoFile(file)) return;
  try {
    closeSync(openSync(file, 'ax', 0o600));
    return;
  } catch {
    // the file exists, or SQLite will report what is wrong with the path
  }
  // another starting relay soon writes its first page; a file that was truncated stays empty
  const end = Date.now() + FIRST_PAGE_WAIT_MS;
  while (isEmpty(file) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  if (isEmpty(file))
    throw new Error(
      `ledger: ${file} is empty, so it was truncated; the relay did not change it. Put a ` +
        'complete backup in its place and start with --restored, or remove the file to begin a ' +
        'new ledger',
    );
}

const isEmpty = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.size === 0;

/** @throws Error when the file is not a SQLite file, or was truncated; the file stays unchanged */
export function refuseBrokenFile(file: string): void {
  if (isNoFile(file)) return;
  const { header, size } = readHeader(file);
  if (size === 0) return;
  if (!header.toString('latin1').startsWith(MAGIC))
    throw new Error(`ledger: ${file} is not a SQLite file; the relay did not change it`);
  // with a write-ahead log the header of the main file may be older than the log
  if (sizeOf(`${file}-wal`) > 0) return;
  const page = header.readUInt16BE(16);
  const expected = header.readUInt32BE(28) * (page === 1 ? 65_536 : page);
  if (size < expected)
    throw new Error(
      `ledger: ${file} has ${size} of ${expected} bytes, so it was truncated; the relay did not ` +
        'change it. Put a complete backup in its place and start with --restored',
    );
}

/**
 * Guards against a file that is removed, replaced or truncated while the relay runs. SQLite would
 * keep writing to the old file, and its orders would be lost at the next start.
 *
 * @returns a check that throws LedgerGoneError
 */
export function fileGuard(file: string): () => void {
  if (isNoFile(file)) return () => {};
  /** The inode first seen under each name; SQLite creates the two other files later. */
  const seen = new Map<string, number>();
  const isGone = (name: string): boolean => {
    const now = statSync(name, { throwIfNoEntry: false });
    const before = seen.get(name);
    if (now && before === undefined) seen.set(name, now.ino);
    return before !== undefined && now?.ino !== before;
  };
  isGone(file);
  return () => {
    const isCut = sizeOf(file) === 0;
    if (['', '-wal', '-shm'].map((end) => isGone(`${file}${end}`)).includes(true) || isCut)
      throw new LedgerGoneError(
        `ledger: ${file} was removed, replaced or truncated while the relay ran. Stop the relay, ` +
          'put the file back in its place, and start again (with --restored if it is a backup)',
      );
  };
}

const isNoFile = (file: string): boolean => file === ':memory:' || file.startsWith('file:');

function readHeader(file: string): { header: Buffer; size: number } {
  const opened = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(opened, header, 0, HEADER_BYTES, 0);
    return { header, size: fstatSync(opened).size };
  } finally {
    closeSync(opened);
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
