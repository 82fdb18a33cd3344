/** An order between its row and its table. */
import type { NextAction } from '../../contract/order.js';
import type { OrderRow } from '../rows.js';
import type { OrderTable } from './tables.js';

/** As toTable wrote it: a row that were refused here would stop the sweep for all. */
const storedAction = (text: string | null): NextAction | null =>
  text === null ? null : (JSON.parse(text) as NextAction);

export const toTable = (order: OrderRow): Omit<OrderTable, 'asked_at' | 'changed_in'> => ({
  ...order,
  open_amount: Number(order.open_amount),
  had_customer: Number(order.had_customer),
  late: Number(order.late),
  next_action: order.next_action === null ? null : JSON.stringify(order.next_action),
});

export const fromTable = ({
  asked_at: _askedAt,
  changed_in: _changedIn,
  ...row
}: { asked_at: unknown; changed_in: unknown } & ReturnType<typeof toTable>): OrderRow => ({
  ...row,
  open_amount: row.open_amount === 1,
  had_customer: row.had_customer === 1,
  late: row.late === 1,
  next_action: storedAction(row.next_action),
});
