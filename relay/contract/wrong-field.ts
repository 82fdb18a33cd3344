/** What a schema refuses, for a message that names the field and what is expected there. */
import type { z } from 'zod';

/** @returns the first wrong field; an empty `field` when the value as a whole is wrong */
export function firstWrongField({ issues: [issue] }: z.ZodError): {
  field: string;
  problem: string;
} {
  if (issue?.code === 'unrecognized_keys')
    return {
      field: [...issue.path, ...issue.keys.slice(0, 1)].join('.'),
      problem: 'unknown field',
    };
  return { field: issue?.path.join('.') ?? '', problem: issue ? problemOf(issue) : 'invalid' };
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (!isOfLibrary(issue)) return issue.message;
  const isMissing = issue.message.endsWith('received undefined');
  return `${isMissing ? 'missing; ' : ''}expected ${expectation(issue)}`;
}

/** The names of JSON's types in messages. */
const CLASSES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a text',
  int: 'a whole number',
};

/** The unit of a bound. */
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

const FORMATS: Readonly<Record<string, string>> = {
  guid: 'a UUID',
  url: 'an http(s) URL',
  datetime: 'a time such as "2026-01-31T12:00:00Z"',
};

/** Whether the message is the library's; any other is a sentence of ours. */
const isOfLibrary = ({ message }: z.core.$ZodIssue): boolean =>
  /^(Invalid|Too (big|small)|Unrecognized) ?/.test(message);

/** Says in our words what a schema expects; the library's words are about its own types. */
export function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_key':
      return `the name to be ${issue.issues[0]?.message ?? 'another one'}`;
    case 'invalid_type':
      return CLASSES[issue.expected] ?? `a ${issue.expected}`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return (
        `${issue.inclusive === false ? 'more than' : 'at least'} ` +
        `${String(issue.minimum)}${UNITS[issue.origin] ?? ''}`
      );
    case 'too_big':
      return `at most ${String(issue.maximum)}${UNITS[issue.origin] ?? ''}`;
    case 'invalid_format':
      return isOfLibrary(issue) ? (FORMATS[issue.format] ?? 'another form') : issue.message;
    case 'invalid_union':
      if ('options' in issue && Array.isArray(issue.options))
        return `one of ${issue.options.map((option) => JSON.stringify(option)).join(', ')}`;
      return isOfLibrary(issue) ? eachOf(issue.errors) : issue.message;
    default:
      return issue.message.replace(/^Invalid input: expected /, '');
  }
}

/** What the alternatives of a union expect. */
const eachOf = (errors: readonly z.core.$ZodIssue[][]): string =>
  errors.flatMap(([first]) => (first ? [expectation(first)] : [])).join(' or ');
