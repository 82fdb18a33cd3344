/** Why a ledger cannot be used now, or until the relay is started again. */

/** Version of the ledger's tables; a relay refuses a ledger with another version. */
export const GENERATION = 2;

/**
 * Thrown when a newer relay has used the ledger: this relay must then place no more orders.
 * Also thrown when a command finds a ledger that no relay has used yet.
 */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
  /** @param found null when the ledger has no tables of a relay */
  constructor(found: string | null) {
    super(
      found === null
        ? 'no relay has used this ledger yet: start a relay, which makes its tables'
        : `the ledger has generation ${found}, and this version knows ${GENERATION}: ` +
            'install the version of the relay that last used this ledger, or a newer one',
    );
  }
}

/** Why a database with a table of our name, and without a generation in it, is refused. */
export const NOT_OURS =
  'the database has a table "settings" of another program: give the ledger a database or a ' +
  'schema of its own';

/** Thrown when the ledger's file was removed or replaced, since further writes would be lost. */
export class LedgerGoneError extends Error {
  override readonly name = 'LedgerGoneError';
}

/** Whether this relay can place no order until it is restarted. */
export const isUnusable = (error: unknown): error is GenerationError | LedgerGoneError =>
  error instanceof GenerationError || error instanceof LedgerGoneError;

/**
 * Thrown when the ledger cannot be written, because another process holds its lock or because its
 * disk takes no writes.
 */
export class LedgerBusyError extends Error {
  override readonly name = 'LedgerBusyError';
}

/**
 * Thrown when the connection to the database is lost or cannot be made. Whether a write took effect
 * is then unknown.
 */
export class LedgerLostError extends Error {
  override readonly name = 'LedgerLostError';
}
