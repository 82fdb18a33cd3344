/**
 * `order.unpaid` is told once for an intent that nobody paid, when the configured time is over. It
 * is never told after a payment was told, nor while a payment is uncertain.
 */
import type { Invariant, InvariantContext } from './invariant.js';
import type { ListedEvent, ShopOrder } from './facts.js';
import { EPOCH } from '../time/virtual-globals.js';
import {
  ASKED_SLACK_MS,
  CLOCK_LAG_MS,
  CLOSING_MS,
  MAX_AGING_RATE,
  MINUTELY_MS,
  STEPPED_UNPAID_SLACK_MS,
  UNPAID_SLACK_MS,
} from './schedule.js';

type Seen = ListedEvent & { readonly shop: string; readonly firstAt: number };

const PAYMENTS = ['order.succeeded', 'order.late_payment', 'order.duplicate_payment'];
/** Outcomes of an order that a customer is reminded of. */
const UNPAID = ['pending', 'failed', 'expired'];

export const unpaidIsToldOnce: Invariant = {
  name: 'unpaid is told once',
  begin: (judge) => {
    const seen = new Map<string, Seen>();
    /** Each order as its shop's backend was told of it last. */
    const latest = new Map<string, ShopOrder>();
    /** Shops with a step of a clock. */
    const stepped = new Set<string>();
    const restored = new Set<string>();
    const isUnsure = (shop: string): boolean => stepped.has(shop) || restored.has(shop);
    /** When each intent was last told as one whose payment is uncertain. */
    const uncertainAt = new Map<string, number>();
    const noteOutcome = ({ intent_id, outcome }: ShopOrder): void => {
      if (!UNPAID.includes(outcome)) uncertainAt.set(intent_id, judge.now());
    };
    const note = (shop: string, listed: ListedEvent): void => {
      const { id, type } = listed;
      if (seen.has(id)) return;
      const event = { ...listed, shop, firstAt: judge.now() };
      seen.set(id, event);
      noteOutcome(event.data);
      if (type !== 'order.unpaid') return;
      checkReport(judge, event, isUnsure(shop));
    };
    return {
      on: (fact) => {
        if (fact.kind === 'delivery') note(fact.shop, fact.delivery);
        if (fact.kind === 'listed') for (const event of fact.events) note(fact.shop, event);
        if (fact.kind === 'backend_told') {
          latest.set(fact.order.request_id, fact.order);
          noteOutcome(fact.order);
        }
        if (fact.kind === 'clock_stepped') stepped.add(fact.shop);
        if (fact.kind === 'restored') restored.add(fact.shop);
      },
      end: () => {
        const byIntent = new Map<string, Seen[]>();
        for (const event of seen.values()) {
          const intent = `${event.data.epoch}/${event.data.intent_id}`;
          byIntent.set(intent, [...(byIntent.get(intent) ?? []), event]);
        }
        for (const events of byIntent.values()) checkSequence(judge, events);
        const reports = [...seen.values()].filter(({ type }) => type === 'order.unpaid');
        for (const report of reports) if (!isUnsure(report.shop)) checkAsked(judge, report);
        checkClosed(judge, latest, (shop, intentId) =>
          isUnsure(shop) ? [] : reports.filter(({ data }) => data.intent_id === intentId),
        );
        const reported = new Set(reports.map(({ data }) => data.intent_id));
        checkMissing(judge, latest, {
          isReported: (shop, intentId) => restored.has(shop) || reported.has(intentId),
          slackMs: (shop) => (stepped.has(shop) ? STEPPED_UNPAID_SLACK_MS : UNPAID_SLACK_MS),
          uncertainAt: (intentId) => uncertainAt.get(intentId) ?? 0,
        });
      },
    };
  },
};

/** @param isUnsure whether a clock or the ledger was set back or forward */
function checkReport(
  { fail, known, promised, tried }: InvariantContext,
  { data, firstAt }: Seen,
  isUnsure: boolean,
): void {
  const { intent_id, outcome, request_id, resume_url } = data;
  const purchase = known.purchaseOfIntent(intent_id) ?? known.purchaseOfRequest(request_id);
  tried(purchase);
  if (!UNPAID.includes(outcome)) fail(`${intent_id} was reported as unpaid while it is ${outcome}`);
  if (resume_url?.includes(request_id) !== true)
    fail(`the report of ${intent_id} has no link to ${request_id}`);
  const { unpaidAfterMs } = promised;
  const [rate, lag] = isUnsure ? [MAX_AGING_RATE, CLOCK_LAG_MS] : [1, 0];
  if (unpaidAfterMs === null) fail(`${intent_id} was reported as unpaid, which no shop wants`);
  else if (purchase && (firstAt - purchase.beganAt) * rate + lag < unpaidAfterMs)
    fail(`${intent_id} was reported as unpaid before ${unpaidAfterMs} ms were over`);
}

/** The relay asks the service before it reports, so it knows of payments before that. */
function checkAsked(
  { disturbances, fail, known }: InvariantContext,
  { data, shop, timestamp }: Seen,
): void {
  const purchase = known.purchaseOfIntent(data.intent_id);
  const writtenAt = Date.parse(timestamp) - EPOCH;
  for (const { paidAt, refused, requestId } of purchase ? known.ordersOf(purchase) : []) {
    if (paidAt === null || refused) continue;
    const knownFor = disturbances.undisturbedMs(shop, paidAt, writtenAt);
    if (paidAt < writtenAt && knownFor > ASKED_SLACK_MS)
      fail(`${data.intent_id} was reported as unpaid long after ${requestId} was paid`);
  }
}

/** @param events of one intent in one epoch */
function checkSequence({ fail }: InvariantContext, events: readonly Seen[]): void {
  let isPaid = false;
  let isReported = false;
  const inReview = new Set<string>();
  for (const { data, type } of [...events].sort((a, b) => a.data.sequence - b.data.sequence)) {
    const { intent_id, outcome, request_id } = data;
    if (type === 'order.unpaid') {
      if (isReported) fail(`${intent_id} was reported as unpaid twice`);
      if (isPaid) fail(`${intent_id} was reported as unpaid after its payment was told`);
      for (const id of inReview)
        fail(`${intent_id} was reported as unpaid while ${id} is in review`);
      isReported = true;
    } else if (outcome === 'review') inReview.add(request_id);
    else inReview.delete(request_id);
    isPaid ||= PAYMENTS.includes(type);
  }
}

/**
 * No intent is reported after its shop closed it.
 *
 * @param reportsOf none for a shop whose clock or ledger makes the times unsure
 */
function checkClosed(
  { fail, known, tried }: InvariantContext,
  latest: ReadonlyMap<string, ShopOrder>,
  reportsOf: (shop: string, intentId: string) => readonly Seen[],
): void {
  for (const { closed_at, intent_id } of latest.values()) {
    const purchase = known.purchaseOfIntent(intent_id);
    if (closed_at === undefined || !purchase) continue;
    tried(purchase);
    for (const { timestamp } of reportsOf(purchase.shop, intent_id))
      if (Date.parse(timestamp) > Date.parse(closed_at) + CLOSING_MS)
        fail(`${intent_id} was reported as unpaid after it was closed`);
  }
}

/** A review that stays after a person's decision is a dispute: the service calls the order paid. */
const isSurelyUnpaid = ({ closed_at, outcome, review_reason }: ShopOrder): boolean =>
  closed_at === undefined && UNPAID.includes(outcome) && review_reason === undefined;

type Reports = {
  /** Also true for a shop whose ledger was restored. */
  isReported(shop: string, intentId: string): boolean;
  slackMs(shop: string): number;
  uncertainAt(intentId: string): number;
};

function checkMissing(
  { disturbances, fail, known, now, promised, tried }: InvariantContext,
  latest: ReadonlyMap<string, ShopOrder>,
  { isReported, slackMs, uncertainAt }: Reports,
): void {
  const { unpaidAfterMs } = promised;
  if (unpaidAfterMs === null) return;
  const toldByIntent = new Map<string, ShopOrder[]>();
  for (const told of latest.values())
    toldByIntent.set(told.intent_id, [...(toldByIntent.get(told.intent_id) ?? []), told]);
  for (const purchase of known.purchases()) {
    const { intentId, shop, shown } = purchase;
    const told = toldByIntent.get(intentId ?? '') ?? [];
    const [first, ...others] = known.ordersOf(purchase);
    if (intentId === null || !first) continue;
    // a request that never reached the service may still reach it, so its order stays uncertain
    const hasLost = [...shown].some((requestId) => known.book(requestId).length === 0);
    const isUnpaid =
      !hasLost &&
      told.length === others.length + 1 &&
      told.every(isSurelyUnpaid) &&
      [first, ...others].every(({ paidAt, refused }) => paidAt === null && !refused);
    const dueAt = first.receivedAt + unpaidAfterMs;
    const waited = disturbances.undisturbedMs(shop, dueAt, now());
    // from then on the relay looks rarely, or no more
    const isGivenUp = uncertainAt(intentId) > dueAt + MINUTELY_MS - slackMs(shop);
    if (!isUnpaid || waited <= slackMs(shop) || isGivenUp) continue;
    tried(purchase);
    if (!isReported(shop, intentId)) fail(`nobody was told that ${intentId} is unpaid`);
  }
}
