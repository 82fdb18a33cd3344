/**
 * Reads a status by the configured table. Without an entry there, a new order's status is pending.
 */
import type { Outcome } from '../contract/order.js';

export const tableOutcomes = ['pending', 'succeeded', 'failed', 'expired', 'review'] as const;
export type StatusTable = Readonly<Record<string, (typeof tableOutcomes)[number]>>;

/** The documented status of a newly created order. */
export const CREATED = 11;

/** What the statuses of the sandbox mean. Another service may use the same numbers otherwise. */
export const SANDBOX_STATUSES = { '20': 'succeeded', '30': 'failed', '40': 'expired' } as const;

/** @param firstStatus the status that pay first returned; null when its answer was lost */
export function readStatus(
  table: StatusTable,
  status: number,
  firstStatus: number | null,
): Exclude<Outcome, 'confirming'> {
  return (
    table[String(status)] ?? (status === firstStatus || status === CREATED ? 'pending' : 'unmapped')
  );
}

/** Whether the service calls an order paid; its outcome may differ, by a person's decision. */
export const isCalledPaid = (
  table: StatusTable,
  {
    first_status,
    status,
  }: { readonly first_status: number | null; readonly status: number | null },
): boolean => status !== null && readStatus(table, status, first_status) === 'succeeded';
