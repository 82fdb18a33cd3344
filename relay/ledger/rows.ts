/** What the ledger remembers: intents, their orders, deposit addresses. Times are milliseconds since the epoch; money is text. */
import type { IntentMode, NextAction, Outcome } from '../contract/order.js';

export type IntentRow = {
  readonly intent_id: string;
  readonly mode: IntentMode;
  /** Digest of what the intent says; the same identity with another digest is a conflict. */
  readonly content: string;
  readonly amount: string;
  readonly currency: string;
  readonly product_name: string;
  readonly customer_ref_id: string;
  readonly pay_currency: string | null;
  readonly remark: string | null;
  readonly return_url: string | null;
  readonly created_at: number;
  /** The one order that stands for the intent; null until the first is claimed. */
  readonly current_request_id: string | null;
  /** The order whose success came first; null until then. */
  readonly paid_request_id: string | null;
};

/** How far the sending of pay has come; `claimed` is written before anything is sent. */
export type Sending = 'claimed' | 'unsent' | 'answered' | 'lost' | 'refused';

export type ReviewReason =
  'echo_mismatch' | 'two_links' | 'link_not_allowed' | 'status_after_success' | 'by_table';

export type OrderRow = {
  readonly request_id: string;
  readonly intent_id: string;
  /** 1 for the intent's first order. */
  readonly ordinal: number;
  readonly option: string;
  readonly amount: string;
  readonly currency: string;
  readonly open_amount: boolean;
  /** The request carried customer data, so it can never be sent again. */
  readonly had_customer: boolean;
  readonly sending: Sending;
  readonly order_no: string | null;
  /** The status that pay first returned. */
  readonly first_status: number | null;
  readonly status: number | null;
  readonly outcome: Outcome;
  readonly review_reason: ReviewReason | null;
  readonly next_action: NextAction | null;
  readonly late: boolean;
  readonly created_at: number;
  readonly checked_at: number | null;
  readonly expires_at: number | null;
  /** When the last answer to pay was given up; nothing of that request leaves the relay afterwards. */
  readonly lost_at: number | null;
  /** When the order is to be asked about next; null: no more. */
  readonly next_check_at: number | null;
  /** Raised with every write; a writer names the version it read. */
  readonly version: number;
};

export type ShopEventType =
  | 'order.created'
  | 'order.succeeded'
  | 'order.failed'
  | 'order.expired'
  | 'order.unmapped_status'
  | 'order.review'
  | 'order.duplicate_payment';

/** One event on its way to the shop; written with the change that it tells of. */
export type ShopEventRow = {
  /** Unique and kept over all tries, so that the shop can tell a repetition. */
  readonly event_id: string;
  /** Counts up per ledger: events of one intent are delivered in this order. */
  readonly seq: number;
  readonly intent_id: string;
  readonly type: ShopEventType;
  /** The JSON that is signed and sent, byte for byte. */
  readonly body: string;
  readonly created_at: number;
  /** Tries that failed; one that died with its relay is none. */
  readonly tries: number;
  /** When it is to be tried next; null: delivered, or given up. */
  readonly next_try_at: number | null;
  readonly delivered_at: number | null;
};

/** An event as it is written; the ledger counts it. */
export type NewShopEvent = Pick<
  ShopEventRow,
  'event_id' | 'intent_id' | 'type' | 'body' | 'created_at'
>;

export type DepositAddressRow = {
  readonly customer_ref_id: string;
  readonly currency: string;
  readonly address: string;
  readonly tag: string;
  readonly created_at: number;
};
