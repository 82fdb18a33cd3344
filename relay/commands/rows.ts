/** Reads rows of a CSV (RFC 4180) or JSON-lines text, and writes them as CSV. */
import Papa from 'papaparse';
import { UsageError } from './arguments.js';

export type Cells = Record<string, unknown>;

/** `line` is where the row begins in its file; null for a row that stands in no file. */
export type Row = { readonly line: number | null; readonly cells: Cells };

/** @throws UsageError naming the line */
export function readRows(text: string): { format: 'csv' | 'jsonl'; rows: Row[] } {
  const [, first] = /^\s*([[{])/.exec(text) ?? [];
  if (first === '[')
    throw new UsageError('a JSON array: expected one JSON object on each line, without brackets');
  return first === '{'
    ? { format: 'jsonl', rows: readJsonLines(text) }
    : { format: 'csv', rows: readCsv(text) };
}

export const writeCsv = (rows: readonly Cells[]): string =>
  `${Papa.unparse([...rows], { newline: '\n' })}\n`;

function readJsonLines(text: string): Row[] {
  return text.split('\n').flatMap((content, index): Row[] => {
    if (content.trim() === '') return [];
    const line = index + 1;
    try {
      const cells: unknown = JSON.parse(content);
      if (typeof cells === 'object' && cells !== null && !Array.isArray(cells))
        return [{ line, cells: { ...cells } }];
    } catch {
      // the error below reports it
    }
    throw new UsageError(`line ${line}: expected one JSON object`);
  });
}

function readCsv(text: string): Row[] {
  const [head, ...lines] = readCsvLines(text);
  if (!head || lines.length === 0)
    throw new UsageError('expected a line of column names and at least one row');
  // spreadsheets of many languages write this form
  if (head.cells.length === 1 && head.cells[0]?.includes(';'))
    throw new UsageError('the columns are separated by semicolons: expected commas');
  const names = head.cells.map((name) => name.trim());
  const twice = names.find((name, column) => names.indexOf(name) !== column);
  if (twice !== undefined) throw new UsageError(`column ${twice}: stands in the file twice`);
  return lines.map(({ cells, line }) => {
    if (cells.length !== names.length)
      throw new UsageError(`line ${line}: ${cells.length} cells, but ${names.length} columns`);
    return { line, cells: Object.fromEntries(names.map((name, at) => [name, cells[at]])) };
  });
}

/** The lines that are not empty. A cell may have line breaks, so a row may take several lines. */
function readCsvLines(text: string): { line: number; cells: string[] }[] {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',' });
  let next = 1;
  const lines = data.map((cells) => {
    const line = next;
    next += 1 + cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAK)?.length ?? 0), 0);
    return { line, cells };
  });
  const [error] = errors;
  if (error) throw new UsageError(`line ${lines[error.row ?? 0]?.line}: ${error.message}`);
  return lines.filter(({ cells }) => cells.some((cell, at) => at > 0 || cell !== ''));
}

const LINE_BREAK = /\r\n|\r|\n/g;
