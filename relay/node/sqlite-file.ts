/** A ledger's file before SQLite opens it: private to its owner, and whole. */
import { LedgerGoneError } from '../ledger/ledger.js';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const FIRST_PAGE_MS = 2000;
const LOOK_EVERY_MS = 20;

/**
 * A ledger names customers and holds keys, so nobody else on the machine reads it.
 * SQLite gives the files beside it (-wal, -shm) the same mode. A file that exists keeps its own.
 */
export async function createPrivately(file: string): Promise<void> {
  if (isNoFile(file)) return;
  try {
    closeSync(openSync(file, 'ax', 0o600));
    return;
  } catch {
    // it exists, or SQLite says better what is wrong with the path
  }
  // another relay that starts now writes its first page soon; a file that was cut stays empty
  const end = Date.now() + FIRST_PAGE_MS;
  while (isEmpty(file) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  if (isEmpty(file))
    throw new Error(
      `ledger: ${file} is empty: it was cut, and was left as it is; put a whole backup in its ` +
        'place and start with --restored, or remove the file to begin a new ledger',
    );
}

const isEmpty = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.size === 0;

/** @throws when the file is not a ledger, or was cut; it is left as it is */
export function refuseBrokenFile(file: string): void {
  if (isNoFile(file)) return;
  const { header, size } = readHeader(file);
  if (size === 0) return;
  if (!header.toString('latin1').startsWith(MAGIC))
    throw new Error(`ledger: ${file} is not a SQLite file; it was left as it is`);
  // with a write-ahead log the header of the main file may be older than the log
  if (sizeOf(`${file}-wal`) > 0) return;
  const page = header.readUInt16BE(16);
  const expected = header.readUInt32BE(28) * (page === 1 ? 65_536 : page);
  if (size < expected)
    throw new Error(
      `ledger: ${file} has ${size} bytes and should have ${expected}: it was cut, and was left ` +
        'as it is; put a whole backup in its place, and start with --restored',
    );
}

/**
 * SQLite goes on writing into a file that was removed, or replaced by a backup: those orders would
 * be gone at the next start.
 *
 * @returns a check that throws LedgerGoneError
 */
export function fileGuard(file: string): () => void {
  if (isNoFile(file)) return () => {};
  /** Which file stood under each name when it was first seen; SQLite makes the two others later. */
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
        `ledger: ${file} was removed, replaced or cut while the relay ran: stop the relay, put the ` +
          'file back in its place, and start it anew (with --restored, if it is a backup)',
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
