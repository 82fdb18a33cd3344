/** The ledger's tables as the SQL builder sees them. Booleans are 0 or 1, the next action is JSON text. */
import type { ColumnType, Generated } from 'kysely';
import type { DepositAddressRow, IntentRow, OrderRow, ShopEventRow } from '../rows.js';

type Stored<T> = {
  [K in keyof T]: T[K] extends boolean ? number : K extends 'next_action' ? string | null : T[K];
};

/** `asked_at`: when a relay last took the turn to ask. `seq`: the write that last touched the row, as the engine counts writes. */
export type OrderTable = Stored<OrderRow> & {
  asked_at: ColumnType<number | null, null | undefined, number>;
  seq: number;
};

export type Tables = {
  intents: IntentRow;
  orders: OrderTable;
  deposit_addresses: DepositAddressRow;
  shop_events: Omit<ShopEventRow, 'seq'> & { seq: Generated<number> };
  /** Relays that live on this ledger. */
  instances: { instance: string; seen_at: number };
  settings: { name: string; value: string };
};
