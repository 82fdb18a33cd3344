/** The ledger: every write is one atomic statement or transaction, so that several relays may share it. */
import type { DepositAddressRow, IntentRow, NewShopEvent, OrderRow, ShopEventRow } from './rows.js';

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
  /**
   * Writes `order` if the stored row still has the version before `order.version`; false when another writer was faster.
   * In the same transaction: when the order is paid, the intent's first payment is noted; then `eventsFor` is asked, and what it gives
   * is written to the outbox.
   * @param eventsFor is given the request_id of the intent's first paid order
   */
  replaceOrder(
    order: OrderRow,
    eventsFor?: (paidFirst: string | null) => readonly NewShopEvent[],
  ): Promise<boolean>;
  /** Takes events that are due, each intent's oldest undelivered one only, and holds them until `until`: no two relays get the same. */
  takeEvents(now: number, until: number, limit: number): Promise<ShopEventRow[]>;
  /** Notes a try: delivered, or to be tried again at `nextTryAt` (null: given up). */
  noteTry(
    eventId: string,
    outcome: { deliveredAt: number } | { nextTryAt: number | null },
  ): Promise<void>;
  /** Events not yet delivered nor given up, and when the oldest was written. */
  outbox(): Promise<{ waiting: number; oldest: number | null }>;
  /** Takes orders whose next check is due, the longest due first, and holds them until `until`: no two relays get the same. */
  takeDue(now: number, until: number, limit: number): Promise<OrderRow[]>;
  /** Takes the turn to ask about an order; false when any relay asked within the last `closest` milliseconds. */
  takeTurn(requestId: string, now: number, closest: number): Promise<boolean>;
  /** Orders written since a cursor that an earlier call gave, by any relay; none, and a cursor, without one. */
  changes(cursor: string | null): Promise<{ cursor: string; requestIds: string[] }>;
  /** Notes that a relay lives. @returns how many do: those seen after `since` */
  beat(instance: string, now: number, since: number): Promise<number>;
  /** Forgets intents from before `before` with all that belongs to them. @returns how many of at most `limit` */
  purge(before: number, limit: number): Promise<number>;
  depositAddress(customerRefId: string, currency: string): Promise<DepositAddressRow | null>;
  /** Keeps the first address written for a customer and currency; the row that stands either way. */
  keepDepositAddress(row: DepositAddressRow): Promise<DepositAddressRow>;
  /** Keeps the first value written under a name; the value that stands either way. */
  keepSetting(name: string, value: string): Promise<string>;
  close(): Promise<void>;
};
