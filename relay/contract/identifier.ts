/** An identifier that the relay or the shop made: of an intent, an order, an event or a link. */
import { z } from 'zod';

export const identifier = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !text.includes('\0'), { error: 'a text without the character U+0000' });
