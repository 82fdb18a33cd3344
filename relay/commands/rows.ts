/** Reads rows of a CSV (RFC 4180) or JSON-lines text, and writes them as CSV. */
import Papa from 'papaparse';
import { UsageError } from './arguments.js';

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
      // the error below reports it
    }
    throw new UsageError(`line ${index + 1}: expected one JSON object`);
  });
}

function readCsv(text: string): Row[] {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', skipEmptyLines: true });
  const [error] = errors;
  if (error) throw new UsageError(`row ${error.row}: ${error.message}`);
  const [head, ...lines] = data;
  if (!head || lines.length === 0)
    throw new UsageError('expected a line of column names and at least one row');
  // spreadsheets of many languages write this form
  if (head.length === 1 && head[0]?.includes(';'))
    throw new UsageError('the columns are separated by semicolons: expected commas');
  const names = head.map((name) => name.trim());
  const twice = names.find((name, column) => names.indexOf(name) !== column);
  if (twice !== undefined) throw new UsageError(`column ${twice}: stands in the file twice`);
  return lines.map((line, index) => {
    if (line.length !== head.length)
      throw new UsageError(`row ${index + 1}: ${line.length} cells, but ${head.length} columns`);
    return Object.fromEntries(names.map((name, column) => [name, line[column]]));
  });
}

export const writeCsv = (rows: readonly Row[]): string =>
  `${Papa.unparse([...rows], { newline: '\n' })}\n`;
