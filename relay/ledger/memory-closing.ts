/** Which intents of the ledger in memory are due for a report, and which may be superseded. */
import type { IntentRow } from './rows.js';
import type { CloseRefusal } from './shop-ledger.js';

export const isUnpaidDue = ({ unpaid_due_at }: IntentRow, now: number): boolean =>
  unpaid_due_at !== null && unpaid_due_at <= now;

/** Why an intent cannot be superseded by another one. */
export function supersedeRefusal(former: IntentRow, by: readonly string[]): CloseRefusal | null {
  if (former.paid_request_id !== null && former.closed_at === null) return 'already_paid';
  const { superseded_by } = former;
  return superseded_by === null || by.includes(superseded_by) ? null : 'already_superseded';
}
