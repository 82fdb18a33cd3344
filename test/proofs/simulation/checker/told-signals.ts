/**
 * The signals that an order's timeline must count, as the service knows them: never more than it
 * sent, and each that a relay took, as soon as the same relay has asked about the order since. The
 * last signals before a relay's end are not counted.
 */
import type { Fact } from './facts.js';
import type { InvariantContext } from './invariant.js';

type Taken = { readonly at: number; readonly relay: object };

/** A query that began before a signal does not count it, and takes at most this long. */
const QUERY_BEGAN_MS = 2 * 60_000;

export function createToldSignals({ disturbances, fail, now }: InvariantContext) {
  const sent = new Map<string, number>();
  const taken = new Map<string, Taken[]>();
  /** When each relay last asked about an order. */
  const askedAt = new WeakMap<object, Map<string, number>>();

  /** Whether the relay has written the signal since, and nothing made the ledger lose it. */
  const isWritten = (shop: string, requestId: string, { at, relay }: Taken): boolean => {
    const asked = askedAt.get(relay)?.get(requestId) ?? -Infinity;
    const isQuiet = disturbances.undisturbedMs(shop, at, now()) === now() - at;
    return isQuiet && asked >= at + QUERY_BEGAN_MS;
  };

  return {
    on: (fact: Fact): void => {
      if (fact.kind === 'signalled') {
        sent.set(fact.requestId, (sent.get(fact.requestId) ?? 0) + 1);
      } else if (fact.kind === 'signal_taken') {
        const { relay, requestId } = fact;
        taken.set(requestId, [...(taken.get(requestId) ?? []), { at: now(), relay }]);
      } else if (fact.kind === 'asked') {
        const { relay, requestId } = fact;
        askedAt.set(relay, (askedAt.get(relay) ?? new Map()).set(requestId, now()));
      }
    },
    check: (shop: string, requestId: string, told: number): void => {
      const most = sent.get(requestId) ?? 0;
      if (told > most) fail(`${requestId} was signalled ${most} times, and ${told} are told`);
      const least = (taken.get(requestId) ?? []).filter((each) =>
        isWritten(shop, requestId, each),
      ).length;
      if (told < least) fail(`${requestId} took ${least} signals, and ${told} are told`);
    },
  };
}
