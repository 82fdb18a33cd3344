/** Thrown when a command was called wrongly; the message says how it is meant. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
