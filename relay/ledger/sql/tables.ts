/** The ledger's tables for the SQL builder: booleans are 0 or 1, a next action is JSON. */
import type { ColumnType, Generated } from 'kysely';
import type { PayLinkRow } from '../pay-link-ledger.js';
import type {
  DepositAddressRow,
  IntentRow,
  OrderRow,
  ResolutionRow,
  ShopEventRow,
} from '../rows.js';

type Cell<K, T> = K extends 'next_action' ? string | null : T;
type Stored<T> = { [K in keyof T]: T[K] extends boolean ? number : Cell<K, T[K]> };

/**
 * `asked_at`: when a relay last claimed a query of the order.
 * `changed_in`: the number that the row got when it was last changed; lists go by it.
 * `intent_created_at`: names the partition, where the engine has monthly partitions.
 */
export type OrderTable = Stored<OrderRow> & {
  asked_at: ColumnType<number | null, null | undefined, number>;
  changed_in: number;
  intent_created_at: OfPartition;
};

/** A column that only PostgreSQL has; nobody changes it. */
type OfPartition = ColumnType<number | undefined, number | undefined, never>;

export type ShopEventTable = Omit<ShopEventRow, 'seq'> & {
  seq: Generated<number>;
  intent_created_at: OfPartition;
};

export type Tables = {
  intents: IntentRow;
  orders: OrderTable;
  /** Where each order is, and its identity; only with monthly partitions. */
  order_places: Pick<OrderRow, 'request_id' | 'intent_id' | 'ordinal'> & {
    intent_created_at: number;
  };
  /** The rows of months that have no partition. */
  orders_other: OrderTable;
  shop_events_other: ShopEventTable;
  resolutions: ResolutionRow;
  deposit_addresses: DepositAddressRow;
  shop_events: ShopEventTable;
  /** The relays on this ledger; `beat` is the number of a relay's heartbeats. */
  heartbeats: { instance: string; beat: number; orders_settled: number; events_settled: number };
  pay_links: PayLinkRow;
  settings: { name: string; value: string };
};
