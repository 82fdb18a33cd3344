/** Copies the source tree and makes a fault in the copy; node_modules is linked. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Edit } from './mutants.js';
import { root } from './processes.js';

const COPIED = [
  'relay',
  'widget',
  'demo',
  'test',
  // the storm starts the relay with the flags of the container
  'docs/deploy',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vite.config.ts',
];

/** @throws Error when the source no longer contains the text of an edit */
export function mutate({ edits }: { edits: readonly Edit[] }): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  const filter = (path: string): boolean => !path.endsWith('node_modules');
  for (const name of COPIED)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, from, to } of edits) {
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    if (!source.includes(from)) throw new Error(`${file} no longer holds: ${from}`);
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
