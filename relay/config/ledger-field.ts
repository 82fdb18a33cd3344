/** The ledger's name in the configuration: a text, or a reference, since it may hold a password. */
import { z } from 'zod';
import { readReference, Secret, secretReference, type ReadSecret } from './secrets.js';

const NAME = /^(sqlite:.+|memory:|postgres(ql)?:\/\/.+)$/;
const EXPECTED = '"sqlite:FILE", "postgres://…", {"env": "NAME"} or {"file": "path"}';

/**
 * A password with one of these characters would end early: its rest would be read as host, database
 * or parameter, and would stand in the driver's messages.
 */
const isCutPassword = (name: string): boolean =>
  /^postgres[^/]*:\/\/[^/?#]*([/?].*@|.*#)/s.test(name);

export const ledgerField = (read: ReadSecret) =>
  z
    .union([z.string().regex(NAME, { error: EXPECTED }), ...secretReference.options], {
      error: EXPECTED,
    })
    .transform((given, context) => {
      const refuse = (message: string): never => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const named = typeof given === 'string' ? { value: given } : readReference(read, given);
      if (named.value === undefined) return refuse(`a ledger; ${named.problem}`);
      if (!NAME.test(named.value)) return refuse('"sqlite:FILE" or "postgres://…" as its value');
      if (isCutPassword(named.value))
        return refuse(
          'user and password percent-encoded: "@" as %40, "/" as %2F, "?" as %3F, "#" as %23',
        );
      return new Secret(named.value);
    });
