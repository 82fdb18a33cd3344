/** Rows of a CSV (RFC 4180) or JSON-lines text. */
import { UsageError } from './usage-error.js';

export type Row = Record<string, unknown>;

/** @throws UsageError naming the line */
export function readRows(text: string): { format: 'csv' | 'jsonl'; rows: Row[] } {
  const plain = text.replace(/^\uFEFF/, '');
  return /^\s*\{/.test(plain)
    ? { format: 'jsonl', rows: readJsonLines(plain) }
    : { format: 'csv', rows: readCsv(plain) };
}

function readJsonLines(text: string): Row[] {
  return text.split('\n').flatMap((line, index): Row[] => {
    if (line.trim() === '') return [];
    try {
      const row: unknown = JSON.parse(line);
      if (typeof row === 'object' && row !== null && !Array.isArray(row)) return [{ ...row }];
    } catch {
      // told below
    }
    throw new UsageError(`line ${index + 1}: expected one JSON object`);
  });
}

function readCsv(text: string): Row[] {
  const [head, ...lines] = cells(text);
  if (!head || lines.length === 0)
    throw new UsageError('expected a line of column names and at least one row');
  return lines.map((line, index) => {
    if (line.length !== head.length)
      throw new UsageError(`row ${index + 1}: ${line.length} cells, but ${head.length} columns`);
    return Object.fromEntries(head.map((name, column) => [name.trim(), line[column]]));
  });
}

/** A cell in quotes may hold commas, line breaks and doubled quotes. */
function cells(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  for (let found = cell.exec(text); ; found = cell.exec(text)) {
    if (!found)
      throw new UsageError(
        `line ${lines.length + 1}: a quote inside a cell must be doubled, and the cell in quotes`,
      );
    const [, quoted, plain, end] = found;
    line.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (line.length > 1 || line[0] !== '') lines.push(line);
    line = [];
    if (end === '') break;
  }
  return lines;
}

export function writeCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cell = (value: unknown): string => {
    const text = value === undefined ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((line) => `${line.map(cell).join(',')}\n`)
    .join('');
}
