/** The positions in lists of the ledger in memory, and the form in which it reports a change. */
import type { SeenChange } from './ledger.js';
import type { IntentRow, OrderRow } from './rows.js';
import type { Listed, Position } from './shop-ledger.js';

export const seenChange = (
  { intent_id, request_id, version }: OrderRow,
  intent: IntentRow | undefined,
): SeenChange => ({ intent_id, request_id, version, closed_at: intent?.closed_at ?? null });

/** Finds where a list continues; positions are counts of writes. */
export const startOf = (
  after: Position | null,
  below: number,
): Pick<Listed<unknown>, 'isReset'> & { number: number } => {
  const isReset = after !== null && after.number >= below;
  return { number: after === null || isReset ? -1 : after.number, isReset };
};
