/** Reads a transfer of Solana Pay: `solana:ACCOUNT?amount=1.5&spl-token=MINT&label=NAME`. */
import { statedAmount, type Reading } from './content.js';
import { readCoinLink } from './payment-uri.js';

/** An address has no checksum: letters of one case alone say that somebody has changed them. */
export const SOLANA_ADDRESS = /^(?=.*[a-z])(?=.*[A-Z])[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export function readSolanaUri(text: string): Reading {
  // `solana:https…` asks a server for any transaction, so it is a form that nobody can check
  if (!/^solana:(?!https?(:|%3a))/i.test(text)) return null;
  const uri = readCoinLink(text, {
    mayRepeat: (name) => name === 'reference',
    inLowerCase: ['amount', 'spl-token', 'label'],
  });
  if (uri === 'broken' || !SOLANA_ADDRESS.test(uri.target)) return 'broken';
  const amount = statedAmount(uri.fields.get('amount'));
  if (amount === 'broken') return 'broken';
  const mint = uri.fields.get('spl-token');
  if (mint !== undefined && !SOLANA_ADDRESS.test(mint)) return 'broken';
  return {
    payee: uri.fields.get('label')?.trim() || null,
    accounts: [{ exact: uri.target }],
    amount,
    isTyped: amount === null,
    network: 'solana',
    ...(mint === undefined
      ? { currency: 'SOL' }
      : { currency: null, token: { contract: mint, units: null } }),
  };
}
