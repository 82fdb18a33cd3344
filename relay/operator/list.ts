/** Lists orders by when they were created and by what they have become. */
import { z } from 'zod';
import { addDecimals } from '../contract/decimal.js';
import { HOUR_MS } from '../contract/durations.js';
import type { Outcome } from '../contract/order.js';
import type { ReviewReason } from '../contract/review-reasons.js';
import type { Intent, OrderInIntent } from '../ledger/intent.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OperatorLedger, Place, Span, WalkBy } from '../ledger/operator-ledger.js';
import { openOutcomes, type OrderRow } from '../ledger/rows.js';
import { shownOutcome } from '../ledger/shown-order.js';
import { fromOpaque, toOpaque } from './opaque.js';
import { Refusal } from './refusal.js';

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
   * Only orders that are pending or confirming, and of which the ledger has learned nothing new
   * since this moment: the service does not tell how they ended.
   */
  readonly hangingSince?: number | undefined;
};

/** @returns the filter of orders without news for an hour */
export const hanging = (now: number): Pick<OrderFilter, 'hangingSince'> => ({
  hangingSince: now - HOUR_MS,
});

export type Listed = {
  readonly rows: readonly OrderInIntent[];
  readonly sums: Record<string, string>;
  /** Where the list goes on; null at its end. */
  readonly cursor: string | null;
};

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

type Reads = Pick<OperatorLedger, 'undelivered' | 'walkIntents'> & Pick<Ledger, 'intent'>;

/**
 * @param cursor of an earlier answer to the same filter
 * @returns whole intents, so there may be a few more orders than `limit`; the newest first
 * @throws Refusal when the span ends before it begins, or the cursor is none
 */
export async function list(
  ledger: Reads,
  filter: OrderFilter,
  { cursor = null, limit }: { cursor?: string | null | undefined; limit: number },
): Promise<Listed> {
  const { since = 0, until = Infinity } = filter;
  if (until < since) throw new Refusal('until: expected a time after since');
  const walk = filter.undelivered ? await walkUndelivered(ledger) : walkBy(ledger, filter);
  const rows: OrderInIntent[] = [];
  let after = readCursor(cursor);
  for (let read = 0; read < MAX_READ;) {
    const step = await walk(after, Math.min(READ_AT_ONCE, MAX_READ - read));
    for (const { intent, place } of step) {
      rows.push(...ordersIn(intent, filter));
      after = place;
      if (rows.length >= limit) return asListed(rows, after);
    }
    read += step.length;
    if (step.length < READ_AT_ONCE) return asListed(rows, null);
  }
  return asListed(rows, after);
}

/** Every order of a span of time, the newest first, a few at a time. */
export async function* every(ledger: Reads, span: Span): AsyncGenerator<OrderInIntent> {
  let cursor: string | null = null;
  do {
    const page = await list(ledger, span, { cursor, limit: READ_AT_ONCE });
    yield* page.rows;
    cursor = page.cursor;
  } while (cursor !== null);
}

type Step = readonly { readonly intent: Intent; readonly place: Place }[];
type Walk = (after: Place | null, limit: number) => Promise<Step>;

const ALWAYS: Span = { since: 0, until: Number.MAX_SAFE_INTEGER };

const walkBy = (ledger: Reads, filter: OrderFilter): Walk => {
  const { hangingSince, outcome, since, until } = filter;
  const byOutcome = outcome === undefined ? 'created' : (WALKS[outcome] ?? 'created');
  const by = hangingSince === undefined ? byOutcome : UNDECIDED;
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
  for (const { intent_id, seq } of await ledger.undelivered())
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

const ordersIn = (
  intent: Intent,
  { currency, hangingSince, option, outcome, reason, since = 0, until = Infinity }: OrderFilter,
): OrderInIntent[] => {
  if (intent.created_at < since || intent.created_at > until) return [];
  return intent.orders
    .filter(
      (order) =>
        shownOutcome(order) === (outcome ?? shownOutcome(order)) &&
        order.option === (option ?? order.option) &&
        order.currency === (currency ?? order.currency) &&
        order.review_reason === (reason ?? order.review_reason) &&
        (hangingSince === undefined || hangs(order, hangingSince)),
    )
    .map((order) => ({ intent, order }));
};

/** An answer that says the same as before is no news. */
const hangs = ({ created_at, history, outcome, sending }: OrderRow, since: number): boolean =>
  sending !== 'unsent' &&
  (outcome === 'pending' || outcome === 'confirming') &&
  (history.at(-1)?.at ?? created_at) <= since;

function asListed(rows: readonly OrderInIntent[], after: Place | null): Listed {
  const sums: Record<string, string> = {};
  for (const { order } of rows)
    sums[order.currency] = addDecimals(sums[order.currency] ?? '0', order.amount);
  return { rows, sums, cursor: after && writeCursor(after) };
}

const place = z.tuple([z.int(), z.string()]).transform(([at, id]): Place => ({ at, id }));

export const writeCursor = ({ at, id }: Place): string => toOpaque([at, id]);

/** @throws Refusal when the text is no cursor */
export function readCursor(cursor: string | null): Place | null {
  if (cursor === null) return null;
  const found = fromOpaque(place, cursor);
  if (!found) throw new Refusal('the cursor is not one of an earlier answer, or not all of it');
  return found;
}
