/** The positions in lists of the ledger in memory. */
import type { Listed, Position } from './shop-ledger.js';

/** Finds where a list continues; positions are numbers of writes. */
export const startOf = (
  after: Position | null,
  below: number,
): Pick<Listed<unknown>, 'isReset'> & { number: number } => {
  const isReset = after !== null && after.number >= below;
  return { number: after === null || isReset ? -1 : after.number, isReset };
};
