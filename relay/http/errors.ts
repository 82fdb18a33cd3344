/** Status, headers and body of the answer to a request that failed. */
import { Failure, type FailureBody, failureStatuses } from '../contract/failure.js';
import { MAX_CAUSE_DEPTH, messageForLog } from '../order-service/errors.js';
import type { EndRequest } from './request-log.js';

export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Writes the log line of a failed request, and returns its answer.
 *
 * @param supportUrl for the customer of a page
 */
export function endWithFailure(
  end: EndRequest,
  error: unknown,
  supportUrl?: string,
): { status: number; headers: Record<string, string>; body: FailureBody } {
  const failure =
    error instanceof Failure
      ? error
      : new Failure('internal', 'the relay failed; the reference is in its log');
  const { code, field, message, notice, outcome, retry_after_s } = failure;
  const status = failureStatuses[code];
  const reference = end(status, { code, ...detailsForLog(error) });
  return {
    status,
    headers: {
      'x-reference': reference,
      ...securityHeaders,
      ...(retry_after_s !== undefined && { 'retry-after': String(retry_after_s) }),
    },
    body: {
      error: {
        code,
        message,
        field: field || undefined,
        outcome,
        notice,
        support_url: supportUrl,
        reference,
      },
    },
  };
}

function detailsForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Failure))
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  const { field } = error;
  // an unknown field has the name that the page gave it, which must not get into the log
  const known = field === undefined || /^[a-z_.]{1,40}$/.test(field) ? field : '(withheld)';
  return { field: known, ...reasonOf(error), ...causeForLog(error) };
}

/**
 * Why a request failed, such as the error of the database, with what caused that error. Only the
 * log has it: it may name a file or a host.
 */
export function causeForLog({ cause: first }: Failure): { cause?: string } {
  const causes: string[] = [];
  let cause = first;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && cause instanceof Error; depth++) {
    causes.push(messageForLog(String(cause), []) ?? '');
    // Node.js puts the errors of several addresses into one that has no message
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return causes.length === 0 ? {} : { cause: causes.join('; ') };
}

/**
 * Why a token was refused, or a text in place of JSON: a customer may be at the page, and the
 * developer reads the log.
 */
const reasonOf = ({ code, message }: Failure): { reason?: string | undefined } =>
  code === 'token_invalid' || code === 'token_expired' || code === 'content_type_refused'
    ? { reason: messageForLog(message, []) }
    : {};
