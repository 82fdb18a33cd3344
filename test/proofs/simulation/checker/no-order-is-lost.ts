/** Every order that the service has is known to its shop in the end, with the right outcome. */
import type { Invariant } from './invariant.js';
import { isTooLate } from './schedule.js';
import type { ShopOrder } from './facts.js';

export const noOrderIsLost: Invariant = {
  name: 'no order is lost',
  begin: ({ fail, known, promised, tried }) => {
    /** The last answer to a query of the backend about each order. */
    const answers = new Map<string, ShopOrder>();
    const told = new Set<string>();
    const lostByRestore = new Set<string>();
    return {
      on: (fact) => {
        if (fact.kind === 'backend_told') answers.set(fact.order.request_id, fact.order);
        if (fact.kind === 'page_told') told.add(fact.order.request_id);
        if (fact.kind === 'restored') for (const id of fact.lost) lostByRestore.add(id);
      },
      end: () => {
        for (const order of known.orders()) {
          const { paidAt, requestId, shop } = order;
          tried(known.purchaseOfRequest(requestId));
          const answer = answers.get(requestId);
          // an order that a backup lacks is found when its customer returns. Nobody returns to an
          // order that no page ever showed, and nobody can pay it
          const isUnseen = lostByRestore.has(requestId) && !told.has(requestId) && paidAt === null;
          if (!answer && isUnseen) continue;
          if (!answer) fail(`${shop} cannot find ${requestId}, which the service has`);
          const isKnownAsPaid = answer?.outcome === 'succeeded' || answer?.outcome === 'review';
          const isDecided = known.decision(requestId) !== undefined;
          if (isTooLate(order, known, promised)) continue;
          if (paidAt !== null && answer && !isKnownAsPaid && !isDecided)
            fail(`${requestId} is paid, and its shop reads ${answer.outcome}`);
        }
      },
    };
  },
};
