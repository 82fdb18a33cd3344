/** What happened to an intent, in the order of time: facts only, each with its source. */
import { paidOrder } from '../ledger/shown-order.js';
import { isPaidLate, type Fact, type OrderRow, type ShopEventRow } from '../ledger/rows.js';
import type { Intent } from '../ledger/intent.js';
import { readAnswers, type ShopAnswer } from '../ledger/shop-answers.js';
import { isLatePayment } from '../webhooks/purchase.js';
import type { Signals } from '../ledger/signals.js';
import type { TimelineEntry } from './shapes.js';
import { instant } from './operator-order.js';

/**
 * @param events of the intent
 * @param signals of its orders, by their `request_id`
 */
export function timelineOf(
  intent: Intent,
  events: readonly ShopEventRow[],
  signals: ReadonlyMap<string, Signals>,
): TimelineEntry[] {
  const entries = [
    opened(intent),
    ...intent.orders.flatMap((order) => ofOrder(intent, order)),
    ...[...signals].map(ofSignals),
    ...ends(intent),
    ...events.flatMap(ofEvent),
  ];
  // the sort keeps the order of entries with the same time
  return entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

const opened = ({ created_at, mode }: Intent): TimelineEntry => ({
  at: instant(created_at),
  source: 'page',
  what: 'opened',
  note: `mode ${mode}`,
});

export const ofOrder = (intent: Intent, order: OrderRow): TimelineEntry[] =>
  order.history.map((fact, index) => ofFact(intent, order, fact, index === 0));

/** One entry for all signals of an order, at the time of the first. */
const ofSignals = ([request_id, { count, first, last }]: [string, Signals]): TimelineEntry => ({
  at: instant(first),
  source: 'service',
  what: 'signals',
  request_id,
  signals: count,
  last_at: instant(last),
});

function ofFact(intent: Intent, order: OrderRow, fact: Fact, isFirst: boolean): TimelineEntry {
  const { expired_at, omitted, outcome, review_reason, sending, status } = fact;
  const isPayment = outcome === 'succeeded';
  return {
    at: instant(fact.at),
    source: sourceOf(intent, order, fact),
    what: whatOf(fact, isFirst),
    request_id: order.request_id,
    ...(status !== undefined && { status }),
    ...(outcome !== undefined && { outcome }),
    ...(review_reason !== undefined && { review_reason }),
    ...(isPayment && isPaidLate(order) && { late: true as const }),
    ...(isPayment && isLatePayment(intent, order) && { late_payment: true as const }),
    ...(isPayment &&
      paidOrder(intent)?.request_id !== order.request_id && { duplicate: true as const }),
    ...(expired_at !== undefined && { expired_at: instant(expired_at) }),
    ...(omitted !== undefined && { omitted }),
    ...(sending === 'lost' && isFirst && { note: 'found after the ledger was restored' }),
  };
}

function whatOf({ expired_at, omitted, outcome, sending, status }: Fact, isFirst: boolean): string {
  if (omitted !== undefined) return 'omitted';
  if (sending === 'claimed') return isFirst ? 'claimed' : 'claimed_again';
  if (sending !== undefined) return sending;
  if (status !== undefined) return 'status';
  if (outcome !== undefined) return 'outcome';
  return expired_at === undefined ? 'review' : 'code_expired';
}

/** A claim, a loss and an expiry are the relay's own; a review's end is a person's. */
function sourceOf(
  { resolutions }: Intent,
  { request_id }: OrderRow,
  { at, outcome, sending, status }: Fact,
): TimelineEntry['source'] {
  if (status !== undefined || sending === 'answered' || sending === 'refused') return 'service';
  const isDecision = resolutions.some(
    (each) => each.request_id === request_id && each.resolved_at === at,
  );
  return isDecision && outcome !== undefined ? 'person' : 'relay';
}

/** What people and the shop's backend did to the intent. */
const ends = (intent: Intent): TimelineEntry[] => [
  ...intent.resolutions.map(
    ({ note, request_id, resolved_as, resolved_at, resolved_by }): TimelineEntry => ({
      at: instant(resolved_at),
      source: 'person',
      what: 'resolved',
      request_id,
      outcome: resolved_as,
      by: resolved_by,
      note,
    }),
  ),
  ...acted(intent.closed_at, 'closed', intent.closed_by, intent.close_reason),
  ...acted(intent.erased_at, 'erased', intent.erased_by),
];

function acted(
  at: number | null,
  what: string,
  by: string | null,
  note: string | null = null,
): TimelineEntry[] {
  if (at === null) return [];
  const source = by === null ? 'shop' : 'person';
  return [
    { at: instant(at), source, what, ...(by !== null && { by }), ...(note !== null && { note }) },
  ];
}

function ofEvent(event: ShopEventRow): TimelineEntry[] {
  const { event_id, last_failure, next_try_at, tries } = event;
  const named = { event_id, type: event.type };
  const isWaiting = next_try_at !== null && last_failure !== null;
  return [
    {
      at: instant(event.created_at),
      source: 'relay',
      what: 'event',
      ...named,
      ...(tries > 0 && { tries }),
      ...(last_failure !== null && { last_failure }),
      ...(isWaiting && { next_try_at: instant(next_try_at) }),
    },
    ...answersOf(event).map(({ at, answer: note, delivered }, index, all) => {
      const isFirst = all.findIndex((each) => each.delivered) === index;
      const received = isFirst ? 'delivered' : 'delivered_again';
      const what = delivered ? received : 'not_delivered';
      return { at: instant(at), source: 'shop' as const, what, ...named, note };
    }),
    ...acted(event.resent_at, 'resent', event.resent_by).map((entry) => ({ ...entry, ...named })),
  ];
}

/** What the shop answered to the last tries; a delivery before them is there too. */
function answersOf({ answers, first_delivered_at: first }: ShopEventRow): ShopAnswer[] {
  const last = readAnswers(answers);
  if (first === null || last.some(({ delivered }) => delivered)) return last;
  return [{ at: first, answer: 'HTTP 2xx', delivered: true }, ...last];
}
