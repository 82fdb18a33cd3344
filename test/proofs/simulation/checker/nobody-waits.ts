/**
 * Nobody waits longer than the schedule allows. Time in which the relays were down, frozen or
 * without their database does not count.
 */
import type { BookOrder } from '../service/book.js';
import type { Invariant } from './invariant.js';
import type { Delivery, Fact } from './facts.js';
import {
  AGE_SLACK_MS,
  askedEveryMs,
  CALL_MS,
  DELIVERY_SLACK_MS,
  isTooLate,
  oldestAgeMs,
  RETRY_PAUSES_MS,
  SLACK_MS,
} from './schedule.js';

type ResentFact = Extract<Fact, { kind: 'resent' }>;

export const nobodyWaits: Invariant = {
  name: 'nobody waits',
  begin: ({ disturbances, fail, known, now, promised, tried }) => {
    /**
     * The last try of each event, with the number of failed tries. The number is null after a
     * resend without an answer, because the relay may have begun to count anew.
     */
    const tries = new Map<string, { shop: string; last: Delivery; failed: number | null }>();
    /** Events that a shop asked for again, and that have not come yet. */
    const wanted = new Map<string, { shop: string; since: number }>();
    const restored = new Set<string>();
    const steps: { shop: string; at: number }[] = [];
    /** Whether `when` is between two steps of the clock: a retry planned then comes too late. */
    const isMisdated = (shop: string | null, when: number): boolean => {
      const own = steps.filter((step) => step.shop === shop);
      return own.some(({ at }) => at <= when) && own.some(({ at }) => at >= when);
    };

    /**
     * A resend of one event that the relay confirmed starts the tries of the event anew. A resend
     * that is not confirmed leaves the number of tries unknown: the request may be lost, and a
     * resend of the events of some minutes leaves older events as they are.
     */
    const onResent = ({ askedAt: since, eventId, isSure, shop }: ResentFact): void => {
      const hasCome = (tries.get(eventId ?? '')?.last.at ?? -1) >= since;
      if (isSure && eventId !== null && !hasCome) wanted.set(eventId, { shop, since });
      if (isSure && eventId !== null && !hasCome) tries.delete(eventId);
      if (isSure) return;
      for (const [id, event] of tries)
        if (eventId === null ? event.shop === shop : id === eventId) event.failed = null;
    };
    const checkWanted = (eventId: string, at: number): void => {
      const request = wanted.get(eventId);
      wanted.delete(eventId);
      if (!request || isMisdated(request.shop, request.since)) return;
      const waited = disturbances.undisturbedMs(request.shop, request.since, at);
      if (waited > DELIVERY_SLACK_MS)
        fail(`${eventId} came ${seconds(waited)} after its shop asked for it again`);
    };
    const onDelivery = (shop: string, delivery: Delivery): void => {
      checkWanted(delivery.id, delivery.at);
      const before = tries.get(delivery.id);
      const owner = known.purchaseOfRequest(delivery.data.request_id);
      if (before && before.failed !== null) {
        const pause = RETRY_PAUSES_MS[before.failed - 1] ?? 0;
        const waited = disturbances.undisturbedMs(shop, before.last.at, delivery.at);
        tried(owner);
        const isLate = waited > pause + DELIVERY_SLACK_MS;
        if (isLate && !isMisdated(shop, before.last.at))
          fail(`try ${before.failed + 1} of ${delivery.id} came ${seconds(waited)} after the last`);
      }
      const failedBefore = before ? before.failed : 0;
      const failed =
        failedBefore === null
          ? null
          : Math.max(1, failedBefore + (delivery.answered === 'ok' ? 0 : 1));
      tries.set(delivery.id, { shop, last: delivery, failed });
    };

    const firstTold = (order: BookOrder): number =>
      Math.min(
        now(),
        ...known
          .deliveries(order.requestId)
          .filter(({ type }) => PAYMENT_EVENTS.includes(type))
          .map(({ at }) => at),
      );
    const checkAsked = (order: BookOrder, shop: string, paidAt: number): void => {
      const every = askedEveryMs(oldestAgeMs(order, paidAt, known) + AGE_SLACK_MS);
      // the relay may also learn of the payment from a late answer, or from the answer to a pay
      const knownAt = Math.min(order.paidAnswerAt ?? Infinity, firstTold(order));
      const waited = disturbances.undisturbedMs(shop, paidAt, knownAt);
      const useless = order.uselessAnswers * (every + SLACK_MS / 2);
      if (waited > every + SLACK_MS + useless)
        fail(`nobody asked about ${order.requestId} for ${seconds(waited)} after it was paid`);
    };
    const checkTold = (order: BookOrder, shop: string): void => {
      if (order.paidAnswerAt === null) return;
      const waited = disturbances.undisturbedMs(shop, order.paidAnswerAt, firstTold(order));
      if (waited > SLACK_MS + DELIVERY_SLACK_MS)
        fail(`the shop heard of the payment of ${order.requestId} ${seconds(waited)} late`);
    };

    return {
      on: (fact) => {
        if (fact.kind === 'restored') {
          for (const id of fact.lost) restored.add(id);
          for (const [id, { shop }] of wanted) if (shop === fact.shop) wanted.delete(id);
        }
        if (fact.kind === 'resent') onResent(fact);
        if (fact.kind === 'clock_stepped') steps.push(fact);
        if (fact.kind === 'delivery') onDelivery(fact.shop, fact.delivery);
        if (fact.kind !== 'call') return;
        const { beganAt, endedAt, purchase, what } = fact;
        tried(purchase);
        const waited = disturbances.undisturbedMs(purchase.shop, beganAt, endedAt ?? now());
        if (waited > CALL_MS) fail(`${purchase.id} waited ${seconds(waited)} for its ${what}`);
      },
      end: () => {
        for (const id of [...wanted.keys()]) checkWanted(id, now());
        for (const order of known.orders()) {
          if (order.shop === null || order.paidAt === null) continue;
          tried(known.purchaseOfRequest(order.requestId));
          // an order that a backup lacks is found when its customer returns
          if (restored.has(order.requestId) || isTooLate(order, known, promised)) continue;
          checkAsked(order, order.shop, order.paidAt);
          checkTold(order, order.shop);
        }
      },
    };
  },
};

const PAYMENT_EVENTS = [
  'order.succeeded',
  'order.late_payment',
  'order.duplicate_payment',
  'order.review',
  'order.resolved',
];
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
