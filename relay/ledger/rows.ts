/**
 * What the ledger remembers: intents, their orders, events for the shop, deposit addresses.
 *
 * Times are milliseconds since the epoch, by the ledger's clock. Money is text.
 */
import type { IntentMode, NextAction, Outcome } from '../contract/order.js';

export type IntentRow = {
  /** `jti` of an order token, or `web.` and a digest: no token can spell the second form. */
  readonly intent_id: string;
  readonly mode: IntentMode;
  /** Digest of what the intent says; the same identity with another digest is a conflict. */
  readonly content: string;
  /** The amount when the intent was opened; each order carries the amount that it charges. */
  readonly amount: string;
  readonly currency: string;
  readonly product_name: string;
  readonly customer_ref_id: string;
  readonly pay_currency: string | null;
  readonly remark: string | null;
  readonly return_url: string | null;
  /** Of a catalogue intent. */
  readonly sku: string | null;
  readonly quantity: number | null;
  readonly created_at: number;
  /** The one order that stands for the intent; null until the first is claimed. */
  readonly current_request_id: string | null;
  /** The order whose success came first; null until then. */
  readonly paid_request_id: string | null;
  /** Events written for this intent; the next one has the sequence after it. */
  readonly event_count: number;
};

/** How far the sending of pay has come; `claimed` is written before anything is sent. */
export type Sending = 'claimed' | 'unsent' | 'answered' | 'lost' | 'refused';

export const reviewReasons = [
  'amount_mismatch',
  'currency_mismatch',
  'request_id_mismatch',
  'code_mismatch',
  'two_links',
  'link_not_allowed',
  'by_table',
  'status_after_success',
  'paid_before_answer',
] as const;

export type ReviewReason = (typeof reviewReasons)[number];

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
  /** What a person decided; it ends a review for good. */
  readonly resolved_as: Resolution | null;
  /** Amount and currency as the service last echoed them. */
  readonly echoed_amount: string | null;
  readonly echoed_currency: string | null;
  readonly next_action: NextAction | null;
  readonly late: boolean;
  readonly created_at: number;
  readonly checked_at: number | null;
  readonly expires_at: number | null;
  /** When the last answer to pay was given up. */
  readonly lost_at: number | null;
  /** When the order is to be asked about next; of a claim, when it ends. Null: no more. */
  readonly next_check_at: number | null;
  /** Raised with every write; a writer names the version it read. */
  readonly version: number;
};

export type Resolution = 'succeeded' | 'failed';

/** Who ended a review, and why. Kept beside the order, for good. */
export type ResolutionRow = {
  readonly request_id: string;
  readonly resolved_as: Resolution;
  readonly resolved_by: string;
  readonly note: string;
  readonly review_reason: string;
  readonly resolved_at: number;
};

export type ShopEventType =
  | 'order.created'
  | 'order.succeeded'
  | 'order.failed'
  | 'order.expired'
  | 'order.unmapped_status'
  | 'order.review'
  | 'order.resolved'
  | 'order.duplicate_payment';

/** One event on its way to the shop; written with the change that it tells of. */
export type ShopEventRow = {
  /** Unique and kept over all tries, so that the shop can tell a repetition. */
  readonly event_id: string;
  /** Counts up per ledger. */
  readonly seq: number;
  readonly intent_id: string;
  /** Counts the intent's events from 1, in the order of their commits. */
  readonly sequence: number;
  readonly type: ShopEventType;
  /** The JSON that is signed and sent, byte for byte. */
  readonly body: string;
  readonly created_at: number;
  /** Tries that failed. A try cut short by a crash is not counted. */
  readonly tries: number;
  /** When it is to be tried next; null: delivered, or given up. */
  readonly next_try_at: number | null;
  readonly delivered_at: number | null;
};

/** An event as it is written; the ledger counts it. */
export type NewShopEvent = Pick<
  ShopEventRow,
  'event_id' | 'intent_id' | 'sequence' | 'type' | 'body' | 'created_at'
>;

/**
 * What the ledger adds to an event: its place among the intent's events, and the ledger's epoch.
 */
export type EventPlace = { readonly sequence: number; readonly epoch: string };

export type DepositAddressRow = {
  readonly customer_ref_id: string;
  readonly currency: string;
  /** The network that was configured when the address was asked for; empty when none was. */
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly created_at: number;
};
