/** `orders export`: writes rows while it reads, so that a year needs no more memory than a day. */
import { once } from 'node:events';
import type { Ledger } from '../ledger/ledger.js';
import type { Span } from '../ledger/operator-ledger.js';
import { columns, exported } from '../operator/export.js';
import type { OperatorOrder } from '../operator/shapes.js';
import { writeCsv } from './rows.js';

/** A person at a terminal sees how far the export is after this time. */
const SHOW_PROGRESS_AFTER_MS = 2000;
const PROGRESS_EVERY_ROWS = 1000;

export async function exportOrders(
  ledger: Ledger,
  span: Span,
  format: 'csv' | 'jsonl',
  { now = Date.now, output = process.stdout, progress = process.stderr } = {},
): Promise<void> {
  const began = now();
  const showsProgress = (): boolean =>
    Boolean(progress.isTTY) && now() - began >= SHOW_PROGRESS_AFTER_MS;
  const write = async (text: string): Promise<void> => {
    // a reader that is slow, such as a pipe, must not fill the memory
    if (!output.write(text)) await once(output, 'drain');
  };
  if (format === 'csv') await write(`${columns.join(',')}\n`);
  let count = 0;
  for await (const row of exported(ledger, span)) {
    await write(format === 'csv' ? asCsv(row) : `${JSON.stringify(row)}\n`);
    if (++count % PROGRESS_EVERY_ROWS === 0 && showsProgress()) progress.write(`\r${count} orders`);
  }
  if (showsProgress()) progress.write(`\r${count} orders\n`);
}

const FORMULA = /^[=+\-@\t\r]/;

/** A spreadsheet would compute a text that begins like a formula. */
const asText = (value: unknown): unknown =>
  typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value;

function asCsv(row: OperatorOrder): string {
  const cells = Object.fromEntries(columns.map((name) => [name, asText(row[name])]));
  return writeCsv([cells]).split('\n').slice(1).join('\n');
}
