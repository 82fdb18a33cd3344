/** The ledger: every write is one atomic statement or transaction, so that several relays may share it. */
import type { DepositAddressRow, IntentRow, OrderRow } from './rows.js';

export type Ledger = {
  /** Writes the intent unless its id is known; the row that stands either way. */
  openIntent(intent: IntentRow): Promise<IntentRow>;
  intent(intentId: string): Promise<IntentRow | null>;
  /**
   * Makes `order` the intent's current one, if the current one is still `after` (null: none yet). Exactly one of many callers wins.
   * @returns the order that is current now, and whether it is the caller's
   */
  claimOrder(order: OrderRow, after: string | null): Promise<{ claimed: boolean; order: OrderRow }>;
  order(requestId: string): Promise<OrderRow | null>;
  /** All orders of an intent, the first one first. */
  ordersOf(intentId: string): Promise<OrderRow[]>;
  /** Writes `order` if the stored row still has the version before `order.version`; false when another writer was faster. */
  replaceOrder(order: OrderRow): Promise<boolean>;
  /** Orders whose next check is due, the longest due first. */
  due(now: number, limit: number): Promise<OrderRow[]>;
  depositAddress(customerRefId: string, currency: string): Promise<DepositAddressRow | null>;
  /** Keeps the first address written for a customer and currency; the row that stands either way. */
  keepDepositAddress(row: DepositAddressRow): Promise<DepositAddressRow>;
  /** Keeps the first value written under a name; the value that stands either way. */
  keepSetting(name: string, value: string): Promise<string>;
  close(): Promise<void>;
};
