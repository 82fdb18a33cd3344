/** The ledger's tables for the SQL builder: booleans are 0 or 1, a next action is JSON. */
import type { ColumnType, Generated } from 'kysely';
import type { PayLinkRow, PayLinkBrowserRow } from '../pay-link-ledger.js';
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
 * `changed_in`: the number of the write that last changed the row.
 */
export type OrderTable = Stored<OrderRow> & {
  asked_at: ColumnType<number | null, null | undefined, number>;
  changed_in: number;
};

export type Tables = {
  intents: IntentRow;
  /** The attempts of browsers; each leads to one intent. */
  attempts: { attempt: string; intent_id: string };
  orders: OrderTable;
  resolutions: ResolutionRow;
  deposit_addresses_by_network: DepositAddressRow;
  /** `written_in`: the number of the transaction that wrote the event. */
  shop_events: Omit<ShopEventRow, 'seq'> & { seq: Generated<number>; written_in: number };
  /** The relays on this ledger; `beat` is the number of a relay's heartbeats. */
  heartbeats: { instance: string; beat: number };
  pay_links: PayLinkRow;
  pay_link_browsers: PayLinkBrowserRow;
  settings: { name: string; value: string };
};
