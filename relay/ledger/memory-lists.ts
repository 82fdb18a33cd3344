/** The positions in lists of the ledger in memory. */
import type { Listed, Position } from './shop-ledger.js';

/** Finds where a list continues; positions are numbers of writes. */
export const startOf = (
  after: Position | null,
  last: number,
): Pick<Listed<unknown>, 'isReset'> & { number: number } => {
  const isReset = after !== null && after.number > last;
  return { number: after === null || isReset ? -1 : after.number, isReset };
};
