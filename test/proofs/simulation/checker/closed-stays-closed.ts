/**
 * An intent that its shop closed takes no new order and shows nothing to pay with. A payment after
 * the close is reported as a late payment, because the shop must refund it and not deliver.
 */
import type { Invariant } from './invariant.js';
import { linkText, type Fact, type ShopOrder } from './facts.js';
import { IN_FLIGHT_MS, LATE_IN_FLIGHT_MS } from './schedule.js';

type ExpectedFact = Extract<Fact, { kind: 'expected' }>;

export const closedStaysClosed: Invariant = {
  name: 'closed stays closed',
  begin: ({ fail, known, now, tried }) => {
    /** Intents that somebody asked to close. */
    const closingRequested = new Set<string>();
    /** When each intent was first told as closed. A restore removes the closes after its backup. */
    const closed = new Map<string, { shop: string; at: number }>();
    /** The shop of each intent whose success was told since the shop's last restore. */
    const succeeded = new Map<string, string>();

    const noteClosed = (shop: string, intentId: string): void => {
      if (closed.has(intentId)) return;
      closed.set(intentId, { shop, at: now() });
      tried(known.purchaseOfIntent(intentId));
      if (succeeded.has(intentId)) fail(`${intentId} was closed after its success was told`);
    };
    /** Whether the intent was closed before this question; if so, counts the invariant as tried. */
    const judgeClosedBefore = (intentId: string, askedAt: number): boolean => {
      const at = closed.get(intentId)?.at ?? Infinity;
      if (at >= askedAt) return false;
      tried(known.purchaseOfIntent(intentId));
      return true;
    };
    const checkAnswer = (order: ShopOrder, askedAt: number): void => {
      if (!judgeClosedBefore(order.intent_id, askedAt)) return;
      if (order.closed_at === undefined) fail(`${order.intent_id} is closed, but is told as open`);
      if (order.outcome === 'succeeded' && order.late_payment !== true)
        fail(`${order.request_id} of a closed intent is told as paid, but not as a late payment`);
    };
    const onEvent = (shop: string, type: string, intentId: string): void => {
      if (type === 'order.late_payment' && !closingRequested.has(intentId))
        fail(`nobody closed ${intentId}, but a late payment of it was told`);
      if (type !== 'order.succeeded') return;
      succeeded.set(intentId, shop);
      if (judgeClosedBefore(intentId, now()))
        fail(`${intentId} is closed, but its success was told`);
    };
    const onExpected = ({ askedAt, intentId, wasToldClosed }: ExpectedFact): void => {
      if (wasToldClosed && !closingRequested.has(intentId))
        fail(`${intentId} is told as closed, but nobody closed it`);
      if (!wasToldClosed && judgeClosedBefore(intentId, askedAt))
        fail(`${intentId} is closed, but a shop that asked about it would deliver`);
    };
    const forget = (shop: string, backupAt: number): void => {
      for (const [intentId, close] of closed)
        if (close.shop === shop && close.at >= backupAt) closed.delete(intentId);
      for (const [intentId, itsShop] of succeeded) if (itsShop === shop) succeeded.delete(intentId);
    };

    return {
      on: (fact) => {
        if (fact.kind === 'closing') closingRequested.add(fact.intentId);
        if (fact.kind === 'closed') noteClosed(fact.shop, fact.intentId);
        if (fact.kind === 'restored') forget(fact.shop, fact.backupAt);
        if (fact.kind === 'delivery')
          onEvent(fact.shop, fact.delivery.type, fact.delivery.data.intent_id);
        if (fact.kind === 'backend_told') checkAnswer(fact.order, fact.askedAt);
        if (fact.kind === 'expected') onExpected(fact);
        if (fact.kind === 'page_refused' && fact.code === 'intent_closed')
          if (!closingRequested.has(fact.purchase.intentId ?? ''))
            fail(`${fact.purchase.id} was told that its intent is closed, but nobody closed it`);
        if (fact.kind !== 'page_told') return;
        const { askedAt, order, purchase } = fact;
        if (judgeClosedBefore(order.intent_id, askedAt) && linkText(order) !== null)
          fail(`${purchase.id} was shown ${linkText(order)} of an intent that was closed before`);
      },
      end: () => {
        for (const [intentId, { at }] of closed) {
          const purchase = known.purchaseOfIntent(intentId);
          if (!purchase) continue;
          const isLate = known.faultsOf(purchase).has('late_request');
          const limit = at + (isLate ? LATE_IN_FLIGHT_MS : IN_FLIGHT_MS);
          for (const order of known.ordersOf(purchase))
            if (order.receivedAt > limit)
              fail(
                `${intentId} was closed, and the service received ${order.requestId} afterwards`,
              );
        }
      },
    };
  },
};
