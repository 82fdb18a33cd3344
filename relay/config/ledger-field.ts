/** Database addresses in the configuration; each may be a reference, since it has a password. */
import { z } from 'zod';
import { readReference, Secret, secretReference, type ReadSecret } from './secrets.js';

type Expected = {
  /** What the field names, for its messages. */
  noun: string;
  address: RegExp;
  /** The forms that the configuration may contain, for its messages. */
  inConfig: string;
  /** The forms of the text that a reference leads to, for its messages. */
  asValue: string;
};

const LEDGER: Expected = {
  noun: 'a ledger',
  address: /^(sqlite:.+|memory:|postgres(ql)?:\/\/.+)$/,
  inConfig: '"sqlite:FILE", "postgres://…", {"env": "NAME"} or {"file": "path"}',
  asValue: '"sqlite:FILE" or "postgres://…" as its value',
};
const HINTS: Expected = {
  noun: 'a database',
  address: /^postgres(ql)?:\/\/.+$/,
  inConfig: '"postgres://…", {"env": "NAME"} or {"file": "path"}',
  asValue: '"postgres://…" as its value',
};

/**
 * Whether a `/`, `?` or `#` ends the password early. The driver would read the rest of the password
 * as host, database or parameter, and would print it in its messages.
 */
const isCutPassword = (address: string): boolean =>
  /^postgres[^/]*:\/\/[^/?#]*([/?].*@|.*#)/s.test(address);

/**
 * Whether SQLite would read the path as something else than a file. A database in memory is another
 * one in each connection, and the checks of a ledger's file know none of these.
 */
const isNoFile = (address: string): boolean => /^sqlite:(:memory:|file:)/.test(address);

const databaseField = (read: ReadSecret, expected: Expected) =>
  z
    .union(
      [
        z.string().regex(expected.address, { error: expected.inConfig }),
        ...secretReference.options,
      ],
      {
        error: expected.inConfig,
      },
    )
    .transform((input, context) => {
      const refuse = (message: string): never => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const found = typeof input === 'string' ? { value: input } : readReference(read, input);
      if (found.value === undefined) return refuse(`${expected.noun}; ${found.problem}`);
      if (!expected.address.test(found.value)) return refuse(expected.asValue);
      if (isCutPassword(found.value))
        return refuse(
          'user and password percent-encoded: "@" as %40, "/" as %2F, "?" as %3F, "#" as %23',
        );
      if (isNoFile(found.value))
        return refuse('a path after "sqlite:", as in "sqlite:pay.db", not ":memory:" or "file:"');
      return new Secret(found.value);
    });

export const ledgerField = (read: ReadSecret) => databaseField(read, LEDGER);

/** Where the relays of a PostgreSQL ledger tell each other that orders changed. */
export const ledgerHintsField = (read: ReadSecret) => databaseField(read, HINTS);
