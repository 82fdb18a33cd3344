/** Makes a failing plan smaller: fewer relays, faults and customers violate the same invariant. */
import { keepParts, partsOf, type WorldPlan } from './plan.js';
import { runPlan, type Outcome } from './run.js';

export type Shrunk = {
  plan: WorldPlan;
  outcome: Outcome;
  runs: number;
  /** The limit at which it stopped, so that a smaller plan may exist; null: it tried all. */
  stoppedAt: 'time' | 'runs' | null;
};

export const MAX_RUNS = 80;
export const MAX_MS = 90_000;

export type ShrinkDeps = {
  run: (plan: WorldPlan) => Promise<Outcome>;
  /** Milliseconds of real time. */
  elapsed: () => number;
};
const REAL: ShrinkDeps = { run: (plan) => runPlan(plan), elapsed: () => performance.now() };

/** @param failed the outcome of the plan, which holds a violation */
export async function shrink(
  plan: WorldPlan,
  failed: Outcome,
  { elapsed, run }: ShrinkDeps = REAL,
): Promise<Shrunk> {
  const invariant = failed.violation?.invariant;
  const began = elapsed();
  let best: Shrunk = { plan, outcome: failed, runs: 0, stoppedAt: null };
  const accept = async (smaller: WorldPlan): Promise<boolean> => {
    if (elapsed() - began > MAX_MS) best.stoppedAt = 'time';
    else if (best.runs >= MAX_RUNS) best.stoppedAt = 'runs';
    if (best.stoppedAt !== null) return false;
    best.runs++;
    const outcome = await run(smaller);
    if (outcome.violation?.invariant !== invariant) return false;
    best = { ...best, plan: smaller, outcome };
    return true;
  };

  // what comes after the violation cannot have caused it
  await accept(withoutPartsAfter(plan, failed.violation?.at ?? Infinity));
  for (let relays = 1; relays < plan.relays; relays++)
    if (await accept({ ...best.plan, relays })) break;
  // leaves out each half, then each quarter, and so on to single parts, and keeps every smaller
  // plan that violates the same invariant
  for (let divisor = 2; best.stoppedAt === null; divisor *= 2) {
    const parts = partsOf(best.plan);
    const chunkSize = Math.max(1, Math.ceil(parts.length / divisor));
    for (let from = 0; from < parts.length; from += chunkSize) {
      const kept = new Set(partsOf(best.plan));
      for (const name of parts.slice(from, from + chunkSize)) kept.delete(name);
      if (kept.size > 0 && kept.size < partsOf(best.plan).length)
        await accept(keepParts(best.plan, kept));
    }
    if (chunkSize === 1) break;
  }
  return best;
}

const withoutPartsAfter = (plan: WorldPlan, at: number): WorldPlan =>
  keepParts(
    plan,
    new Set(
      [...plan.customers, ...plan.faults].filter((part) => part.at <= at).map(({ id }) => id),
    ),
  );
