/**
 * Reads the code of a European credit transfer (EPC069-12), whose first line is `BCD`, and that of
 * Ukraine, which has the same lines and one more.
 */
import { linesOf, plainAmount, readIban, type Reading } from './content.js';

/** The currency of each kind of transfer, and its lines to the note for the customer. */
const TRANSFERS: ReadonlyMap<string, { currency: string; maxLines: number }> = new Map([
  ['SCT', { currency: 'EUR', maxLines: 12 }],
  ['INST', { currency: 'EUR', maxLines: 12 }],
  ['UCT', { currency: 'UAH', maxLines: 13 }],
]);

export function readEpcCode(text: string): Reading {
  if (!/^BCD\s/.test(text)) return null;
  const lines = linesOf(text);
  if (lines === null) return 'broken';
  const [name, version = '', characterSet = '', kind = '', , payee = '', account = '', sum = ''] =
    lines;
  const transfer = TRANSFERS.get(kind);
  if (transfer === undefined || lines.length > transfer.maxLines) return 'broken';
  const { currency } = transfer;
  const iban = readIban(account);
  const isForm = name === 'BCD' && /^00[12]$/.test(version) && /^[1-8]$/.test(characterSet);
  if (!isForm || payee.trim() === '' || iban === null) return 'broken';
  const amount = sum.startsWith(currency) ? plainAmount(sum.slice(3)) : null;
  if (sum !== '' && amount === null) return 'broken';
  return {
    payee: payee.trim(),
    accounts: [iban],
    amount,
    isTyped: amount === null,
    currency,
  };
}
