/**
 * The signals of the order service about one order: when the first and the last came, and how many.
 * A signal is a call of the order's `notify_url`; a person reads of it, and no decision does.
 */
export type Signals = { readonly first: number; readonly last: number; readonly count: number };

/** @param known null when there were none before */
export const withSignals = (known: Signals | null, more: Signals): Signals =>
  known === null
    ? more
    : {
        first: Math.min(known.first, more.first),
        last: Math.max(known.last, more.last),
        count: known.count + more.count,
      };
