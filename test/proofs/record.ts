/** Writes the result of a proof, and which mutants were caught, into the README of this folder. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result, Sizes } from './proof.js';
import { reportLines } from './report.js';

const file = fileURLToPath(new URL('README.md', import.meta.url));
const RUNS_HEADING = '## Recorded runs';
const MAX_COLUMNS = 100;

type Run = { name: string; sizes: Sizes; result: Result; seconds: string };

/** A list item, broken between words so that no line is longer than `MAX_COLUMNS`. */
function listItem(text: string): string[] {
  const lines: string[] = [];
  let line = '-';
  for (const word of text.split(' ')) {
    if (`${line} ${word}`.length > MAX_COLUMNS) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** Writes the section of the proof: its sizes, and one list item per line of the report. */
export function record({ name, result, seconds, sizes }: Run): void {
  const size = Object.entries(sizes).map(([key, value]) => `${key} ${value}`);
  const summary = `${result.held ? 'Holds' : 'Broken'} after ${seconds} s.`;
  const items = [`sizes: ${size.join(', ')}`, ...reportLines(result)].flatMap(listItem);
  const section = [`### ${name}`, '', summary, '', ...items, ''];
  const lines = readLines();
  const runs = lines.indexOf(RUNS_HEADING);
  const own = lines.indexOf(section[0] ?? '', runs);
  const isHeading = (line: string): boolean => /^##/.test(line);
  const endAfter = (start: number): number => {
    const end = lines.findIndex((line, index) => index > start && isHeading(line));
    return end < 0 ? lines.length : end;
  };
  if (own >= 0) lines.splice(own, endAfter(own) - own, ...section);
  else {
    const end = lines.findIndex((line, index) => index > runs && /^## /.test(line));
    lines.splice(end < 0 ? lines.length : end, 0, ...section);
  }
  writeLines(lines);
}

/** Replaces the mutant's row of the table, or adds one at its end. */
export function recordMutant(proof: string, mutant: string, caught: boolean): void {
  const row = `| ${mutant} | ${proof} | ${caught ? 'caught' : 'not caught'} |`;
  const lines = readLines();
  const own = lines.findIndex((line) => line.startsWith(`| ${mutant} |`));
  let end = lines.findIndex((line) => line.startsWith('| mutant |'));
  while (lines[end + 1]?.startsWith('|')) end++;
  if (own >= 0) lines[own] = row;
  else lines.splice(end + 1, 0, row);
  writeLines(lines);
}

const readLines = (): string[] => readFileSync(file, 'utf8').split('\n');

const writeLines = (lines: readonly string[]): void =>
  writeFileSync(file, `${lines.join('\n').trimEnd()}\n`);
