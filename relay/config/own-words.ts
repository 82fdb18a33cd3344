/**
 * An option's own words in place of two sentences of the element: the button that copies the code,
 * and the sentence above it. For a locale without such words, the element shows its sentence.
 */
import { z } from 'zod';
import type { OptionWords } from '../contract/responses.js';
import { isPageText } from '../contract/visible-text.js';

const MAX_CHARACTERS = 80;

const isVisibleLine = (text: string): boolean => isPageText(text) && !/[\n\t]/.test(text);
/** A text that a customer reads in one line. */
export const line = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CHARACTERS)
  .refine(isVisibleLine, { error: 'one line without invisible characters' });
const locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z\d]{2,8})*$/);

const words = z.union([line, z.record(locale, line)], {
  error:
    `a line of 1 to ${MAX_CHARACTERS} characters, none of them invisible, ` +
    'or such lines by locale, as in {"en": "Copy Pix code"}',
});

export const ownWords = z.strictObject({
  copy_code: words.optional(),
  scan: words.optional(),
});

/** The words of channels that customers know by name, in the languages of their countries. */
const CHANNELS: Readonly<Record<string, OptionWords>> = {
  pix: {
    copy_code: { en: 'Copy Pix code', es: 'Copiar código Pix', pt: 'Pix Copia e Cola' },
    scan: {
      en: 'Scan with your banking app, under Pix',
      es: 'Escanee con la app de su banco, en Pix',
      pt: 'Escaneie com o app do seu banco, na área Pix',
    },
  },
  qris: {
    copy_code: { en: 'Copy QRIS code', id: 'Salin kode QRIS' },
    scan: {
      en: 'Scan with any app that takes QRIS',
      id: 'Pindai dengan aplikasi apa pun yang menerima QRIS',
    },
  },
  upi: {
    copy_code: { en: 'Copy UPI code', hi: 'UPI कोड कॉपी करें' },
    scan: { en: 'Scan with any UPI app', hi: 'किसी भी UPI ऐप से स्कैन करें' },
  },
  sbp: {
    copy_code: { en: 'Copy SBP code', ru: 'Скопировать код СБП' },
    scan: {
      en: 'Scan with your banking app or your phone’s camera',
      ru: 'Отсканируйте в приложении банка или камерой телефона',
    },
  },
};

/** @param channel an open text such as `pix`, `sbp_qr` or `QRIS-dynamic`; its first word decides */
export function wordsOfChannel(channel: string | undefined): OptionWords | undefined {
  const [name = ''] = channel?.toLowerCase().split(/[^a-z]/) ?? [];
  return Object.hasOwn(CHANNELS, name) ? CHANNELS[name] : undefined;
}
