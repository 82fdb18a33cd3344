/** Reads the bodies of the control calls strictly: a mistyped one would look like an outage. */
import type { z } from 'zod';
import { firstWrongField } from '../contract/wrong-field.js';

/** @param body undefined when the request has no JSON */
export function readBody<T extends object>(
  schema: z.ZodType<T>,
  body: unknown,
): T | { wrong: string } {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const { field, problem } = firstWrongField(read.error);
  return { wrong: field === '' ? 'the body is not a JSON object' : `${field}: ${problem}` };
}
