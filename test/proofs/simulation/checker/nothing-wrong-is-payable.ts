/** No page shows something to pay with after a success, in a review, or for another's order. */
import type { Invariant } from './invariant.js';
import { isShownPayable, linkText } from './facts.js';
import { CLOCK_LAG_MS } from './schedule.js';

const ALLOWED = /^(https:\/\/pay\.example\/|bankapp:\/\/|code:)/;

export const nothingWrongIsPayable: Invariant = {
  name: 'nothing wrong is payable',
  begin: ({ disturbances, fail, known, now, tried }) => {
    /** When the shop was told that an intent is paid; a restore makes its relays forget. */
    const paidAt = new Map<string, number>();
    const stepped = new Set<string>();
    return {
      on: (fact) => {
        if (fact.kind === 'clock_stepped') stepped.add(fact.shop);
        if (fact.kind === 'delivery' && fact.delivery.type === 'order.succeeded')
          paidAt.set(fact.delivery.data.intent_id, now());
        if (fact.kind === 'restored') paidAt.clear();
        if (fact.kind !== 'page_told') return;
        const { askedAt, order, purchase } = fact;
        tried(purchase);
        const link = linkText(order);
        if (link === null) return;
        const what = `${purchase.id} was shown ${link}`;
        if (order.outcome === 'review') fail(`${what} while a person looks at the order`);
        if (!isShownPayable(order)) return;
        if (!ALLOWED.test(link)) fail(`${what}, which no configuration allows`);
        const [own] = known.book(order.request_id);
        if (!own) fail(`${what} for an order that the service does not have`);
        else if (!link.includes(own.orderNo)) fail(`${what}, which pays for another order`);
        else if (own.traits.link === 'two') fail(`${what}, one of two that contradict each other`);
        const overFor =
          own && own.expiresAt !== null && own.expiresAt < askedAt
            ? disturbances.undisturbedMs(purchase.shop, own.expiresAt, askedAt)
            : 0;
        const lag = stepped.has(purchase.shop) ? CLOCK_LAG_MS : 0;
        if (overFor > lag) fail(`${what}, which expired ${overFor} ms before`);
        const told = paidAt.get(order.intent_id);
        // a page that asked before the success may have been answered before it
        if (told !== undefined && told < askedAt && order.paid_by === undefined)
          fail(`${what} after its shop was told that the intent is paid`);
      },
    };
  },
};
