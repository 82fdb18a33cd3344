/**
 * A shop that reads the lists of events and orders since its cursor misses nothing. In the end it
 * has handled each paid order once, even when webhooks were lost, or when the shop or its relays
 * restored an older database.
 */
import type { BookOrder } from '../service/book.js';
import type { Invariant, InvariantContext, Promised } from './invariant.js';
import type { Known } from './known.js';
import type { BalanceFact, ListedEvent, ListedFact } from './facts.js';
import { isTooLate } from './schedule.js';
import { isPlain } from './success-is-told.js';

export const shopCatchesUp: Invariant = {
  name: 'shop catches up',
  begin: (judge) => {
    const { fail, known, now, tried } = judge;
    const restoredAt = new Map<string, number>();
    const lostByRestore = new Set<string>();
    /** The content of an event when it was first seen. */
    const contents = new Map<string, string>();
    const listed = new Set<string>();
    const balances: BalanceFact[] = [];

    const checkContent = ({ data, id, type }: ListedEvent): void => {
      const content = JSON.stringify([type, data]);
      if ((contents.get(id) ?? content) !== content) fail(`the event ${id} has two contents`);
      contents.set(id, content);
    };
    const onListed = ({ askedAt, cursorFrom, events, isReset, shop, walk }: ListedFact): void => {
      const restored = restoredAt.get(shop);
      const isOld = restored !== undefined && cursorFrom !== null && cursorFrom < restored;
      if (isOld && askedAt > restored && !isReset)
        fail(`${shop} went on by a cursor from before the restore of the ledger`);
      if (isReset && restored === undefined)
        fail(`the list of events of ${shop} began anew, and no ledger was restored`);
      for (const event of events) {
        checkContent(event);
        tried(known.purchaseOfRequest(event.data.request_id));
        const place = `${shop}/${walk}/${event.id}`;
        if (listed.has(place)) fail(`the event ${event.id} was listed twice`);
        listed.add(place);
      }
    };
    return {
      on: (fact) => {
        if (fact.kind === 'restored') {
          restoredAt.set(fact.shop, now());
          for (const id of fact.lost) lostByRestore.add(id);
        }
        if (fact.kind === 'delivery') checkContent(fact.delivery);
        if (fact.kind === 'listed') onListed(fact);
        if (fact.kind === 'balance') balances.push(fact);
      },
      end: () => {
        for (const balance of balances) {
          checkOrders(judge, balance, lostByRestore);
          checkHandled(judge, balance, restoredAt.has(balance.shop));
        }
      },
    };
  },
};

function checkOrders(
  { fail, known, promised }: InvariantContext,
  { orders, shop }: BalanceFact,
  lostByRestore: ReadonlySet<string>,
): void {
  for (const order of known.orders()) {
    if (order.shop !== shop) continue;
    const told = orders.get(order.requestId);
    // a customer who had left before the relay placed the order does not come back to it
    if (!told && lostByRestore.has(order.requestId) && order.paidAt === null) continue;
    if (!told) fail(`the list of orders lacks ${order.requestId}`);
    else if (isDue(order, known, promised) && !['succeeded', 'review'].includes(told.outcome))
      if (known.decision(order.requestId) === undefined)
        fail(`${order.requestId} is paid, and the list of orders says ${told.outcome}`);
  }
}

const isDue = (order: BookOrder, known: Known, promised: Promised): boolean =>
  order.paidAt !== null && !isTooLate(order, known, promised);

/** @param wasRestored whether the ledger was restored: its relays may then tell a payment twice */
function checkHandled(
  { fail, known, promised, tried }: InvariantContext,
  { refunds, shop, toPack }: BalanceFact,
  wasRestored: boolean,
): void {
  for (const purchase of known.purchases()) {
    if (purchase.shop !== shop || purchase.intentId === null) continue;
    const { intentId } = purchase;
    const orders = known.ordersOf(purchase);
    const paid = orders.filter(({ paidAt }) => paidAt !== null);
    const due = paid.filter((order) => isDue(order, known, promised) && isPlain(order));
    const isPacked = toPack.has(intentId);
    const refunded = [...refunds].filter(([, of]) => of === intentId).map(([id]) => id);
    const handled = Number(isPacked) + refunded.length;
    if (paid.length > 0) tried(purchase);
    if (handled < due.length)
      fail(`${intentId} was paid ${due.length} times, and its shop handled ${handled} payments`);
    // the order of a customer without a name, whose page never got the answer, has no known owner
    const hasUnownedOrder = [toPack.get(intentId), ...refunded].some(
      (id) => id !== undefined && known.purchaseOfRequest(id) === undefined,
    );
    const isSure = !wasRestored && !hasUnownedOrder && due.length === orders.length;
    if (isSure && handled > due.length)
      fail(`${intentId} was paid ${due.length} times, and its shop handled ${handled} payments`);
    const isDecided = orders.some(({ requestId }) => known.decision(requestId) === 'succeeded');
    if (isPacked && paid.length === 0 && !isDecided)
      fail(`${shop} would deliver ${intentId}, which nobody paid`);
  }
}
