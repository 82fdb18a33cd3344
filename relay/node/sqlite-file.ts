/** Checks of a ledger's file: private to its owner, complete, and still in its place. */
import { chmodSync, closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { LedgerGoneError } from '../ledger/ledger-errors.js';
import type { FileGuard } from '../ledger/sqlite/statements.js';
import { codeOf } from './message-of.js';
import { whyUnwritable } from './why-unwritable.js';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const WRITE_VERSION_AT = 18;
const WITHOUT_LOG = 1;
const FIRST_PAGE_WAIT_MS = 2000;
const MAX_CHECKPOINT_MS = 500;
const CHECK_EVERY_MS = 20;

/** The whole path of the file that the address of a ledger names; null when it names none. */
export function sqliteFileOf(address: string): string | null {
  return address.startsWith('sqlite:') ? resolve(address.slice('sqlite:'.length)) : null;
}

/**
 * Creates a file that only its owner can read, since a ledger names customers and holds keys. It
 * removes the rights of other users from an existing file. SQLite gives its other files the same
 * mode.
 *
 * @returns whether the file is new
 * @throws Error when it cannot be written, or its log is there without it
 */
export function createPrivately(file: string): boolean {
  const cause = whyUnwritable(file) ?? whyOnlyLog(file);
  if (cause !== null) throw new Error(`ledger: ${cause}`);
  try {
    closeSync(openSync(file, 'ax', 0o600));
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EEXIST') throw new Error(`ledger: ${file} cannot be made (${code})`);
  }
  makePrivate(file);
  return false;
}

/**
 * Beside a new file SQLite deletes such a log, and with it the last orders of the missing ledger.
 *
 * @returns why no ledger is made; null when the file exists or has no log
 */
export function whyOnlyLog(file: string): string | null {
  const log = walOf(file);
  // the log is looked for first: another starting relay makes the file before its log
  if (sizeOf(log) === 0 || existsSync(file)) return null;
  return (
    `${file} is missing, but its log ${log} is there; the relay did not change it. Put the file ` +
    `back, or remove ${log}, put a complete backup in place and start with --restored`
  );
}

/** @throws Error when the file is empty, and no starting relay writes its first page */
async function refuseEmptyFile(file: string): Promise<void> {
  // another starting relay soon writes its first page; a file that was truncated stays empty
  const end = performance.now() + FIRST_PAGE_WAIT_MS;
  while (isEmpty(file) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  if (isEmpty(file))
    throw new Error(
      `ledger: ${file} is empty, so it was truncated; the relay did not change it. Put a ` +
        'complete backup in its place and start with --restored, or remove the file to begin a ' +
        'new ledger',
    );
}

/** Does nothing when the file belongs to another user, who decides about its mode. */
function makePrivate(file: string): void {
  for (const name of [file, walOf(file), `${file}-shm`]) {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode ?? 0;
    try {
      if ((mode & 0o077) !== 0) chmodSync(name, 0o600);
    } catch (error) {
      if (codeOf(error) !== 'EPERM') throw error;
    }
  }
}

const walOf = (file: string): string => `${file}-wal`;

export const isEmpty = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.size === 0;

/** @throws Error when the file is not a SQLite file, or was truncated; the file stays unchanged */
export async function refuseBrokenFile(file: string): Promise<void> {
  await refuseEmptyFile(file);
  // a relay that copies its log into the file at this moment makes the file look truncated
  const end = performance.now() + MAX_CHECKPOINT_MS;
  let found = readSizes(file);
  while (found.missing && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    found = readSizes(file);
  }
  if (found.missing)
    throw new Error(
      `ledger: ${file} has ${found.size} of ${found.expected} bytes, so it was truncated; the ` +
        'relay did not change it. Put a complete backup in its place and start with --restored',
    );
}

/** Whether the file has a write-ahead log with commits, as after a kill. */
export const hasLog = (file: string): boolean => readWal(walOf(file)).pages !== null;

/** The error when a killed ledger's log is beside a backup that was put in the ledger's place. */
export const foreignLog = (file: string): Error =>
  new Error(
    `ledger: ${walOf(file)} does not belong to ${file}, as when a backup was put in place of a ` +
      `ledger that was killed. Remove ${walOf(file)} and ${file}-shm, put the backup in place ` +
      'again, and start with --restored',
  );

/** @returns `missing`: whether a page is neither in the file nor in its write-ahead log */
function readSizes(file: string): { size: number; expected: number; missing: boolean } {
  // the log is read first: a page that is copied into the file meanwhile is then found in the log
  const log = readWal(walOf(file));
  const { header, size } = readHeader(file);
  if (!header.toString('latin1').startsWith(MAGIC))
    throw new Error(`ledger: ${file} is not a SQLite file; the relay did not change it`);
  // the header says that the file never had a log, like a copy of `ledger backup`, so this log
  // belongs to another file
  if (header[WRITE_VERSION_AT] === WITHOUT_LOG && log.pages !== null) throw foreignLog(file);
  const pageField = header.readUInt16BE(16);
  const pageBytes = pageField === 1 ? 65_536 : pageField;
  const pages = log.pages ?? header.readUInt32BE(28);
  const present = Math.floor(size / pageBytes);
  let missing = false;
  for (let page = present + 1; page <= pages && !missing; page++) missing = !log.has(page);
  return { size, expected: pages * pageBytes, missing };
}

/**
 * Guards against a file that is removed, replaced, truncated or damaged while the relay runs.
 * SQLite would keep writing to the old file, and its orders would be lost at the next start.
 */
export function fileGuard(file: string): FileGuard {
  /** The inode first seen under each name; SQLite creates the two other files later. */
  const seen = new Map<string, number>();
  let damage: string | null = null;
  const isGone = (name: string): boolean => {
    const now = statSync(name, { throwIfNoEntry: false });
    const before = seen.get(name);
    if (now && before === undefined) seen.set(name, now.ino);
    return before !== undefined && now?.ino !== before;
  };
  isGone(file);
  return {
    check: () => {
      if (damage !== null)
        throw new LedgerGoneError(
          `ledger: ${file} is damaged (${damage}). Stop the relay, put a complete backup in its ` +
            `place, remove ${walOf(file)} and ${file}-shm, and start with --restored`,
        );
      const isCut = sizeOf(file) === 0;
      if ([file, walOf(file), `${file}-shm`].map(isGone).includes(true) || isCut)
        throw new LedgerGoneError(
          `ledger: ${file} was removed, replaced or truncated while the relay ran. Stop the ` +
            'relay, put the file back in its place, and start again (with --restored if it is a ' +
            'backup)',
        );
    },
    note: (error) => {
      if (isDamage(error)) damage = error.message;
    },
  };
}

export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && DAMAGED.test(error.message);

const DAMAGED = /database disk image is malformed|file is not a database|SQLITE_(CORRUPT|NOTADB)/;

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

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Offset and length of the two salts in the log's header, and in the header of a frame. */
const SALTS = { inHeader: 16, inFrame: 8, bytes: 8 };

type Wal = {
  /** Pages of the database after the last commit in the log; null without a commit. */
  readonly pages: number | null;
  /** Whether a committed frame has the page. */
  has(page: number): boolean;
};

const NO_LOG: Wal = { pages: null, has: () => false };

/**
 * Reads which pages a write-ahead log holds, to tell a truncated ledger from one whose last pages
 * were not copied into the file yet (https://www.sqlite.org/fileformat2.html#walformat).
 *
 * @returns no pages when there is no log, or it has no commit
 */
function readWal(file: string): Wal {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch {
    return NO_LOG;
  }
  try {
    return readFrames(opened);
  } finally {
    closeSync(opened);
  }
}

function readFrames(opened: number): Wal {
  const header = Buffer.alloc(LOG_HEADER_BYTES);
  if (readSync(opened, header, 0, LOG_HEADER_BYTES, 0) < LOG_HEADER_BYTES) return NO_LOG;
  const salts = header.subarray(SALTS.inHeader, SALTS.inHeader + SALTS.bytes);
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8);
  const committed = new Set<number>();
  let pages: number | null = null;
  let sinceCommit: number[] = [];
  const frame = Buffer.alloc(FRAME_HEADER_BYTES);
  for (let at = LOG_HEADER_BYTES; ; at += frameBytes) {
    if (readSync(opened, frame, 0, FRAME_HEADER_BYTES, at) < FRAME_HEADER_BYTES) break;
    // a frame with other salts is left over from an earlier round of the log
    if (!frame.subarray(SALTS.inFrame, SALTS.inFrame + SALTS.bytes).equals(salts)) break;
    sinceCommit.push(frame.readUInt32BE(0));
    const pagesAfterCommit = frame.readUInt32BE(4);
    if (pagesAfterCommit === 0) continue;
    for (const page of sinceCommit) committed.add(page);
    sinceCommit = [];
    pages = pagesAfterCommit;
  }
  return { pages, has: (page) => committed.has(page) };
}
