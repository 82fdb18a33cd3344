/** Prints the table of a bench, and writes it into docs/benchmarks.md. */
import { cpus } from 'node:os';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { spreadOf } from './cpu.js';

/** One contender, with the values of its rounds by column. */
export type Row = { name: string; values: Readonly<Record<string, readonly number[]>> };

/** The result of a bench; `unit` is that of all values of a column. */
export type Bench = {
  /** What is measured and how, for the reader of the table. */
  about: string;
  columns: readonly { name: string; unit: string }[];
  rows: readonly Row[];
  rounds: number;
};

const file = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));
const INTRODUCTION = `# Benchmarks

\`npm run bench -- NAME --record\` writes these tables. Each value is the median of interleaved
rounds, with the lowest and the highest in brackets. CPU time is the time that all threads of a
process ran, as the kernel's scheduler counts it; other work on the machine changes it little.
`;

const round = (value: number): string =>
  value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');

function cell(values: readonly number[] | undefined): string {
  if (!values || values.length === 0) return '';
  const { high, low, median } = spreadOf(values);
  return `${round(median)} (${round(low)} – ${round(high)})`;
}

function tableOf({ about, columns, rounds, rows }: Bench): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const times = `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`;
  const machine = `${cpus().length} cores, Node ${process.versions.node}, ${times}.`;
  return [
    `${about} ${machine}`,
    '',
    line(['', ...columns.map(({ name, unit }) => `${name}, ${unit}`)]),
    line(['---', ...columns.map(() => '---:')]),
    ...rows.map(({ name, values }) =>
      line([name, ...columns.map((column) => cell(values[column.name]))]),
    ),
  ].join('\n');
}

/** @param record whether docs/benchmarks.md is changed */
export async function showTable(name: string, bench: Bench, record: boolean): Promise<void> {
  const options = { parser: 'markdown', printWidth: 100, proseWrap: 'always' } as const;
  const section = await format(`## ${name}\n\n${tableOf(bench)}\n`, options);
  console.log(section);
  if (!record) return;
  const before = existsSync(file) ? readFileSync(file, 'utf8') : INTRODUCTION;
  const [introduction = '', ...sections] = before.split(/^(?=## )/m);
  const others = sections.filter((text) => !text.startsWith(`## ${name}\n`));
  const sorted = [...others, section].map((text) => text.trim()).sort();
  writeFileSync(file, await format([introduction.trim(), ...sorted].join('\n\n'), options));
}
