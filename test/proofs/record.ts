/**
 * Writes a proof's figures, and which mutants it caught, into the tables of this folder's README.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sizes } from './proof.js';

const file = fileURLToPath(new URL('README.md', import.meta.url));

type Run = { name: string; sizes: Sizes; figures: string; held: boolean; seconds: string };

export function record({ name, sizes, figures, held, seconds }: Run): void {
  const size = Object.entries(sizes).map(([key, value]) => `${key} ${value}`);
  write(
    '| proof |',
    `| ${name} |`,
    `| ${name} | ${size.join(', ')} | ${held ? 'holds' : 'broken'}: ${figures.replaceAll('|', '/')} | ${seconds} s |`,
  );
}

export const recordMutant = (proof: string, mutant: string, caught: boolean): void =>
  write(
    '| mutant |',
    `| ${mutant} |`,
    `| ${mutant} | ${proof} | ${caught ? 'caught' : 'not caught'} |`,
  );

/** Replaces the row that begins so, or adds it at the end of the table with this head. */
function write(head: string, beginning: string, row: string): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const at = lines.findIndex((line) => line.startsWith(beginning));
  const table = lines.findIndex((line) => line.startsWith(head));
  let end = table;
  while (lines[end + 1]?.startsWith('|')) end++;
  if (at >= 0) lines[at] = row;
  else lines.splice(end + 1, 0, row);
  writeFileSync(file, `${lines.join('\n')}\n`);
}
