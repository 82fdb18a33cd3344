/**
 * What can happen to an order inside the relay, and the types of `transition` (order-state.ts),
 * which applies it. The events that the shop receives are in webhooks/.
 */
import type { LinkRules } from '../config/links.js';
import type { StatusTable } from '../config/statuses.js';
import type { OrderRow, Resolution } from '../ledger/rows.js';
import type { CodeRules } from '../qrcode/check-code.js';

/** The service's answer to a pay; a field that the answer did not have is absent. */
export type PayAnswer = {
  status?: number | undefined;
  order_no?: string | undefined;
  request_id?: string | undefined;
  currency?: string | undefined;
  order_amount?: string | undefined;
  qrcode_string?: string | null | undefined;
  checkout_url?: string | null | undefined;
  wallet_url?: string | null | undefined;
};

/** The service's answer to a query, which is of no use without a status. */
export type ServiceOrder = PayAnswer & { status: number };

/**
 * `claim`: the order's version when it was claimed. An event with a `claim` is ignored when that
 * claim has ended. `pay_answered` has none: the service's answer counts even after the claim has
 * ended.
 */
type PayEvent =
  /** The request was not written to the connection. */
  | { type: 'pay_unsent'; claim?: number }
  /** The request was sent, and no usable answer came. */
  | { type: 'pay_lost'; claim?: number }
  /** The service answered `{code, message, data}` with a code that refuses the request. */
  | { type: 'pay_refused'; claim?: number }
  | { type: 'pay_answered'; answer: PayAnswer };

type QueryEvent =
  /**
   * `knownAt`: the order's `checked_at` when the query was sent. When it differs later, another
   * answer was written meanwhile.
   */
  | { type: 'query_answered'; knownAt?: number | null; answer: ServiceOrder }
  /** A code of `not_found_codes`. `steadyMs`: how long the clock has run without a step. */
  | { type: 'query_not_found'; steadyMs?: number }
  /** No usable answer, or a refusal with a code that is not in `not_found_codes`. */
  | { type: 'query_missed' };

/** The service called the order's `notify_url`, or the status table names its status by now. */
type SignalledEvent = { type: 'signalled' };

/** A person ends the review of an order. `status`: the last one that the person has seen. */
type ResolvedEvent = { type: 'resolved'; as: Resolution; status?: number | null };

/** `at`: the ledger's time of the event, in milliseconds. */
export type OrderEvent = { at: number } & (PayEvent | QueryEvent | SignalledEvent | ResolvedEvent);

/** `ageMs`: the order's age at the event, as `ageOf` of the ledger's clock gives it. */
export type TimedEvent = OrderEvent & { ageMs: number | null };

/** The events that carry an answer of the service about the order. */
export type AnswerEvent = Extract<OrderEvent, { answer: PayAnswer }>;

/** query_now: ask at once. resend: claim the order again, and send the same request. */
export type Effect = 'query_now' | 'resend';

/** The part of the configuration that decides what an event changes. */
export type Rules = {
  statuses: StatusTable;
  links: LinkRules;
  /** By the option's id. */
  codes: ReadonlyMap<string, CodeRules>;
  requireEcho: boolean;
  /**
   * When the service does not know a lost request, the relay sends it again `claimMs` plus this
   * many seconds after the loss; null: never.
   */
  resendAfterS: number | null;
  followDays: number;
  /** Milliseconds after which a claim without an answer counts as lost. */
  claimMs: number;
};

/** The order to write, and what its writer must do next. */
export type Transition = { order: OrderRow; effects: readonly Effect[] };
