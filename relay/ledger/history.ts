/**
 * The history of an order: what changed in it, and when. A person reads it, and no decision about
 * money does. A fact is the difference between the order before a change and after it, so that no
 * rule can forget to write one, and a change that nobody can see writes none.
 */
import { LONG_PAST } from './open-orders.js';
import type { Fact, OrderRow } from './rows.js';

/** What a change of an order carries for its history. */
export type Happened = {
  readonly at: number;
  /** The status in an answer about this order. */
  readonly status?: number | undefined;
};

/** A row with more facts would leave its page of the database. */
export const MAX_FACTS = 64;
/** They tell how an order began, and a long sequence of later ones must not push them out. */
const KEPT_AT_FIRST = 16;

/** @param before null for an order that the ledger did not have */
export function historyAfter(
  before: OrderRow | null,
  after: OrderRow,
  { at, status }: Happened,
): readonly Fact[] {
  const known = before?.history ?? [];
  const named = known.findLast((fact) => fact.status !== undefined)?.status;
  const isOver = after.expires_at === LONG_PAST && before !== null;
  const { review_reason } = after;
  const changes = {
    ...(after.sending !== before?.sending && { sending: after.sending }),
    ...(status !== undefined && status !== named && { status }),
    ...(after.outcome !== (before?.outcome ?? 'pending') && { outcome: after.outcome }),
    ...(review_reason !== null && review_reason !== before?.review_reason && { review_reason }),
    ...(isOver && before.expires_at !== LONG_PAST && { expired_at: before.expires_at ?? at }),
  };
  return Object.keys(changes).length === 0 ? known : bounded([...known, { at, ...changes }]);
}

/** Two facts after the first ones become one, which counts them. */
function bounded(facts: readonly Fact[]): readonly Fact[] {
  const [one, two, ...last] = facts.slice(KEPT_AT_FIRST);
  if (facts.length <= MAX_FACTS || !one || !two) return facts;
  const omitted = (one.omitted ?? 1) + 1;
  return [...facts.slice(0, KEPT_AT_FIRST), { at: one.at, omitted }, ...last];
}

/** When the order was paid; null when it was not, or when its history had no room for the fact. */
export const paidAt = ({
  history,
  outcome,
}: Pick<OrderRow, 'history' | 'outcome'>): number | null =>
  outcome === 'succeeded'
    ? (history.find((fact) => fact.outcome === 'succeeded')?.at ?? null)
    : null;
