/** Compares what would be charged with what the shop or its customer expects. */
import { compareDecimals } from '../contract/decimal.js';
import { Failure } from '../contract/failure.js';

export type Amount = { amount: string; currency: string };

/** @throws Failure `not_as_expected` naming the field */
export function checkAmount(charged: Amount, expect: Amount): void {
  const differs = (field: string): Failure =>
    new Failure('not_as_expected', `the order's ${field} is not the expected one`, field);
  if (charged.currency !== expect.currency) throw differs('currency');
  if (compareDecimals(charged.amount, expect.amount) !== 0) throw differs('amount');
}
