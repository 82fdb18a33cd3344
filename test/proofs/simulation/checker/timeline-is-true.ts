/**
 * What a person is shown of an intent is what happened: each claim, answer, signal, delivery and
 * decision of the independent history is in the timeline, and nothing else is.
 */
import type { Fact, ShownIntent } from './facts.js';
import type { Invariant } from './invariant.js';
import { createToldSignals } from './told-signals.js';

type Entry = ShownIntent['timeline'][number];
type Looked = Extract<Fact, { kind: 'looked_at' }>;

const CLAIMS = ['claimed', 'claimed_again'];
const DELIVERIES = ['delivered', 'delivered_again'];
/** The relay writes a delivery down when the shop's answer has come. */
const WRITTEN_WITHIN_MS = 5000;

export const timelineIsTrue: Invariant = {
  name: 'timeline is true',
  begin: (context) => {
    const { fail, known, now, tried } = context;
    const signals = createToldSignals(context);
    /** A restored ledger lacks what happened since its backup. */
    const restored = new Set<string>();
    const begunDecisions = new Set<string>();
    const closings = new Map<string, 'asked' | 'done'>();

    const checkStatuses = (requestId: string, entries: readonly Entry[]): void => {
      const orders = known.book(requestId);
      for (const { outcome, status } of entries) {
        if (status !== undefined && !orders.some(({ statuses }) => statuses.has(status)))
          fail(`the timeline of ${requestId} has status ${status}, which the service never told`);
        const isPaid = orders.some(({ paidAt }) => paidAt !== null);
        if (outcome === 'succeeded' && !isPaid && !begunDecisions.has(requestId))
          fail(`the timeline of ${requestId} has a success that nobody paid`);
      }
    };

    /** Every delivery of an event: those that a receiver took, and no others. */
    const checkDeliveries = ({ shop, shown }: Looked): void => {
      const named = (whats: readonly string[]): Set<string | undefined> =>
        new Set(
          shown.timeline.flatMap(({ event_id, what }) => (whats.includes(what) ? event_id : [])),
        );
      const delivered = named(DELIVERIES);
      const seen = shown.orders.flatMap(({ request_id }) => known.deliveries(request_id));
      const taken = new Set(seen.flatMap(({ answered, id }) => (answered === 'ok' ? id : [])));
      for (const id of delivered)
        if (id === undefined || !taken.has(id))
          fail(`nobody took ${id}, which is told as delivered`);
      if (restored.has(shop)) return;
      for (const { answered, at, id } of seen)
        if (answered === 'ok' && !delivered.has(id) && at < now() - WRITTEN_WITHIN_MS)
          fail(`the shop took ${id}, which is not told as delivered`);
    };

    const checkOrder = (shop: string, requestId: string, entries: readonly Entry[]): void => {
      checkStatuses(requestId, entries);
      const isShort = entries.some(({ what }) => what === 'omitted');
      const decision = known.decision(requestId);
      const resolved = entries.filter(({ what }) => what === 'resolved');
      if (resolved.length > 0 && !begunDecisions.has(requestId))
        fail(`the timeline of ${requestId} has a decision that nobody made`);
      const told = entries.reduce((sum, entry) => sum + (entry.signals ?? 0), 0);
      if (!restored.has(shop)) signals.check(shop, requestId, told);
      if (isShort || restored.has(shop)) return;
      const claims = entries.filter(({ what }) => CLAIMS.includes(what)).length;
      const pays = known.book(requestId).length;
      if (claims < pays) fail(`${requestId} was sent ${pays} times, and claimed ${claims} times`);
      if (decision !== undefined && !resolved.some(({ outcome }) => outcome === decision))
        fail(`the timeline of ${requestId} lacks the decision ${decision}`);
    };

    const check = (looked: Looked): void => {
      const { intentId, shop, shown } = looked;
      tried(known.purchaseOfIntent(intentId));
      for (const { request_id } of shown.orders) {
        const entries = shown.timeline.filter((entry) => entry.request_id === request_id);
        checkOrder(shop, request_id, entries);
      }
      checkDeliveries(looked);
      const isClosed = shown.timeline.some(({ what }) => what === 'closed');
      const closing = closings.get(intentId);
      if (isClosed && closing === undefined)
        fail(`the timeline of ${intentId} has a close that nobody asked for`);
      if (!isClosed && closing === 'done' && !restored.has(shop))
        fail(`the timeline of ${intentId} lacks its close`);
    };

    return {
      on: (fact) => {
        signals.on(fact);
        if (fact.kind === 'restored') restored.add(fact.shop);
        if (fact.kind === 'begins_to_decide') begunDecisions.add(fact.requestId);
        if (fact.kind === 'closing' && !closings.has(fact.intentId))
          closings.set(fact.intentId, 'asked');
        if (fact.kind === 'closed') closings.set(fact.intentId, 'done');
        if (fact.kind === 'looked_at') check(fact);
      },
    };
  },
};
