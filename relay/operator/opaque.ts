/** Texts that a caller gets, keeps and gives back, and need not understand. */
import { base64urlnopad } from '@scure/base';
import type { z } from 'zod';

export const toOpaque = (value: readonly unknown[]): string =>
  base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)));

/** @returns null for another text, or for a part of one: it is no longer JSON */
export function fromOpaque<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(base64urlnopad.decode(text))));
  } catch {
    return null;
  }
}
