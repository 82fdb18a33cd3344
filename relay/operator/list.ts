/** Lists orders by when they were created and by what they have become. */
import type { z } from 'zod';
import type { Config } from '../config/schema.js';
import { sumsByCurrency } from '../contract/decimal.js';
import { HOUR_MS } from '../contract/durations.js';
import type { Outcome } from '../contract/order.js';
import type { ReviewReason } from '../contract/review-reasons.js';
import type { Intent } from '../ledger/intent.js';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OperatorLedger, Place, Span, WalkBy } from '../ledger/operator-ledger.js';
import { openOutcomes, type OrderRow } from '../ledger/rows.js';
import { payBackReason, shownOutcome } from '../ledger/shown-order.js';
import { nextTurn } from '../orders/polling/pacing.js';
import { everyUndelivered } from './events.js';
import { asOperatorOrder } from './operator-order.js';
import { readCursor, writeCursor, type Page } from './paging.js';
import { Refusal } from './refusal.js';
import type { listShape, OperatorOrder } from './shapes.js';

export type OrderFilter = {
  /**
   * When the intents were opened, both included. An order that replaces another one later counts to
   * the time of its intent, so that two spans that meet leave no order out and name none twice.
   */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly option?: string | undefined;
  readonly currency?: string | undefined;
  readonly reason?: ReviewReason | undefined;
  /** Only orders of intents of which the shop has not received an event. */
  readonly undelivered?: boolean | undefined;
  /**
   * Only orders that are pending or confirming, and of which the ledger has learned nothing new for
   * an hour: the service does not tell how they ended.
   */
  readonly hanging?: boolean | undefined;
  /** Only payments that must be given back. */
  readonly pay_back?: boolean | undefined;
};

type Listed = z.infer<typeof listShape>;

/** Intents that one call reads. A list whose filter finds few ends with a cursor. */
const MAX_READ = 10_000;
const READ_AT_ONCE = 200;

/** What an intent waits for when an order of it may be pending or confirming. */
const UNDECIDED: WalkBy = [...openOutcomes, 'idle'];

/**
 * An intent waits for what needs a person most, so an order with a less urgent outcome may be in an
 * intent that waits for a more urgent one. One that nobody waits for may be in any.
 */
const WALKS: Partial<Record<Outcome, WalkBy>> = {
  review: ['review'],
  unmapped: ['review', 'unmapped'],
  confirming: UNDECIDED,
};

type Reads = Pick<OperatorLedger, 'undelivered' | 'walkEvents' | 'walkIntents'> &
  Pick<Ledger, 'intent'>;
type Statuses = Pick<Config, 'statuses'>;

type ListContext = {
  readonly config: Statuses;
  readonly ledger: Reads;
  readonly ledgerClock: Pick<LedgerClock, 'now'>;
};

/**
 * @returns whole intents, so there may be a few more orders than `limit`; the newest first
 * @throws Refusal when the span ends before it begins, or the cursor is none
 */
export async function list(
  { config, ledger, ledgerClock }: ListContext,
  filter: OrderFilter,
  page: Page,
): Promise<Listed> {
  const { since = 0, until = Infinity } = filter;
  if (until < since) throw new Refusal('until: expected a time after since');
  const walk = filter.undelivered ? await walkUndelivered(ledger) : walkBy(ledger, filter);
  const matches = matcherOf(config, filter, ledgerClock.now());
  const rows: OperatorOrder[] = [];
  let after = readCursor(page);
  for (let read = 0; read < MAX_READ;) {
    const step = await walk(after, Math.min(READ_AT_ONCE, MAX_READ - read));
    for (const { intent, place } of step) {
      for (const order of intent.orders)
        if (matches(intent, order)) rows.push(asOperatorOrder(config, { intent, order }));
      after = place;
      if (rows.length >= page.limit) return asListed(rows, after);
    }
    read += step.length;
    if (step.length < READ_AT_ONCE) return asListed(rows, null);
    await nextTurn();
  }
  return asListed(rows, after);
}

type Step = readonly { readonly intent: Intent; readonly place: Place }[];
type Walk = (after: Place | null, limit: number) => Promise<Step>;

const ALWAYS: Span = { since: 0, until: Number.MAX_SAFE_INTEGER };

const walkBy = (ledger: Reads, filter: OrderFilter): Walk => {
  const { hanging, outcome, since, until } = filter;
  const byOutcome = outcome === undefined ? 'created' : (WALKS[outcome] ?? 'created');
  const by = hanging ? UNDECIDED : byOutcome;
  const span = { since: since ?? ALWAYS.since, until: until ?? ALWAYS.until };
  return async (after, limit) => {
    // the other walks go by the time since which an intent waits
    const rows = await ledger.walkIntents(by, by === 'created' ? span : ALWAYS, after, limit);
    return rows.map(({ at, intent }) => ({ intent, place: { at, id: intent.intent_id } }));
  };
};

/** The intents of undelivered events; the place of each is the number of its newest one. */
async function walkUndelivered(ledger: Reads): Promise<Walk> {
  const newest = new Map<string, number>();
  for await (const { intent_id, seq } of everyUndelivered(ledger, 0))
    newest.set(intent_id, Math.max(seq, newest.get(intent_id) ?? 0));
  const places = [...newest].sort(([, one], [, other]) => other - one);
  return async (after, limit) => {
    const next = places.filter(([, seq]) => after === null || seq < after.at).slice(0, limit);
    const read = next.map(async ([id, at]) => {
      const intent = await ledger.intent(id);
      return intent ? [{ intent, place: { at, id } }] : [];
    });
    return (await Promise.all(read)).flat();
  };
}

function matcherOf(config: Statuses, filter: OrderFilter, now: number) {
  const { currency, hanging, option, outcome, pay_back, reason } = filter;
  const { since = 0, until = Infinity } = filter;
  // a paid order may have a reason too, and waits for a person like one in review
  const wanted = outcome === 'review' && reason !== undefined ? undefined : outcome;
  return (intent: Intent, order: OrderRow): boolean =>
    intent.created_at >= since &&
    intent.created_at <= until &&
    shownOutcome(order) === (wanted ?? shownOutcome(order)) &&
    order.option === (option ?? order.option) &&
    order.currency.toUpperCase() === (currency ?? order.currency).toUpperCase() &&
    order.review_reason === (reason ?? order.review_reason) &&
    (!hanging || hangs(order, now)) &&
    (!pay_back || payBackReason(config, { intent, order }) !== null);
}

/** An answer that says the same as before is no news. */
const hangs = ({ created_at, history, outcome, sending }: OrderRow, now: number): boolean =>
  sending !== 'unsent' &&
  (outcome === 'pending' || outcome === 'confirming') &&
  (history.at(-1)?.at ?? created_at) <= now - HOUR_MS;

const asListed = (orders: OperatorOrder[], after: Place | null): Listed => ({
  orders,
  sums: sumsByCurrency(orders),
  cursor: after && writeCursor(after),
});
