/** Secrets of the configuration: references in the file, values that do not print. */
import { z } from 'zod';

/** A secret's value; every way of printing it gives `[secret]`. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return '[secret]';
  }
  toJSON(): string {
    return '[secret]';
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}

export type SecretReference = { env: string } | { file: string };

/**
 * Reads a reference; undefined when there is nothing. Injected, since only the commands know
 * environment and files.
 */
export type ReadSecret = (reference: SecretReference) => string | undefined;

const describe = (reference: SecretReference): string =>
  'env' in reference ? `environment variable ${reference.env}` : `file ${reference.file}`;

/**
 * A schema for `{"env": "NAME"}` or `{"file": "path"}` that yields the Secret; `minimum` in
 * characters.
 */
export const secretField = (read: ReadSecret, minimum = 1) =>
  z
    .union(
      [z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
      {
        error: '{"env": "NAME"} or {"file": "path"}; a secret is never written in the file',
      },
    )
    .transform((reference, context) => {
      const value = read(reference)?.trim();
      if (value === undefined || value.length < minimum) {
        const found =
          value === undefined || value === ''
            ? 'is missing'
            : `is shorter than ${minimum} characters`;
        context.addIssue({
          code: 'custom',
          message: `a secret; the ${describe(reference)} ${found}`,
          params: { silent: true },
        });
        return z.NEVER;
      }
      return new Secret(value);
    });

const COUNT = { error: 'one secret, or a list of two' };
const isOneOrTwo = ({ length }: readonly unknown[]): boolean => length === 1 || length === 2;

/** One secret, or two while the first takes the place of the second; a list in either case. */
export const oneOrTwo = <T extends ReturnType<typeof secretField>>(one: T) =>
  z
    .union([one, z.array(one).refine(isOneOrTwo, COUNT)], {
      error: (issue) => {
        if (issue.code !== 'invalid_union') return undefined;
        const [asOne, asList] = issue.errors;
        return (Array.isArray(issue.input) ? asList : asOne)?.[0]?.message;
      },
    })
    .transform((secrets) => (Array.isArray(secrets) ? secrets : [secrets]));
