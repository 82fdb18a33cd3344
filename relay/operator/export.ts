/** Every order of a span of time for the bookkeeper, row by row. */
import type { Span } from '../ledger/operator-ledger.js';
import { every } from './list.js';
import type { OperatorOrder } from './shapes.js';
import { asOperatorOrder } from './operator-order.js';

/** The columns of the CSV, in their order; each is a field of an order with `--json`. */
export const columns = [
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
] as const satisfies readonly (keyof OperatorOrder)[];

type Reads = Parameters<typeof every>[0];

/** @param span of the moments at which the intents were opened, both included */
export async function* exported(ledger: Reads, span: Span): AsyncGenerator<OperatorOrder> {
  for await (const found of every(ledger, span)) yield asOperatorOrder(found);
}
