/** The service receives a request_id once, and an unpaid intent gets one order at a time. */
import type { Invariant } from './invariant.js';

/** An intent has at most this many orders: the first one and its replacements. */
const MAX_ORDERS = 20;

export const payIsSentOnce: Invariant = {
  name: 'pay is sent once',
  begin: ({ fail, known, tried }) => ({
    on: (fact) => {
      if (fact.kind !== 'received') return;
      const { requestId } = fact.order;
      const same = known.book(requestId);
      if (same.length > 1) fail(`the service received ${requestId} ${same.length} times`);
    },
    end: () => {
      for (const purchase of known.purchases()) {
        const orders = known.ordersOf(purchase);
        if (orders.length === 0) continue;
        tried(purchase);
        // a customer who never changed the way to pay has one order
        const most = purchase.touched.has('switch') ? MAX_ORDERS : 1;
        if (orders.length > most)
          fail(`${purchase.id} has ${orders.length} orders at the service, and asked for ${most}`);
      }
    },
  }),
};
