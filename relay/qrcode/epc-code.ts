/** Reads the code of a European credit transfer (EPC069-12), whose first line is `BCD`. */
import { linesOf, plainAmount, type Reading } from './content.js';
import { readIban } from './iban.js';

/** From the form's name to the note for the payer. */
const MAX_LINES = 12;

export function readEpcCode(text: string): Reading {
  if (!/^BCD\s/.test(text)) return null;
  const lines = linesOf(text);
  if (lines === null || lines.length > MAX_LINES) return 'broken';
  const [name, version = '', characterSet = '', kind = '', , payee = '', account = '', sum = ''] =
    lines;
  const iban = readIban(account);
  const isForm = name === 'BCD' && /^00[12]$/.test(version) && /^[1-8]$/.test(characterSet);
  if (!isForm || kind !== 'SCT' || payee.trim() === '' || iban === null) return 'broken';
  const amount = sum.startsWith('EUR') ? plainAmount(sum.slice(3)) : null;
  if (sum !== '' && amount === null) return 'broken';
  return {
    payee: payee.trim(),
    accounts: [iban],
    amount,
    isTyped: amount === null,
    currency: 'EUR',
  };
}
