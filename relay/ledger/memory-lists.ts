/** Where a list of the ledger in memory goes on, and what it tells of a change. */
import type { SeenChange } from './ledger.js';
import type { IntentRow, OrderRow } from './rows.js';
import type { Listed, Position } from './shop-ledger.js';

export const seenChange = (
  { intent_id, request_id, version }: OrderRow,
  intent: IntentRow | undefined,
): SeenChange => ({ intent_id, request_id, version, closed_at: intent?.closed_at ?? null });

/** Positions are counts of writes. */
export const startOf = (
  after: Position | null,
  below: number,
): Pick<Listed<unknown>, 'isReset'> & { number: number } => {
  const isReset = after !== null && after.number >= below;
  return { number: after === null || isReset ? -1 : after.number, isReset };
};
