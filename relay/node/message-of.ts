/** Says what was thrown. */

/**
 * The message of an error and of its causes. An AggregateError, as for a host with several
 * addresses, has no message, so the messages of its errors are joined.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  const message = error.message || inner.map(messageOf).join(', ') || error.name;
  return error.cause instanceof Error ? `${message}: ${messageOf(error.cause)}` : message;
}

export const listenError = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE' ? new Error(`port ${port} is taken`) : error;

/** The code of an error of Node or of a driver. */
export const codeOf = (error: unknown, none = ''): string =>
  error instanceof Error && 'code' in error ? String(error.code) : none;
