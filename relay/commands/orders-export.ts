/** `orders export`: writes rows while it reads, so that a year needs no more memory than a day. */
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/schema.js';
import type { Intent } from '../ledger/intent.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Span } from '../ledger/operator-ledger.js';
import { asOperatorOrders } from '../operator/operator-order.js';
import { everyRow } from '../operator/paging.js';
import type { OperatorOrder } from '../operator/shapes.js';
import type { Progress } from './actions.js';
import { writeCsv } from './rows.js';

/** The columns of the CSV, in their order; each is a field of an order with `--json`. */
const columns = [
  'opened_at',
  'created_at',
  'paid_at',
  'intent_id',
  'request_id',
  'order_no',
  'outcome',
  'amount',
  'currency',
  'option',
  'pay_currency',
  'customer_ref_id',
  'product_name',
  'late',
  'review_reason',
  'echoed_amount',
  'echoed_currency',
  'resolved_as',
  'pay_back',
] as const satisfies readonly (keyof OperatorOrder)[];

/** @param span of the moments at which the intents were opened, both included */
export async function exportOrders(
  { config, ledger }: { config: Pick<Config, 'statuses'>; ledger: Ledger },
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
    for await (const row of ordersOf(config, ledger, span)) {
      yield format === 'csv' ? asCsv(row) : `${JSON.stringify(row)}\n`;
      progress.set(`${++count} orders`);
    }
  }
  // a reader that is slow, such as a pipe, must not fill the memory
  await pipeline(lines(), stdout, { end: false });
}

const INTENTS_PER_READ = 200;

/** The newest first. */
async function* ordersOf(
  config: Pick<Config, 'statuses'>,
  ledger: Ledger,
  span: Span,
): AsyncGenerator<OperatorOrder> {
  const all = everyRow<{ at: number; intent: Intent }>(INTENTS_PER_READ, (last) => {
    const after = last ? { at: last.at, id: last.intent.intent_id } : null;
    return ledger.walkIntents('created', span, after, INTENTS_PER_READ);
  });
  for await (const { intent } of all) yield* asOperatorOrders(config, intent);
}

const FORMULA = /^[=+\-@\t\r]/;

/** A spreadsheet would compute a text that begins like a formula. */
const asText = (value: unknown): unknown =>
  typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value;

function asCsv(row: OperatorOrder): string {
  const cells = Object.fromEntries(columns.map((name) => [name, asText(row[name])]));
  return writeCsv([cells]).split('\n').slice(1).join('\n');
}
