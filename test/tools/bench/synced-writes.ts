/** How many durable writes a disk takes, one after the other: the least that an order can cost. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WRITES = 300;
/** One page of a database. */
const PAGE = Buffer.alloc(4096, 1);

export function syncedWritesPerSecond(): number {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-'));
  const file = openSync(join(folder, 'log'), 'a');
  const began = performance.now();
  for (let written = 0; written < WRITES; written++) {
    writeSync(file, PAGE);
    fdatasyncSync(file);
  }
  const seconds = (performance.now() - began) / 1000;
  closeSync(file);
  rmSync(folder, { recursive: true });
  return WRITES / seconds;
}
