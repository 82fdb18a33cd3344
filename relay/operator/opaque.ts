/** Texts that a caller receives and sends back unchanged, such as the cursor of a list. */
import { base64urlnopad } from '@scure/base';
import type { z } from 'zod';

export const toOpaque = (value: readonly unknown[]): string =>
  base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)));

/** @returns null for a text that `toOpaque` did not make, or that was cut */
export function fromOpaque<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(base64urlnopad.decode(text))));
  } catch {
    return null;
  }
}
