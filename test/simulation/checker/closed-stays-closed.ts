/**
 * An intent that its shop closed, or that a newer basket superseded, takes no new order, shows
 * nothing to pay with, and its later money is told as late: the shop must not deliver.
 */
import type { Invariant } from './invariant.js';
import { linkText, type ShopOrder } from './facts.js';
import { IN_FLIGHT_MS, LATE_IN_FLIGHT_MS } from './schedule.js';

export const closedStaysClosed: Invariant = {
  name: 'closed stays closed',
  begin: ({ fail, known, now, tried }) => {
    /** Intents that somebody asked to close. */
    const asked = new Set<string>();
    /** When an intent was told as closed; a restore undoes what is younger than its backup. */
    const closed = new Map<string, { shop: string; at: number }>();
    /** Intents whose success was told since the shop's last restore. */
    const succeeded = new Map<string, string>();
    /** Orders that a backup lacks. */
    const lost = new Set<string>();

    const noteClosed = (shop: string, intentId: string): void => {
      if (closed.has(intentId)) return;
      closed.set(intentId, { shop, at: now() });
      tried(known.purchaseOfIntent(intentId));
      if (succeeded.has(intentId)) fail(`${intentId} was closed after its success was told`);
    };
    /** Whether the intent was closed before something was asked for. */
    const isClosed = (intentId: string, askedAt: number): boolean => {
      const at = closed.get(intentId)?.at ?? Infinity;
      if (at >= askedAt) return false;
      tried(known.purchaseOfIntent(intentId));
      return true;
    };
    const checkAnswer = (order: ShopOrder, askedAt: number): void => {
      if (!isClosed(order.intent_id, askedAt)) return;
      if (order.closed_at === undefined) fail(`${order.intent_id} is closed, and is told as open`);
      if (order.outcome === 'succeeded' && order.late_payment !== true)
        fail(`${order.request_id} of a closed intent is told as paid in time`);
    };
    const onEvent = (shop: string, type: string, intentId: string): void => {
      if (type === 'order.late_payment' && !asked.has(intentId))
        fail(`a late payment of ${intentId} was told, which nobody closed`);
      if (type !== 'order.succeeded') return;
      succeeded.set(intentId, shop);
      if (isClosed(intentId, now())) fail(`success of ${intentId} was told, which was closed`);
    };
    const forget = (shop: string, backupAt: number): void => {
      for (const [intentId, one] of closed)
        if (one.shop === shop && one.at >= backupAt) closed.delete(intentId);
      for (const [intentId, of] of succeeded) if (of === shop) succeeded.delete(intentId);
    };

    return {
      on: (fact) => {
        if (fact.kind === 'purchase' && fact.purchase.supersedes !== null)
          asked.add(fact.purchase.supersedes);
        if (fact.kind === 'closing') asked.add(fact.intentId);
        if (fact.kind === 'closed') noteClosed(fact.shop, fact.intentId);
        if (fact.kind === 'restored') {
          for (const id of fact.lost) lost.add(id);
          forget(fact.shop, fact.backupAt);
        }
        if (fact.kind === 'delivery')
          onEvent(fact.shop, fact.delivery.type, fact.delivery.data.intent_id);
        if (fact.kind === 'backend_told') checkAnswer(fact.order, fact.askedAt);
        if (fact.kind === 'expected' && !fact.isClosed && isClosed(fact.intentId, fact.askedAt))
          fail(`a shop that asks about ${fact.intentId}, which is closed, would deliver it`);
        if (fact.kind === 'expected' && fact.isClosed && !asked.has(fact.intentId))
          fail(`${fact.intentId} is told as closed, which nobody closed`);
        if (fact.kind === 'page_refused' && fact.code === 'intent_closed')
          if (!asked.has(fact.purchase.intentId ?? ''))
            fail(`${fact.purchase.id} was told that its intent is closed, which nobody closed`);
        if (fact.kind !== 'page_told') return;
        const { askedAt, order, purchase } = fact;
        // the first order of the new basket closes the former one, unless a restored ledger found
        // that order again when the former one was paid
        if (purchase.supersedes !== null && !lost.has(order.request_id))
          noteClosed(purchase.shop, purchase.supersedes);
        if (isClosed(order.intent_id, askedAt) && linkText(order) !== null)
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
