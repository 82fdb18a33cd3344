/** The first field that a schema refuses, for a message that names it. */
import type { z } from 'zod';
import { expectation, isOfLibrary } from './expectation.js';

/** @returns an empty `field` when the value as a whole is wrong */
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
