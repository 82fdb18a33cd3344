/**
 * Reads which pages SQLite's write-ahead log holds, to tell a truncated ledger from one whose last
 * pages were not copied into the file yet (https://www.sqlite.org/fileformat2.html#walformat).
 */
import { closeSync, openSync, readSync } from 'node:fs';

const HEADER_BYTES = 32;
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

/** @returns no pages when there is no log, or it has no commit */
export function readWal(file: string): Wal {
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
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(opened, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return NO_LOG;
  const salts = header.subarray(SALTS.inHeader, SALTS.inHeader + SALTS.bytes);
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8);
  const committed = new Set<number>();
  let pages: number | null = null;
  let sinceCommit: number[] = [];
  const frame = Buffer.alloc(FRAME_HEADER_BYTES);
  for (let at = HEADER_BYTES; ; at += frameBytes) {
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
