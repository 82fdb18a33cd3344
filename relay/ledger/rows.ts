/**
 * The ledger's rows: intents, their orders, events for the shop, deposit addresses.
 *
 * Times are milliseconds since the epoch, by the ledger's clock. Money is text.
 *
 * An intent with its orders is stored as JSON (body.ts), so a type that is stored derives from the
 * schema that reads it.
 *
 * To add a field of an order, change at most three files besides the code that sets its value:
 * - a field that only the ledger keeps: this file;
 * - a field that the shop's backend reads: this file, `contract/responses.ts` (the types of the
 *   shop's events derive from it) and `webhooks/purchase.ts`;
 * - a field that a page reads: `contract/order.ts` (schema and `storedOrderFields`, from which the
 *   projection derives), `contract/read.ts`, and `orderRow` and `newOrderFields` in this file.
 * A required field also changes the fixtures `demo/sample-answers.ts` and
 * `test/suite/widget/checkout/flow.test.ts`. A field that a backend or a page reads also
 * needs a sentence in `test/tools/contract/wire-texts.ts`, and `npm run contract`.
 * A field of an intent is declared in `contract/requests.ts`; `intentRow` stores it, and
 * `intent/read-intent.ts` sets its value in each mode.
 */
import { z } from 'zod';
import {
  codeAmount,
  intentModes,
  nextAction,
  outcome,
  type StoredOrderFields,
} from '../contract/order.js';
import type { IntentTerms } from '../contract/requests.js';
import { reviewReasons } from '../contract/review-reasons.js';
import type { ShopEventType } from '../contract/shop-events.js';

/** What a schema reads. Nobody changes a row. */
type Row<Schema extends z.ZodType> = ReadonlyRow<z.infer<Schema>>;
type ReadonlyRow<T> = {
  readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? readonly Readonly<Item>[] : T[K];
};
/** The fields of a schema that has at least these. */
type Fields<Name extends string> = Readonly<Record<Name | (string & {}), z.ZodType>>;

const time = z.int();
/** For a field that is not stored while it is null. */
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/** `amount` is that of the first request; each order carries the amount that it charges. */
export const intentRow = z.strictObject({
  /** `jti` of an order token, or `web.` and a digest: no token may contain the second form. */
  intent_id: z.string(),
  mode: z.enum(intentModes),
  /** Digest of the identity fields; another digest with the same intent_id is a conflict. */
  content: z.string(),
  amount: z.string(),
  currency: z.string(),
  product_name: z.string(),
  customer_ref_id: z.string(),
  pay_currency: orNull(z.string()),
  remark: orNull(z.string()),
  return_url: orNull(z.string()),
  sku: orNull(z.string()),
  quantity: orNull(z.int()),
  /** The metadata that the shop attached, as JSON. */
  metadata: orNull(z.string()),
  created_at: time,
  /** The intent's current order; null until the first is claimed. */
  current_request_id: orNull(z.string()),
  /** The first order that succeeded; null until then. */
  paid_request_id: orNull(z.string()),
  /** Number of events written for this intent; the `sequence` of the next event is one higher. */
  event_count: z.int().default(0),
  /** When the shop closed the intent. */
  closed_at: orNull(time),
  close_reason: orNull(z.string()),
  /** The person who closed it; null when the shop's backend did. */
  closed_by: orNull(z.string()),
  /** When the customer's data was taken out of the intent, and who did it. */
  erased_at: orNull(time),
  erased_by: orNull(z.string()),
  /** When the intent is reported to the shop as unpaid; null when no report will follow. */
  unpaid_due_at: orNull(time),
} satisfies Fields<keyof IntentTerms>);
export type IntentRow = Row<typeof intentRow>;

/** The outcomes that are not final, or that a person must look at. */
export const openOutcomes = ['pending', 'confirming', 'review', 'unmapped'] as const;
export type OpenOutcome = (typeof openOutcomes)[number];

/** The progress of the pay request; `claimed` is written before anything is sent. */
export const sendings = ['claimed', 'unsent', 'answered', 'lost', 'refused'] as const;
const sending = z.enum(sendings);

export const resolutions = ['succeeded', 'failed'] as const;
export type Resolution = (typeof resolutions)[number];

/** Why a payment must be given back. */
export const payBackReasons = ['duplicate_payment', 'late_payment', 'resolved_as_failed'] as const;
export type PayBackReason = (typeof payBackReasons)[number];

/** What changed in an order at one moment; only what changed is there (history.ts). */
const fact = z.strictObject({
  /** When it happened, by the ledger's clock. */
  at: time,
  sending: sending.optional(),
  /** The status that the service named, when it differs from the one that it named before. */
  status: z.int().optional(),
  outcome: outcome.optional(),
  review_reason: z.enum(reviewReasons).optional(),
  /** When the order's code expired, noticed at `at`. */
  expired_at: time.optional(),
  /** So many facts stood here, the first of them at `at`; there was no room for them. */
  omitted: z.int().optional(),
});
export type Fact = Row<typeof fact>;

export const orderRow = z.strictObject({
  request_id: z.string(),
  intent_id: z.string(),
  /** 1 for the intent's first order. */
  ordinal: z.int(),
  option: z.string(),
  amount: z.string(),
  currency: z.string(),
  /** The currency that the customer pays in. */
  pay_currency: z.string(),
  open_amount: z.boolean().default(false),
  /** The trace of the pay (trace.ts), for what happens to the order later; null: it had none. */
  traceparent: orNull(z.string()),
  /** The request carried customer data, so it can never be sent again. */
  had_customer: z.boolean().default(false),
  sending,
  order_no: orNull(z.string()),
  /** The status that pay first returned. */
  first_status: orNull(z.int()),
  status: orNull(z.int()),
  outcome,
  review_reason: orNull(z.enum(reviewReasons)),
  /** The final decision of a person, which ends a review. */
  resolved_as: orNull(z.enum(resolutions)),
  /**
   * Whether the service has reported a payment with all three echoes right, and a person decides:
   * after "failed" the same payment is not new.
   */
  reported_paid: z.boolean().default(false),
  /** Amount and currency as the service last echoed them; in a review, those that started it. */
  echoed_amount: orNull(z.string()),
  echoed_currency: orNull(z.string()),
  next_action: orNull(nextAction),
  /** The payee that the order's code names; null when it has no such code. */
  payee: orNull(z.string()),
  /** What the customer's app charges, where that is not the order's amount; also if refused. */
  code_amount: orNull(codeAmount),
  late: z.boolean().default(false),
  created_at: time,
  /** The aging time (ledger-clock.ts) when the order was made. */
  aged_from: time,
  checked_at: orNull(time),
  expires_at: orNull(time),
  /** Whether the code expired: a later step of the clock does not make it valid again. */
  has_expired: z.boolean().default(false),
  /** When the relay stopped waiting for the last answer to pay. */
  lost_at: orNull(time),
  /** When the next check is due, or when a claim ends; null when no check follows. */
  next_check_at: orNull(time),
  /**
   * The order's age when the days of following began again: at a webhook signal, or at a due check
   * that got no answer. Null while the first days count.
   */
  followed_again_ms: orNull(z.int()),
  /** What happened to the order, the first fact first. */
  history: z.array(fact).default([]),
  /** Rises with what is known of the order; a write succeeds only over the version it read. */
  version: z.int(),
} satisfies Fields<keyof StoredOrderFields>);
export type OrderRow = Row<typeof orderRow>;

/** Who decided about an order, and why. It is never changed. */
export const resolutionRow = z.strictObject({
  request_id: z.string(),
  resolved_as: z.enum(resolutions),
  resolved_by: z.string(),
  note: z.string(),
  /** Or `unmapped`. */
  review_reason: z.string(),
  resolved_at: time,
});
export type ResolutionRow = Row<typeof resolutionRow>;

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
export const unknownIntent = (intent_id: string, now: number): IntentRow =>
  intentRow.parse({
    intent_id,
    mode: 'token',
    // the digest of no intent
    content: '',
    amount: '',
    currency: '',
    product_name: '',
    customer_ref_id: '',
    created_at: now,
  } satisfies z.input<typeof intentRow>);

/** Whether a person may decide about the order. */
export const needsPerson = ({ outcome, review_reason }: OrderRow): boolean =>
  review_reason !== null || outcome === 'unmapped';

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
