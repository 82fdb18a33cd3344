/** Hands facts to the invariants, and keeps the first violation and the table of what was tried. */
import type { FaultName } from '../faults/names.js';
import type { Fact } from './facts.js';
import type { Disturbances } from './disturbances.js';
import { closedStaysClosed } from './closed-stays-closed.js';
import { invariantNames, type Invariant, type InvariantName, type Promised } from './invariant.js';
import { createKnown, type Known } from './known.js';
import { decisionStands } from './decision-stands.js';
import { noOrderIsLost } from './no-order-is-lost.js';
import { nobodyWaits } from './nobody-waits.js';
import { nothingWrongIsPayable } from './nothing-wrong-is-payable.js';
import { payIsSentOnce } from './pay-is-sent-once.js';
import { shopCatchesUp } from './shop-catches-up.js';
import { successIsTold } from './success-is-told.js';
import { timelineIsTrue } from './timeline-is-true.js';
import { toldAsAsked } from './told-as-asked.js';
import { unpaidIsToldOnce } from './unpaid-is-told-once.js';

const invariants: readonly Invariant[] = [
  payIsSentOnce,
  noOrderIsLost,
  toldAsAsked,
  successIsTold,
  nobodyWaits,
  nothingWrongIsPayable,
  decisionStands,
  closedStaysClosed,
  shopCatchesUp,
  unpaidIsToldOnce,
  timelineIsTrue,
];

export type Violation = { invariant: InvariantName; text: string; at: number };
/** How often each invariant was tried on something that each fault had touched. */
export type Table = Map<InvariantName, Map<FaultName, number>>;

export type Checker = {
  tell(fact: Fact): void;
  end(): void;
  readonly known: Known;
  violation(): Violation | null;
  table(): Table;
};

export function createChecker(
  now: () => number,
  disturbances: Disturbances,
  promised: Promised,
  onViolation: (violation: Violation) => void,
): Checker {
  const known = createKnown(now);
  const table: Table = new Map(invariantNames.map((name) => [name, new Map()]));
  let first: Violation | null = null;
  const begun = invariants.map((invariant) =>
    invariant.begin({
      known,
      disturbances,
      promised,
      now,
      fail: (text) => {
        if (first) return;
        first = { invariant: invariant.name, text, at: now() };
        onViolation(first);
      },
      tried: (purchase) => {
        const row = table.get(invariant.name);
        for (const fault of purchase ? known.faultsOf(purchase) : [])
          row?.set(fault, (row.get(fault) ?? 0) + 1);
      },
    }),
  );
  return {
    known,
    tell: (fact) => {
      known.note(fact);
      for (const each of begun) each.on?.(fact);
    },
    end: () => {
      for (const each of begun) each.end?.();
    },
    violation: () => first,
    table: () => table,
  };
}
