/** What a person writes that others read: notes, reasons, and sentences for customers. */
import { z } from 'zod';
import { isPageText } from '../contract/visible-text.js';

export const sentence = (max: number): z.ZodType<string> =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(isPageText, { error: 'a text without invisible characters' });

export const MAX_NOTE_CHARACTERS = 500;
const MAX_MESSAGE_CHARACTERS = 200;

const locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { error: 'a locale' });

/** The sentence for customers about an option that is switched off, by locale. */
export const optionMessage = z.record(locale, sentence(MAX_MESSAGE_CHARACTERS));
