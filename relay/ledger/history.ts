/**
 * The history of an order: what changed in it, and when. A person reads it, and no decision about
 * money does. A fact is the difference between the order before a change and after it, so that no
 * rule can forget to write one, and a change that nobody can see writes none.
 */
import type { Fact, OrderRow } from './rows.js';

/** What a change of an order carries for its history. */
export type Happened = {
  readonly at: number;
  /** The status in an answer about this order. */
  readonly status?: number | undefined;
};

/** A row with more facts would leave its page of the database. */
export const MAX_FACTS = 64;
/** Of an order that was replaced: an intent may have twenty orders. */
export const MAX_FACTS_WHEN_REPLACED = 16;
/** The first facts tell how an order began, and many later ones must not push them out. */
const PART_KEPT_AT_FIRST = 1 / 4;

/** @param before null for an order that the ledger did not have */
export function historyAfter(
  before: OrderRow | null,
  after: OrderRow,
  { at, status }: Happened,
): readonly Fact[] {
  const known = before?.history ?? [];
  const named = known.findLast((fact) => fact.status !== undefined)?.status;
  const isOver = after.has_expired && before !== null && !before.has_expired;
  const { review_reason } = after;
  const changes = {
    ...(after.sending !== before?.sending && { sending: after.sending }),
    ...(status !== undefined && status !== named && { status }),
    ...(after.outcome !== (before?.outcome ?? 'pending') && { outcome: after.outcome }),
    ...(review_reason !== null && review_reason !== before?.review_reason && { review_reason }),
    ...(isOver && { expired_at: after.expires_at ?? at }),
  };
  return Object.keys(changes).length === 0
    ? known
    : bounded([...known, { at, ...changes }], MAX_FACTS);
}

/** The facts after the first ones become one, which counts them, until at most `max` are left. */
export function bounded(facts: readonly Fact[], max: number): readonly Fact[] {
  const first = max * PART_KEPT_AT_FIRST;
  const last = facts.length - (max - first - 1);
  const [one, ...others] = facts.slice(first, last);
  if (facts.length <= max || !one) return facts;
  const omitted = [one, ...others].reduce((sum, fact) => sum + (fact.omitted ?? 1), 0);
  return [...facts.slice(0, first), { at: one.at, omitted }, ...facts.slice(last)];
}

/** When the order got its outcome, or its review, as far as its history tells. */
export const becameAt = ({
  created_at,
  history,
  outcome,
  review_reason,
}: Pick<OrderRow, 'created_at' | 'history' | 'outcome' | 'review_reason'>): number =>
  history.findLast((fact) =>
    review_reason === null ? fact.outcome === outcome : fact.review_reason !== undefined,
  )?.at ?? created_at;

/** When the order was paid; null when it was not, or when its history had no room for the fact. */
export const paidAt = ({
  history,
  outcome,
}: Pick<OrderRow, 'history' | 'outcome'>): number | null =>
  outcome === 'succeeded'
    ? (history.find((fact) => fact.outcome === 'succeeded')?.at ?? null)
    : null;
