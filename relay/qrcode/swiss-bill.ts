/** Reads the code of a Swiss QR-bill, whose first line is `SPC`. */
import { linesOf, readIban, statedAmount, type Reading } from './content.js';

/** The places of lines, from 0. */
const LINE = { version: 1, characterSet: 2, account: 3, payee: 5, amount: 18, currency: 19 };
/** The line that ends a bill's data is the 31st; three lines may follow. */
const END = 30;
const MAX_LINES = END + 4;

export function readSwissBill(text: string): Reading {
  if (!/^SPC\s/.test(text)) return null;
  const lines = linesOf(text);
  if (lines === null || lines.length > MAX_LINES) return 'broken';
  const at = (line: keyof typeof LINE): string => lines[LINE[line]]?.trim() ?? '';
  const iban = readIban(at('account'));
  const isForm = lines[0] === 'SPC' && /^02\d\d$/.test(at('version')) && at('characterSet') === '1';
  if (!isForm || lines[END] !== 'EPD' || at('payee') === '' || iban === null) return 'broken';
  const amount = statedAmount(at('amount') || undefined);
  if (amount === 'broken') return 'broken';
  return {
    payee: at('payee'),
    accounts: [iban],
    amount,
    isTyped: amount === null,
    currency: at('currency'),
  };
}
