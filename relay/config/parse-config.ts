/** Validates a configuration, and reports each wrong field by path, value and expectation. */
import { z } from 'zod';
import { expectation } from '../contract/wrong-field.js';
import { lineFor } from './lines.js';
import { configSchema, type Config } from './schema.js';
import type { ReadSecret } from './secrets.js';
import { shownValue } from './shown-value.js';

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
  const parsed = configSchema(readSecret).safeParse(file, {
    reportInput: false,
    // compiling a parser for each object takes longer than one parse without it
    jitless: true,
    error: (issue) => (issue.code === 'unrecognized_keys' ? knownFields(issue.inst) : undefined),
  });
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.flatMap((issue) => problemLines(issue, file)));
}

function problemLines(issue: z.core.$ZodIssue, file: unknown): string[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${[...at, key].join('.')}: an unknown field; ${issue.message}`);
  // a whole header line may stand where its name belongs, with the secret value in it
  if (issue.code === 'invalid_key' && at.at(-2) === 'headers') at.splice(-1, 1, '…');
  const path = at.join('.') || '(the whole file)';
  const value = valueAt(file, issue.path);
  const isContainer = issue.code === 'invalid_type' && CONTAINERS.has(issue.expected);
  const shown = shownValue(path, value, isContainer);
  const expected = expectation(issue);
  const line = lineFor(issue.path);
  const write = line === null || NAMES_THE_LINE.test(expected) ? '' : `; write ${line}`;
  return [`${path}: ${shown === null ? '' : `${shown}; `}expected ${expected}${write}`];
}

/** @param schema of the object with a field that it does not know */
const knownFields = (schema: unknown): string =>
  schema instanceof z.ZodObject
    ? `the fields here are ${Object.keys(schema.shape).sort().join(', ')}`
    : 'check its spelling';

/** Expectations that name what to write, or that say that only the secret is missing. */
const NAMES_THE_LINE = /"(options|statuses)": |; write "|^a secret; the /;

const CONTAINERS = new Set<string>(['object', 'array', 'record']);

const valueAt = (file: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    file,
  );
