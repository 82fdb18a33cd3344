/** An order between its row and its table. */
import { z } from 'zod';
import { nextAction } from '../../contract/order.js';
import type { OrderRow } from '../rows.js';
import type { OrderTable } from './tables.js';

const storedAction = z.preprocess((text) => (typeof text === 'string' ? JSON.parse(text) : text), nextAction.nullable());

export const toTable = (order: OrderRow): Omit<OrderTable, 'asked_at' | 'seq'> => ({
  ...order,
  open_amount: Number(order.open_amount),
  had_customer: Number(order.had_customer),
  late: Number(order.late),
  next_action: order.next_action === null ? null : JSON.stringify(order.next_action),
});

export const fromTable = ({
  asked_at: _askedAt,
  seq: _seq,
  ...row
}: { asked_at: unknown; seq: unknown } & ReturnType<typeof toTable>): OrderRow => ({
  ...row,
  open_amount: row.open_amount === 1,
  had_customer: row.had_customer === 1,
  late: row.late === 1,
  next_action: storedAction.parse(row.next_action),
});
