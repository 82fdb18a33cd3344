/**
 * Reads the code of Raast, Pakistan's system of fast payments, for a transfer to an account. It
 * begins as a code of EMVCo's form, and its other fields have numbers of their own.
 */
import { readIban, statedAmount, type Reading } from './content.js';
import { hasRightChecksum } from './crc16.js';
import { readFields } from './fields.js';

const FORM = /^000202[\x20-\x7e]*1004[0-9a-f]{4}$/i;
/** With a field of EMVCo's form too, an app could read it as such. */
const OWN_FIELD = /^(0[0-7]|10)$/;
const ACCOUNT = '04';
const AMOUNT = '05';
const CHECKSUM = '10';

export function readRaastCode(code: string): Reading {
  const { fields, isWhole } = readFields(FORM.test(code) ? code : '')[0] ?? { fields: [] };
  if (!isWhole || fields.at(-1)?.[0] !== CHECKSUM) return null;
  const values = new Map(fields);
  const isUnmixed = fields.every(([id]) => OWN_FIELD.test(id)) && values.size === fields.length;
  const iban = readIban(values.get(ACCOUNT) ?? '');
  if (!isUnmixed || !hasRightChecksum(code) || iban === null) return 'broken';
  const amount = statedAmount(values.get(AMOUNT));
  if (amount === 'broken') return 'broken';
  return { payee: null, accounts: [iban], amount, isTyped: amount === null, currency: 'PKR' };
}
