/** The ledger's tables as the SQL builder sees them. Booleans are 0 or 1, the next action is JSON text. */
import type { Generated } from 'kysely';
import type { DepositAddressRow, IntentRow, OrderRow, ShopEventRow } from '../rows.js';

type Stored<T> = { [K in keyof T]: T[K] extends boolean ? number : K extends 'next_action' ? string | null : T[K] };

export type OrderTable = Stored<OrderRow>;

export type Tables = {
  intents: IntentRow;
  orders: OrderTable;
  deposit_addresses: DepositAddressRow;
  shop_events: Omit<ShopEventRow, 'seq'> & { seq: Generated<number> };
  settings: { name: string; value: string };
};
