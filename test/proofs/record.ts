/** Writes a proof's figures into the table of this folder's README; a row of the same name is replaced. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('README.md', import.meta.url));

type Run = { name: string; sizes: object; figures: string; held: boolean; seconds: string };

export function record({ name, sizes, figures, held, seconds }: Run): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const row = `| ${name} | ${Object.entries(sizes)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ')} | ${held ? 'holds' : 'broken'}: ${figures} | ${seconds} s |`;
  const at = lines.findIndex((line) => line.startsWith(`| ${name} `));
  if (at >= 0) lines[at] = row;
  else lines.push(row);
  writeFileSync(file, `${lines.join('\n')}\n`);
}
