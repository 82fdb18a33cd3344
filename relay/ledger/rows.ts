/**
 * The ledger's rows: intents, their orders, events for the shop, deposit addresses.
 *
 * Times are milliseconds since the epoch, by the ledger's clock. Money is text.
 *
 * To add a field of an order, change at most four files besides the code that sets its value:
 * - a field that only the ledger keeps: this file and `body.ts`;
 * - a field that the shop's backend reads: those two, `contract/responses.ts` (the types of the
 *   shop's events derive from it) and `webhooks/purchase.ts`;
 * - a field that a page reads: `contract/order.ts` (schema and `storedOrderFields`; the row's type
 *   and the projection derive from them), `contract/read.ts`, `body.ts`, and `newOrderFields` in
 *   this file.
 * A required field also changes the fixtures `demo/sample-answers.ts` and
 * `test/suite/widget/checkout/flow.test.ts`. A field that a backend or a page reads also
 * needs a sentence in `test/tools/contract/wire-texts.ts`, and `npm run contract`.
 * A field of an intent is declared in `contract/requests.ts`; `body.ts` stores it, and
 * `intent/read-intent.ts` sets its value in each mode.
 */
import type { CodeAmount, Outcome, StoredOrderFields } from '../contract/order.js';
import type { IntentTerms } from '../contract/requests.js';
import type { ReviewReason } from '../contract/review-reasons.js';
import type { ShopEventType } from '../contract/shop-events.js';

/** `amount` is that of the first request; each order carries the amount that it charges. */
export type IntentRow = IntentTerms & {
  /** `jti` of an order token, or `web.` and a digest: no token may contain the second form. */
  readonly intent_id: string;
  /** Digest of the identity fields; another digest with the same intent_id is a conflict. */
  readonly content: string;
  readonly created_at: number;
  /** The intent's current order; null until the first is claimed. */
  readonly current_request_id: string | null;
  /** The first order that succeeded; null until then. */
  readonly paid_request_id: string | null;
  /** Number of events written for this intent; the `sequence` of the next event is one higher. */
  readonly event_count: number;
  /** The metadata that the shop attached, as JSON. */
  readonly metadata: string | null;
  /** When the shop closed the intent. */
  readonly closed_at: number | null;
  readonly close_reason: string | null;
  /** The person who closed it; null when the shop's backend did. */
  readonly closed_by: string | null;
  /** When the customer's data was taken out of the intent, and who did it. */
  readonly erased_at: number | null;
  readonly erased_by: string | null;
  /** When the intent is reported to the shop as unpaid; null when no report will follow. */
  readonly unpaid_due_at: number | null;
};

/** The outcomes that are not final, or that a person must look at. */
export const openOutcomes = ['pending', 'confirming', 'review', 'unmapped'] as const;
export type OpenOutcome = (typeof openOutcomes)[number];

/** The progress of the pay request; `claimed` is written before anything is sent. */
export const sendings = ['claimed', 'unsent', 'answered', 'lost', 'refused'] as const;
type Sending = (typeof sendings)[number];

/** What changed in an order at one moment; only what changed is there (history.ts). */
export type Fact = {
  /** When it happened, by the ledger's clock. */
  readonly at: number;
  readonly sending?: Sending | undefined;
  /** The status that the service named, when it differs from the one that it named before. */
  readonly status?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly review_reason?: ReviewReason | undefined;
  /** When the order's code expired, noticed at `at`. */
  readonly expired_at?: number | undefined;
  /** So many facts stood here, the first of them at `at`; there was no room for them. */
  readonly omitted?: number | undefined;
};

export type OrderRow = StoredOrderFields & {
  /** 1 for the intent's first order. */
  readonly ordinal: number;
  /** The trace of the pay (trace.ts), for what happens to the order later; null: it had none. */
  readonly traceparent: string | null;
  /** The request carried customer data, so it can never be sent again. */
  readonly had_customer: boolean;
  readonly sending: Sending;
  /** The payee that the order's code names; null when it has no such code. */
  readonly payee: string | null;
  /** What the customer's app charges, where that is not the order's amount; also if refused. */
  readonly code_amount: CodeAmount | null;
  /** The currency that the customer pays in. */
  readonly pay_currency: string;
  /** The status that pay first returned. */
  readonly first_status: number | null;
  readonly review_reason: ReviewReason | null;
  /** The final decision of a person, which ends a review. */
  readonly resolved_as: Resolution | null;
  /**
   * Whether the service has reported a payment with all three echoes right, and a person decides:
   * after "failed" the same payment is not new.
   */
  readonly reported_paid: boolean;
  /** Amount and currency as the service last echoed them; in a review, those that started it. */
  readonly echoed_amount: string | null;
  readonly echoed_currency: string | null;
  readonly created_at: number;
  /** The aging time (ledger-clock.ts) when the order was made. */
  readonly aged_from: number;
  readonly checked_at: number | null;
  readonly expires_at: number | null;
  /** Whether the code expired: a later step of the clock does not make it valid again. */
  readonly has_expired: boolean;
  /** When the relay stopped waiting for the last answer to pay. */
  readonly lost_at: number | null;
  /** When the next check is due, or when a claim ends; null when no check follows. */
  readonly next_check_at: number | null;
  /**
   * The order's age when the days of following began again: at a webhook signal, or at a due check
   * that got no answer. Null while the first days count.
   */
  readonly followed_again_ms: number | null;
  /** What happened to the order, the first fact first. */
  readonly history: readonly Fact[];
  /** Incremented by every write; a write succeeds only over the version that was read. */
  readonly version: number;
};

/** When an order was made: the ledger's time and the aging time. */
export type Stamp = Pick<OrderRow, 'created_at' | 'aged_from'>;

/** `late` is stored from the moment that a success would be late. */
export const isPaidLate = ({ late, outcome }: Pick<OrderRow, 'late' | 'outcome'>): boolean =>
  late && outcome === 'succeeded';

/** The fields that no request determines, as they are when an order is first claimed. */
export const newOrderFields = {
  sending: 'claimed',
  order_no: null,
  first_status: null,
  status: null,
  outcome: 'pending',
  review_reason: null,
  resolved_as: null,
  reported_paid: false,
  echoed_amount: null,
  echoed_currency: null,
  next_action: null,
  payee: null,
  code_amount: null,
  late: false,
  checked_at: null,
  has_expired: false,
  lost_at: null,
  followed_again_ms: null,
  history: [],
  version: 1,
} as const satisfies Partial<OrderRow>;

/** The fields that no request determines, as they are when an intent is first written. */
export const newIntentFields = {
  current_request_id: null,
  paid_request_id: null,
  event_count: 0,
  closed_at: null,
  close_reason: null,
  closed_by: null,
  erased_at: null,
  erased_by: null,
} as const satisfies Partial<IntentRow>;

/** The row of an intent of which only the id is known, so that it can be closed. */
export const unknownIntent = (intent_id: string, now: number): IntentRow => ({
  ...newIntentFields,
  intent_id,
  mode: 'token',
  // the digest of no intent
  content: '',
  amount: '',
  currency: '',
  product_name: '',
  customer_ref_id: '',
  pay_currency: null,
  remark: null,
  return_url: null,
  sku: null,
  quantity: null,
  metadata: null,
  created_at: now,
  unpaid_due_at: null,
});

/** Whether a person may decide about the order. */
export const needsPerson = ({ outcome, review_reason }: OrderRow): boolean =>
  review_reason !== null || outcome === 'unmapped';

export const resolutions = ['succeeded', 'failed'] as const;
export type Resolution = (typeof resolutions)[number];

/** Who decided about an order, and why. It is never changed. */
export type ResolutionRow = {
  readonly request_id: string;
  readonly resolved_as: Resolution;
  readonly resolved_by: string;
  readonly note: string;
  /** Or `unmapped`. */
  readonly review_reason: string;
  readonly resolved_at: number;
};

/** An event without what is sent, which is the longest of it. */
export type ShopEventHead = Omit<ShopEventRow, 'body'>;

/** An event for the shop, written in the transaction of the change that it reports. */
export type ShopEventRow = {
  /** The same in all tries, so that the shop can recognise a repetition. */
  readonly event_id: string;
  /** The event's place in the list of all events. An intent's events have rising numbers. */
  readonly seq: number;
  readonly intent_id: string;
  /** Counts the intent's events from 1, in the order of their commits. */
  readonly sequence: number;
  readonly type: ShopEventType;
  /** The JSON that is signed and sent, byte for byte. */
  readonly body: string;
  readonly created_at: number;
  /** Failed tries. A try that a crash interrupted is not counted. */
  readonly tries: number;
  /** When the next try is due; null when delivered or given up. */
  readonly next_try_at: number | null;
  /** The last delivery; a repeated event has several. */
  readonly delivered_at: number | null;
  readonly first_delivered_at: number | null;
  /** What the shop's backend answered at the last try that failed. */
  readonly last_failure: string | null;
  /** The shop's answers to the last tries (shop-answers.ts). */
  readonly answers: string;
  /** When somebody last asked for another delivery, and who; null: the shop's backend. */
  readonly resent_at: number | null;
  readonly resent_by: string | null;
  /** When the customer's data was taken out of the body. */
  readonly erased_at: number | null;
  /** The trace of the request that caused the event, or of the order's pay; null: none. */
  readonly traceparent: string | null;
};

/** An event before the ledger numbers it. */
export type NewShopEvent = Pick<
  ShopEventRow,
  | 'event_id'
  | 'intent_id'
  | 'sequence'
  | 'type'
  | 'body'
  | 'created_at'
  | 'next_try_at'
  | 'traceparent'
>;

/** An event's number among its intent's events, and the ledger's epoch. */
export type EventPosition = { readonly sequence: number; readonly epoch: string };

export type DepositAddressRow = {
  readonly customer_ref_id: string;
  readonly currency: string;
  /** The network configured when the address was requested, and whether it was verified. */
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly created_at: number;
};
