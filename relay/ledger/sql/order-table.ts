/** Converts an order between its row and its table. */
import type { NextAction } from '../../contract/order.js';
import { orderFlags, type OrderFlag, type OrderRow } from '../rows.js';
import type { OrderTable } from './tables.js';

const convertFlags = <From, To>(
  row: Readonly<Record<OrderFlag, From>>,
  convert: (value: From) => To,
): Record<OrderFlag, To> =>
  Object.fromEntries(orderFlags.map((name) => [name, convert(row[name])])) as Record<OrderFlag, To>;

/** Not parsed by a schema: one row that it refused would stop the polling of all orders. */
const parseNextAction = (json: string | null): NextAction | null =>
  json === null ? null : (JSON.parse(json) as NextAction);

export type OrderToWrite = Omit<OrderTable, 'asked_at' | 'changed_in' | 'intent_created_at'>;

export const toTable = (order: OrderRow): OrderToWrite => ({
  ...order,
  ...convertFlags(order, Number),
  next_action: order.next_action === null ? null : JSON.stringify(order.next_action),
});

/** The columns that may change. SQLite writes the indexes of all columns that an update names. */
export type OrderChange = Omit<OrderToWrite, 'request_id' | 'intent_id' | 'ordinal'>;

export const changeOf = (order: OrderRow): OrderChange => {
  const {
    intent_id: _intentId,
    ordinal: _ordinal,
    request_id: _requestId,
    ...row
  } = toTable(order);
  return row;
};

export const fromTable = ({
  asked_at: _askedAt,
  changed_in: _changedIn,
  intent_created_at: _intentCreatedAt,
  ...row
}: {
  asked_at: unknown;
  changed_in: unknown;
  intent_created_at?: unknown;
} & OrderToWrite): OrderRow => ({
  ...row,
  ...convertFlags(row, (value) => value === 1),
  next_action: parseNextAction(row.next_action),
});
