/**
 * The relay's wire errors: `{"error": {"code", "message", "field"?, "reference"}}`, a closed list
 * of codes and the HTTP status of each.
 *
 * `message` is for the developer; the customer reads the widget's text for the code.
 */
import type { Outcome } from './order.js';

export const failureStatuses = {
  /**
   * The body is not JSON, or a field is missing, unknown or malformed; `field` names it.
   */
  invalid_request: 400,
  amount_out_of_bounds: 400,
  quantity_out_of_bounds: 400,
  /** The option does not fit the currency or the amount of the intent. */
  option_not_available: 400,
  currency_not_available: 400,
  /** The host of `return_url` is not configured, or URL parsers disagree about it. */
  return_host_refused: 400,
  /** The option asks for customer data that the request lacks. */
  customer_data_required: 400,
  unauthorized: 401,
  token_invalid: 401,
  token_expired: 401,
  origin_refused: 403,
  /** The mode or feature is not configured. */
  not_configured: 403,
  not_found: 404,
  option_unknown: 404,
  sku_unknown: 404,
  /** A wrong order_key and an unknown request_id give the same answer. */
  order_unknown: 404,
  /** The intent_id was used with other content. */
  intent_conflict: 409,
  /**
   * The order's amount or currency is not what is expected; or, for the shop's backend, it is paid
   * after a person resolved it as failed.
   */
  not_as_expected: 409,
  already_paid: 409,
  /** The shop closed the intent: it takes no order, and a payment of it is late. */
  intent_closed: 409,
  /** The intent takes no further order, or none for some time. */
  too_many_replacements: 409,
  /** The data of the customer was erased, on the customer's request. */
  erased: 410,
  body_too_large: 413,
  content_type_refused: 415,
  token_contradicted: 422,
  rate_limited: 429,
  internal: 500,
  /** The order service refused a deposit address, or its answer has no documented form. */
  service_refused: 502,
  service_unreadable: 502,
  /** The address failed its checksum, or the service's own verification. */
  address_unverified: 502,
  /** The request never reached the order service; nothing was placed. */
  service_unreachable: 503,
  /** The order service does not answer, or the ledger is too slow; nothing was placed. */
  service_unavailable: 503,
  /** The ledger cannot be used now; an order may have been placed. */
  ledger_unavailable: 503,
  service_timeout: 504,
} as const;

export type FailureCode = keyof typeof failureStatuses;

export type FailureBody = {
  error: {
    code: FailureCode;
    message: string;
    field?: string | undefined;
    reference: string;
    /**
     * With `token_expired` and `too_many_replacements`: the outcome of the intent's order, when
     * there is one. With `too_many_replacements` it is `expired` once that order's time is over.
     */
    outcome?: Outcome | undefined;
    /** What the shop tells the customer instead of the element's own sentence, by locale. */
    notice?: Record<string, string> | undefined;
    /** Where the customer finds help, in an answer to a page. */
    support_url?: string | undefined;
  };
};

/** Thrown while a request is handled; the route answers with its status and a reference. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly field: string | undefined;
  readonly outcome: Outcome | undefined;
  readonly notice: Record<string, string> | undefined;
  /** When the same request may succeed, in seconds from now. */
  readonly retry_after_s: number | undefined;
  constructor(
    code: FailureCode,
    message: string,
    field?: string,
    detail: {
      outcome?: Outcome | undefined;
      notice?: Record<string, string> | undefined;
      retry_after_s?: number;
      /** For the log; no page is shown it. */
      cause?: Error;
    } = {},
  ) {
    super(message, detail);
    this.code = code;
    this.field = field;
    this.outcome = detail.outcome;
    this.notice = detail.notice;
    this.retry_after_s = detail.retry_after_s;
  }
}
