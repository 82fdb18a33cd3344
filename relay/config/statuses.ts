/** Our reading of a status: the configured table, and the two things that are known without one. */
import type { Outcome } from '../contract/order.js';

export const tableOutcomes = ['pending', 'succeeded', 'failed', 'expired', 'review'] as const;
export type StatusTable = Readonly<Record<string, (typeof tableOutcomes)[number]>>;

/** Status of a newly created direct pay order (States and transitions). */
const CREATED = 11;

/**
 * @param firstStatus the status that pay first returned for the order, null when pay's answer was
 * lost
 */
export function readStatus(
  table: StatusTable,
  status: number,
  firstStatus: number | null,
): Exclude<Outcome, 'confirming'> {
  return (
    table[String(status)] ?? (status === firstStatus || status === CREATED ? 'pending' : 'unmapped')
  );
}
