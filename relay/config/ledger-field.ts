/** The addresses of databases in the configuration. Each may be a reference: it has a password. */
import { z } from 'zod';
import { readReference, Secret, secretReference, type ReadSecret } from './secrets.js';

type Expected = { what: string; name: RegExp; given: string; read: string };

const LEDGER: Expected = {
  what: 'a ledger',
  name: /^(sqlite:.+|memory:|postgres(ql)?:\/\/.+)$/,
  given: '"sqlite:FILE", "postgres://…", {"env": "NAME"} or {"file": "path"}',
  read: '"sqlite:FILE" or "postgres://…" as its value',
};
const HINTS: Expected = {
  what: 'a database',
  name: /^postgres(ql)?:\/\/.+$/,
  given: '"postgres://…", {"env": "NAME"} or {"file": "path"}',
  read: '"postgres://…" as its value',
};

/**
 * A password with one of these characters would end early: its rest would be read as host, database
 * or parameter, and would stand in the driver's messages.
 */
const isCutPassword = (name: string): boolean =>
  /^postgres[^/]*:\/\/[^/?#]*([/?].*@|.*#)/s.test(name);

const databaseField = (read: ReadSecret, expected: Expected) =>
  z
    .union(
      [z.string().regex(expected.name, { error: expected.given }), ...secretReference.options],
      {
        error: expected.given,
      },
    )
    .transform((given, context) => {
      const refuse = (message: string): never => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const named = typeof given === 'string' ? { value: given } : readReference(read, given);
      if (named.value === undefined) return refuse(`${expected.what}; ${named.problem}`);
      if (!expected.name.test(named.value)) return refuse(expected.read);
      if (isCutPassword(named.value))
        return refuse(
          'user and password percent-encoded: "@" as %40, "/" as %2F, "?" as %3F, "#" as %23',
        );
      return new Secret(named.value);
    });

export const ledgerField = (read: ReadSecret) => databaseField(read, LEDGER);

/** Where the relays of a PostgreSQL ledger tell each other that orders changed. */
export const ledgerHintsField = (read: ReadSecret) => databaseField(read, HINTS);
