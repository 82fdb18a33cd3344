/** What a page reads when a request fails. */
import { Failure, failureStatuses, type FailureBody } from '../contract/failure.js';
import type { EndRequest } from './request-log.js';

export function endWithFailure(
  end: EndRequest,
  error: unknown,
): { status: number; body: FailureBody } {
  if (error instanceof Failure) {
    const { code, field, message, outcome } = error;
    const status = failureStatuses[code];
    // a page may call a field whatever it likes: only a name of our own stands in the log
    const known = field === undefined || /^[a-z_.]{1,40}$/.test(field) ? field : '(withheld)';
    return {
      status,
      body: {
        error: {
          code,
          message,
          ...(field ? { field } : {}),
          ...(outcome ? { outcome } : {}),
          reference: end(status, { code, field: known }),
        },
      },
    };
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const reference = end(500, { code: 'internal', error: told });
  return {
    status: 500,
    body: {
      error: {
        code: 'internal',
        message: 'the relay failed; the reference is in its log',
        reference,
      },
    },
  };
}
