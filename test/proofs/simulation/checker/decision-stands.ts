/** A review is ended by a person alone, and what the person decided stands. */
import type { Invariant } from './invariant.js';
import type { ShopOrder } from './facts.js';

export const decisionStands: Invariant = {
  name: 'decision stands',
  begin: ({ fail, known, now, tried }) => {
    /**
     * When the shop was first told that an order is in review, by epoch and request_id. A restore
     * begins a new epoch, and may undo the review itself.
     */
    const inReview = new Map<string, number>();
    const seen = new Set<string>();
    const decidedAt = new Map<string, number>();
    /** The outcome that a person is deciding. It may take effect before the command ends. */
    const begun = new Map<string, ShopOrder['outcome']>();
    /** The latest epoch of each shop, because an answer to its backend carries no epoch. */
    const epochs = new Map<string, string>();
    /** Epochs that a restore ended; events of the backup still carry them, and arrive later. */
    const ended = new Set<string>();
    const check = (shop: string, order: ShopOrder, askedAt: number): void => {
      const { outcome, request_id: requestId } = order;
      const decision = known.decision(requestId);
      // an answer that was asked for before the review may tell what was true before
      const toldAt = inReview.get(`${epochs.get(shop)}/${requestId}`) ?? Infinity;
      const wasInReview = toldAt <= askedAt;
      if (wasInReview || decision !== undefined) tried(known.purchaseOfRequest(requestId));
      const isPaid = (): boolean => known.book(requestId).some(({ paidAt }) => paidAt !== null);
      // a payment that the person cannot have seen changes "failed" into a success
      const follows = (decided: ShopOrder['outcome'] | undefined): boolean =>
        outcome === decided || (decided === 'failed' && outcome === 'succeeded' && isPaid());
      if (decision === undefined) {
        if (wasInReview && outcome !== 'review' && !follows(begun.get(requestId)))
          fail(`the review of ${requestId} ended as ${outcome}, and nobody had decided`);
        return;
      }
      if (!follows(decision))
        fail(`${requestId} was decided as ${decision}, and is told as ${outcome}`);
    };
    const noteReview = (key: string, at: number): void => {
      if (!inReview.has(key)) inReview.set(key, at);
    };
    return {
      on: (fact) => {
        if (fact.kind === 'delivery') {
          const { at, data, id, type } = fact.delivery;
          // a repeated event tells what was true when it was written
          if (seen.has(id)) return;
          seen.add(id);
          if (!ended.has(data.epoch)) epochs.set(fact.shop, data.epoch);
          if (type === 'order.review' && data.outcome === 'review')
            noteReview(`${data.epoch}/${data.request_id}`, at);
        }
        if (fact.kind === 'restored') {
          ended.add(epochs.get(fact.shop) ?? '');
          epochs.delete(fact.shop);
        }
        if (fact.kind === 'begins_to_decide') begun.set(fact.requestId, fact.as);
        if (fact.kind === 'decided') decidedAt.set(fact.requestId, now());
        // an answer that was asked for before the decision may tell what was true before
        const isOld = (id: string, askedAt: number): boolean =>
          askedAt < (decidedAt.get(id) ?? -Infinity);
        if (fact.kind === 'backend_told' && !isOld(fact.order.request_id, fact.askedAt))
          check(fact.shop, fact.order, fact.askedAt);
      },
    };
  },
};
