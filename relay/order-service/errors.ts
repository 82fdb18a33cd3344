/**
 * Why an operation of the order service gave no result; `kind` says what is known of the effect.
 */
export type OrderServiceErrorKind =
  /** The request breaks the document; nothing was sent. `field` names the first wrong field. */
  | 'invalid_request'
  /** The service answered with a code other than 200. `code` is the service's. */
  | 'refused'
  /** Nothing was sent: no connection came about, or the request could not be made. */
  | 'unreachable'
  /** An answer came that is not the documented envelope; the effect is unknown. */
  | 'unreadable'
  /** Sent, and no whole answer came (cut, or out of time); the effect is unknown. */
  | 'outcome_unknown';

/**
 * What of a service's code may stand in a log: a code is free text on the wire, and could carry
 * anything.
 */
export const codeForLog = (code: string | undefined): string | undefined =>
  code === undefined || /^(-?\d{1,6}|[A-Z][A-Z_]{1,40})$/.test(code) ? code : '(withheld)';

/** Causes of causes that are looked through; a chain of errors may be a circle. */
const MAX_CAUSE_DEPTH = 5;

/** A short code of what went wrong below, fit for a log: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
function codeOfCause(error: unknown): string | undefined {
  let name: string | undefined;
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(cause.code))
      return cause.code.slice(0, 64);
    // a deadline is an error whose name is all that it tells
    if (/^[A-Za-z]{1,64}$/.test(cause.name)) name = cause.name;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return name;
}

export class OrderServiceError extends Error {
  override readonly name = 'OrderServiceError';
  readonly kind: OrderServiceErrorKind;
  readonly field: string | undefined;
  /** The service's result code, as text. */
  readonly code: string | undefined;
  /** The service's own text: for the log, never for a customer. */
  readonly serviceMessage: string | undefined;
  /** The answer was the documented envelope, so the service itself spoke. */
  readonly enveloped: boolean;
  /** The status of an answer without the documented envelope; absent when none came. */
  readonly httpStatus: number | undefined;
  /** What went wrong below, as a code for the log. */
  readonly causeCode: string | undefined;

  constructor(
    kind: OrderServiceErrorKind,
    message: string,
    detail: {
      field?: string;
      code?: string;
      serviceMessage?: string;
      enveloped?: boolean;
      httpStatus?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: detail.cause });
    this.kind = kind;
    this.field = detail.field;
    this.code = detail.code;
    this.serviceMessage = detail.serviceMessage;
    this.enveloped = detail.enveloped ?? false;
    this.httpStatus = detail.httpStatus;
    this.causeCode = codeOfCause(detail.cause);
  }
}
