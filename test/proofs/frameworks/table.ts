/** The table of `npm run frameworks`, as it is printed and as the guide keeps it. */
import { cpus } from 'node:os';
import { recordTable } from '../../tools/recorded-table.js';
import type { Visit } from './visit.js';

export type Row = Visit & {
  name: string;
  types: boolean | null;
  seconds: number;
  /** The output of the steps that failed. */
  failures: string[];
};

export const HEAD = ['environment', 'types', 'SSR', 'pays', 'event', 'console clean', 'bytes', 's'];
export const GUIDE = new URL('../../../docs/guides/frameworks.md', import.meta.url);

const mark = (value: boolean | null): string => {
  if (value === null) return '–';
  return value ? 'yes' : 'NO';
};

export const cellsOf = (row: Row): string[] => [
  row.name,
  mark(row.types),
  mark(row.ssr),
  mark(row.pays),
  mark(row.receivesEvent),
  mark(row.console.length === 0),
  String(row.bytes),
  row.seconds.toFixed(1),
];

/** The lines of a table in Markdown, with columns of one width, as the formatter writes them. */
export function tableLines(rows: readonly string[][]): string[] {
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0), HEAD[column]?.length ?? 0),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(HEAD), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

/** The lines that the guide keeps. */
export const recordedLines = (rows: readonly string[][], cores = cpus().length): string[] => [
  `On ${cores} cores:`,
  '',
  ...tableLines(rows),
];

/** Writes the table into the guide. */
export const recordRows = (rows: readonly string[][]): void =>
  recordTable(GUIDE, recordedLines(rows));
