/** Secrets of the configuration: the file holds references, and no value is ever printed. */
import { z } from 'zod';
import { NotUtf8Error } from '../utf8.js';

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

type SecretReference = { env: string } | { file: string };

/**
 * Reads the value that a reference names; undefined when there is none. It is injected, because
 * only the commands may read the environment and files.
 *
 * @throws NotUtf8Error, or an Error with a `code`, when there is a value that cannot be read
 */
export type ReadSecret = (reference: SecretReference) => string | undefined;

/** The schema of a reference, as the file holds it. */
export const secretReference = z.union([
  z.strictObject({ env: z.string().min(1) }),
  z.strictObject({ file: z.string().min(1) }),
]);

/**
 * Names a reference, if it looks like a name: by mistake the secret itself may stand there. A name
 * has capital letters, a path has a slash or a dot, and neither has digits between its letters.
 */
function describe(reference: SecretReference): string {
  if ('env' in reference)
    return `environment variable${isName(reference.env) ? ` ${reference.env}` : ''}`;
  return `file${isPath(reference.file) ? ` ${reference.file}` : ''}`;
}

const isName = (env: string): boolean => /^[A-Z]{1,16}\d{0,2}(_[A-Z]{0,16}\d{0,2})*$/.test(env);

const isPath = (file: string): boolean =>
  /[./\\]/.test(file) &&
  file.split(/[/\\]/).every((part) => /^[A-Za-z._ -]{0,32}\d{0,4}$/.test(part));

/** @returns the value without white space around it, or why there is none */
export function readReference(
  read: ReadSecret,
  reference: SecretReference,
  minCharacters = 1,
): { value: string } | { value: undefined; problem: string } {
  const refuse = (problem: string): { value: undefined; problem: string } => ({
    value: undefined,
    problem: `the ${describe(reference)} ${problem}`,
  });
  try {
    const value = read(reference)?.trim() ?? '';
    if (value.length >= minCharacters) return { value };
    return refuse(value === '' ? 'is missing' : `is shorter than ${minCharacters} characters`);
  } catch (error) {
    // other secrets would become the same one when their bytes are replaced
    if (error instanceof NotUtf8Error) return refuse('is not UTF-8');
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Docker makes one where a file that it mounts is missing
    if (code === 'EISDIR') return refuse('is a folder');
    return refuse(`cannot be read (${code}); let the user that runs the relay read it`);
  }
}

/** A schema for `{"env": "NAME"}` or `{"file": "path"}` that yields the Secret. */
export const secretField = (read: ReadSecret, minCharacters = 1) =>
  z
    .union(secretReference.options, {
      error: '{"env": "NAME"} or {"file": "path"}; a secret is never written in the file',
    })
    .transform((reference, context) => {
      const found = readReference(read, reference, minCharacters);
      if (found.value !== undefined) return new Secret(found.value);
      context.addIssue({ code: 'custom', message: `a secret; ${found.problem}` });
      return z.NEVER;
    });

const COUNT = { error: 'one secret, or a list of two' };
const isOneOrTwo = ({ length }: readonly unknown[]): boolean => length === 1 || length === 2;

/** One secret, or two during a rotation; yields a list in both cases. */
export const oneOrTwo = <T extends ReturnType<typeof secretField>>(secret: T) =>
  z
    .union([secret, z.array(secret).refine(isOneOrTwo, COUNT)], {
      error: (issue) => {
        if (issue.code !== 'invalid_union') return undefined;
        const [asOne, asList] = issue.errors;
        return (Array.isArray(issue.input) ? asList : asOne)?.[0]?.message;
      },
    })
    .transform((secrets) => (Array.isArray(secrets) ? secrets : [secrets]));
