/** Why an operation of the order service gave no result, and what is known of its effect. */
export type OrderServiceErrorKind =
  /** The request violates the document; nothing was sent. `field` names the first wrong field. */
  | 'invalid_request'
  /**
   * The service answered with a code other than 200; `code` holds it. The codes are not documented:
   * query, unless you know that this code means that nothing was done.
   */
  | 'refused'
  /** Nothing was sent: no connection was made, or the request could not be built. */
  | 'unreachable'
  /** The answer is not the documented envelope; the effect is unknown. */
  | 'unreadable'
  /** Sent, but the answer is missing or incomplete (cut or timed out); the effect is unknown. */
  | 'outcome_unknown';

/** A code as the log may show it. On the wire it is free text, which could hold personal data. */
const codeForLog = (code: string | undefined): string | undefined =>
  code === undefined || /^(-?\d{1,6}|[A-Z][A-Z_]{1,40})$/.test(code) ? code : '(withheld)';

const MAX_MESSAGE_CHARACTERS = 200;

/**
 * The service's message as the log may show it: one short line.
 *
 * @param hidden secrets and data of the customer, which the service may repeat in its message
 * @returns undefined when there is no message
 */
export function messageForLog(
  message: string | undefined,
  hidden: readonly string[],
): string | undefined {
  if (!message) return undefined;
  // invisible characters go first: inside a secret they would keep it from being found
  const shown = hidden
    .filter((text) => text !== '')
    .sort((one, other) => other.length - one.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), message.replace(/\p{C}/gu, ''));
  return shown.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** The HTTP statuses, and the codes of a service that always answers with HTTP 200. */
const OF_CREDENTIALS = ['401', '403'];

/** Whether the service, or a gateway before it, refused the credential. */
export const isOfCredential = ({ code, httpStatus, kind }: OrderServiceError): boolean =>
  OF_CREDENTIALS.includes(String(httpStatus)) ||
  (kind === 'refused' && OF_CREDENTIALS.includes(code ?? ''));

/**
 * The fields of the log line of a call that failed.
 *
 * @param service whose headers hold secrets; its address is named when it was not reached
 * @param hide data of the customer, which no line may contain
 * @param customerKnown whether `hide` holds all that the service knows of the customer. If it does
 *   not, a message may name the customer, so only that of a refused credential is logged
 */
export const errorForLog = (
  error: OrderServiceError,
  {
    base_url,
    headers,
  }: { base_url: string; headers: Readonly<Record<string, { reveal(): string }>> },
  { customerKnown, hide }: { customerKnown: boolean; hide: readonly string[] },
): Record<string, string | number | undefined> => ({
  kind: error.kind,
  code: codeForLog(error.code),
  http_status: error.httpStatus,
  service_message:
    customerKnown || isOfCredential(error)
      ? messageForLog(error.serviceMessage, [
          ...Object.values(headers).map((secret) => secret.reveal()),
          ...hide,
        ])
      : undefined,
  cause: error.causeCode,
  reason: error.isOwn ? error.message : undefined,
  base_url: error.kind === 'unreachable' && !error.isOwn ? base_url : undefined,
  field: error.field,
});

/** Why an `unreachable` request was not sent, for the page that asked. */
export const whyUnsent = ({ isOwn, message }: OrderServiceError): string =>
  isOwn ? message : 'no connection to the order service';

/** Causes to search. The bound is needed because a chain of causes may be a circle. */
export const MAX_CAUSE_DEPTH = 5;

/** The code of the underlying error, for the log: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
export function codeOfCause(error: unknown): string | undefined {
  let name: string | undefined;
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(cause.code))
      return cause.code.slice(0, 64);
    // the error of a deadline has a name but no code
    if (/^[A-Za-z]{1,64}$/.test(cause.name)) name = cause.name;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return name;
}

export class OrderServiceError extends Error {
  override readonly name = 'OrderServiceError';
  readonly kind: OrderServiceErrorKind;
  readonly field: string | undefined;
  /** The relay itself sent nothing, and the message is its own text that says why. */
  readonly isOwn: boolean;
  /** The service's result code, as text. */
  readonly code: string | undefined;
  /** The service's message: for the log, never for a customer. */
  readonly serviceMessage: string | undefined;
  /** The answer was the documented envelope, so it came from the service itself. */
  readonly enveloped: boolean;
  /** The HTTP status of an answer that is refused or unreadable; absent without an answer. */
  readonly httpStatus: number | undefined;
  /** The code of the underlying error, for the log. */
  readonly causeCode: string | undefined;

  constructor(
    kind: OrderServiceErrorKind,
    message: string,
    detail: {
      field?: string;
      isOwn?: boolean;
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
    this.isOwn = detail.isOwn ?? false;
    this.code = detail.code;
    this.serviceMessage = detail.serviceMessage;
    this.enveloped = detail.enveloped ?? false;
    this.httpStatus = detail.httpStatus;
    this.causeCode = codeOfCause(detail.cause);
  }
}
