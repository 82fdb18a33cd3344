/** Collects the facts: which purchase an order belongs to, and what was told of the order. */
import type { FaultName } from '../faults/names.js';
import type { BookOrder } from '../service/book.js';
import type { Delivery, Fact, Purchase } from './facts.js';

export type Known = {
  note(fact: Fact): void;
  purchases(): readonly Purchase[];
  /** The service's orders of one request_id; more than one is a pay that was sent twice. */
  book(requestId: string): readonly BookOrder[];
  orders(): readonly BookOrder[];
  ordersOf(purchase: Purchase): BookOrder[];
  purchaseOfIntent(intentId: string): Purchase | undefined;
  purchaseOfRequest(requestId: string): Purchase | undefined;
  /** Deliveries that a receiver saw about one order, all tries. */
  deliveries(requestId: string): readonly Delivery[];
  decision(requestId: string): 'succeeded' | 'failed' | undefined;
  /** Whether there was a step of the clock that dates the shop's orders, until this moment. */
  hasStepped(shop: string | null, until: number): boolean;
  /** Notes that a fault touched one order. */
  touch(requestId: string, fault: FaultName): void;
  /** Notes that a fault touched all purchases of a shop that were active at `from` or later. */
  touchAll(shop: string, fault: FaultName, from: number): void;
  faultsOf(purchase: Purchase): Set<FaultName>;
};

/** A purchase without any fact for this long is not active: a fault does not touch it. */
const ACTIVE_FOR_MS = 5 * 60_000;

export function createKnown(now: () => number): Known {
  const purchases: Purchase[] = [];
  const byIntent = new Map<string, Purchase>();
  const byRequest = new Map<string, Purchase>();
  const byCustomer = new Map<string, Purchase>();
  const book = new Map<string, BookOrder[]>();
  const orders: BookOrder[] = [];
  const deliveries = new Map<string, Delivery[]>();
  const decisions = new Map<string, { as: 'succeeded' | 'failed'; shop: string; at: number }>();

  const steps: { shop: string; at: number }[] = [];
  const touches = new Map<string, Set<FaultName>>();
  const requestsOf = new Map<Purchase, Set<string>>();
  const heardAt = new Map<Purchase, number>();

  const relate = (purchase: Purchase | undefined, requestId: string): void => {
    if (!purchase) return;
    requestsOf.set(purchase, (requestsOf.get(purchase) ?? new Set()).add(requestId));
    heardAt.set(purchase, now());
  };
  const ownerOf = (order: BookOrder): Purchase | undefined =>
    byRequest.get(order.requestId) ?? byCustomer.get(`${order.shop}/${order.customerRefId}`);

  return {
    note: (fact) => {
      if (fact.kind === 'purchase') {
        const { customerRefId, intentId, mode, shop } = fact.purchase;
        purchases.push(fact.purchase);
        heardAt.set(fact.purchase, now());
        if (intentId !== null) byIntent.set(intentId, fact.purchase);
        // the relay puts a prefix before a customer reference that a page names
        const name = mode === 'token' ? customerRefId : `web-${customerRefId}`;
        if (customerRefId !== null) byCustomer.set(`${shop}/${name}`, fact.purchase);
      } else if (fact.kind === 'received') {
        orders.push(fact.order);
        book.set(fact.order.requestId, [...(book.get(fact.order.requestId) ?? []), fact.order]);
        relate(ownerOf(fact.order), fact.order.requestId);
      } else if (fact.kind === 'page_told') {
        const { order, purchase } = fact;
        if (!byRequest.has(order.request_id)) byRequest.set(order.request_id, purchase);
        if (!byIntent.has(order.intent_id)) byIntent.set(order.intent_id, purchase);
        // a page may miss the answer with a later order. That order is then found by its customer,
        // because the relay names a guest after the intent
        const guest = order.intent_id.replace(/^web\./, 'web-');
        if (purchase.customerRefId === null) byCustomer.set(`${purchase.shop}/${guest}`, purchase);
        relate(purchase, order.request_id);
      } else if (fact.kind === 'delivery') {
        const { data } = fact.delivery;
        deliveries.set(data.request_id, [
          ...(deliveries.get(data.request_id) ?? []),
          fact.delivery,
        ]);
      } else if (fact.kind === 'decided') {
        const { as, requestId, shop } = fact;
        decisions.set(requestId, { as, shop, at: now() });
      } else if (fact.kind === 'clock_stepped') {
        steps.push(fact);
      } else if (fact.kind === 'restored') {
        // a restore removes the decisions after its backup, and the person decides again
        for (const [requestId, { at, shop }] of decisions)
          if (shop === fact.shop && at >= fact.backupAt) decisions.delete(requestId);
      }
    },
    purchases: () => purchases,
    book: (requestId) => book.get(requestId) ?? [],
    orders: () => orders,
    ordersOf: (purchase) => orders.filter((order) => ownerOf(order) === purchase),
    purchaseOfIntent: (intentId) => byIntent.get(intentId),
    purchaseOfRequest: (requestId) => {
      const [order] = book.get(requestId) ?? [];
      return byRequest.get(requestId) ?? (order && ownerOf(order));
    },
    deliveries: (requestId) => deliveries.get(requestId) ?? [],
    decision: (requestId) => decisions.get(requestId)?.as,
    hasStepped: (shop, until) => steps.some((step) => step.shop === shop && step.at <= until),
    touch: (requestId, fault) => {
      touches.set(requestId, (touches.get(requestId) ?? new Set()).add(fault));
    },
    touchAll: (shop, fault, from) => {
      for (const [purchase, at] of heardAt)
        if (purchase.shop === shop && at >= from - ACTIVE_FOR_MS) purchase.touched.add(fault);
    },
    faultsOf: (purchase) => {
      const all = new Set(purchase.touched);
      for (const requestId of requestsOf.get(purchase) ?? []) {
        for (const fault of touches.get(requestId) ?? []) all.add(fault);
        for (const { touched } of book.get(requestId) ?? [])
          for (const fault of touched) all.add(fault);
      }
      return all;
    },
  };
}
