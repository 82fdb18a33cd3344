/** `orders export`: writes rows while it reads, so that a year needs no more memory than a day. */
import { pipeline } from 'node:stream/promises';
import type { Ledger } from '../ledger/ledger.js';
import type { Span } from '../ledger/operator-ledger.js';
import { columns, exported } from '../operator/export.js';
import type { OperatorOrder } from '../operator/shapes.js';
import type { Progress } from './progress.js';
import { writeCsv } from './rows.js';

export async function exportOrders(
  ledger: Ledger,
  span: Span,
  format: 'csv' | 'jsonl',
  progress: Progress,
): Promise<void> {
  const { stdout } = process;
  // on a terminal the rows themselves show how far it is
  if (stdout.isTTY) progress.end();
  async function* lines(): AsyncGenerator<string> {
    if (format === 'csv') yield `${columns.join(',')}\n`;
    let count = 0;
    for await (const row of exported(ledger, span)) {
      yield format === 'csv' ? asCsv(row) : `${JSON.stringify(row)}\n`;
      progress.set(`${++count} orders`);
    }
  }
  // a reader that is slow, such as a pipe, must not fill the memory
  await pipeline(lines(), stdout, { end: false });
}

const FORMULA = /^[=+\-@\t\r]/;

/** A spreadsheet would compute a text that begins like a formula. */
const asText = (value: unknown): unknown =>
  typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value;

function asCsv(row: OperatorOrder): string {
  const cells = Object.fromEntries(columns.map((name) => [name, asText(row[name])]));
  return writeCsv([cells]).split('\n').slice(1).join('\n');
}
