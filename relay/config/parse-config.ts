/** Validates a configuration, and reports each wrong field by path, value and expectation. */
import type { z } from 'zod';
import { configSchema, type Config } from './schema.js';
import type { ReadSecret } from './secrets.js';

/** `problems` has one line per wrong field; it never contains a secret's value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`the configuration is refused:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.problems = problems;
  }
}

/** @throws ConfigError */
export function parseConfig(file: unknown, readSecret: ReadSecret = () => undefined): Config {
  const parsed = configSchema(readSecret).safeParse(file, { reportInput: false });
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.flatMap((issue) => problemLines(issue, file)));
}

/** Fields whose value is a secret, or could be one by mistake. */
const SECRET_FIELDS =
  /(^|\.)(secret|secret_key|key|public_key|request_id_key|headers\.[^.]+)(\.|$)/;

function problemLines(issue: z.core.$ZodIssue, file: unknown): string[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `${[...at, key].join('.')}: an unknown field; check its spelling`,
    );
  const path = at.join('.') || '(the whole file)';
  const expected = expectation(issue);
  if (SECRET_FIELDS.test(path)) return [`${path}: expected ${expected}`];
  const value = valueAt(file, issue.path);
  return [
    value === undefined
      ? `${path}: missing; expected ${expected}`
      : `${path}: ${shownValue(value)}; expected ${expected}`,
  ];
}

/** Hides the user and the password in a URL. */
const shownValue = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/:\/\/[^"\s]*@/g, '://…@')
    .slice(0, 120);

/** The unit of a lower bound. */
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `a ${issue.expected}`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `at least ${String(issue.minimum)}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `at most ${String(issue.maximum)}`;
    default:
      return issue.message.replace(/^Invalid input: expected /, '');
  }
}

const valueAt = (file: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    file,
  );
