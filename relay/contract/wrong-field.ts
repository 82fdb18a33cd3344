/** The first field that a schema refuses, for a message that names it. */
import type { z } from 'zod';

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
  return { field: issue?.path.join('.') ?? '', problem: issue?.message ?? 'invalid' };
}
