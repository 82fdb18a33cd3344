/** Why an operation of the order service gave no result; `kind` says what is known of the effect. */
export type OrderServiceErrorKind =
  /** The request breaks the document; nothing was sent. `field` names the first wrong field. */
  | 'invalid_request'
  /** The service answered with a code other than 200. `code` is the service's. */
  | 'refused'
  /** No connection came about; the service never saw the request. */
  | 'unreachable'
  /** An answer came that is not the documented envelope; the effect is unknown. */
  | 'unreadable'
  /** Sent, and no whole answer came (cut, or out of time); the effect is unknown. */
  | 'outcome_unknown';

/** What of a service's code may stand in a log: a code is free text on the wire, and could carry anything. */
export const codeForLog = (code: string | undefined): string | undefined =>
  code === undefined || /^(-?\d{1,6}|[A-Z][A-Z_]{1,40})$/.test(code) ? code : '(withheld)';

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

  constructor(
    kind: OrderServiceErrorKind,
    message: string,
    detail: {
      field?: string;
      code?: string;
      serviceMessage?: string;
      enveloped?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: detail.cause });
    this.kind = kind;
    this.field = detail.field;
    this.code = detail.code;
    this.serviceMessage = detail.serviceMessage;
    this.enveloped = detail.enveloped ?? false;
  }
}
