/** Where a list of the ledger in memory goes on; its positions are counts of writes. */
import type { Listed, Position } from './shop-ledger.js';

export const startOf = (
  after: Position | null,
  below: number,
): Pick<Listed<unknown>, 'isReset'> & { number: number } => {
  const isReset = after !== null && after.number >= below;
  return { number: after === null || isReset ? -1 : after.number, isReset };
};
