/**
 * Orders added up by hour, for whoever runs the shop. The counts follow the list of changes, some
 * seconds late, and can be rebuilt from the intents at any time: no decision reads them.
 */
import { z } from 'zod';
import { HOUR_MS, SECOND_MS } from '../contract/durations.js';
import { addDecimals, subtractDecimals } from '../contract/decimal.js';
import { outcome, type Outcome } from '../contract/order.js';
import { paidAt } from './history.js';
import type { Intent } from './intent.js';
import type { Span } from './operator-ledger.js';
import type { OrderRow } from './rows.js';

export type HourCount = {
  /** The beginning of the UTC hour in which the orders were created. */
  readonly hour: number;
  readonly option: string;
  readonly currency: string;
  readonly outcome: Outcome;
  readonly orders: number;
  /** The sum of their amounts. */
  readonly amount: string;
  /** How many of them were paid after which time; the key is a number of `TIME_STEP`. */
  readonly paid_after: Readonly<Record<string, number>>;
};

export type CountLedger = {
  /**
   * Adds up at most `limit` intents that changed since the last call of any relay.
   *
   * @returns whether more wait, and this relay is the one that should go on
   */
  countChanges(limit: number): Promise<boolean>;
  /** Lets the relays empty the counts and count every intent again. */
  recount(): Promise<void>;
  /** @returns the counts of hours that begin in the span; `isComplete`: none is being rebuilt */
  hourCounts(span: Span): Promise<{ counts: HourCount[]; isComplete: boolean }>;
};

/** What one order was counted as: its hour, option, currency, outcome, amount and paid_after. */
const countedOrder = z.tuple([
  z.int(),
  z.string(),
  z.string(),
  outcome,
  z.string(),
  z.int().nullable(),
]);
export type CountedOrder = Readonly<z.infer<typeof countedOrder>>;

export const readCounted = (text: string): CountedOrder[] =>
  z.array(countedOrder).parse(JSON.parse(text));

/** What the orders of an intent count as. An order that was never sent does not count. */
export const countedOrders = ({ orders }: Intent): CountedOrder[] =>
  orders
    .filter(({ sending }) => sending !== 'unsent')
    .map((order) => [
      order.created_at - (order.created_at % HOUR_MS),
      order.option,
      order.currency,
      order.outcome,
      order.amount,
      paidAfter(order),
    ]);

/** Each step of time is so much longer than the one before. */
const TIME_STEP = 1.25;

/** The number of the step; null when the order was not paid, or when a person called it paid. */
function paidAfter(order: OrderRow): number | null {
  const paid = order.resolved_as === null ? paidAt(order) : null;
  if (paid === null) return null;
  const answered = order.history.find(({ sending }) => sending === 'answered');
  const seconds = (paid - (answered?.at ?? order.created_at)) / SECOND_MS;
  return Math.floor(Math.log(Math.max(seconds, 1)) / Math.log(TIME_STEP));
}

/**
 * @param part 0.5 for the median
 * @returns seconds, at most an eighth more or less than exact; null when nothing was paid
 */
export function timeOf(paidAfter: Readonly<Record<string, number>>, part: number): number | null {
  const steps = Object.entries(paidAfter).map(([step, orders]) => [Number(step), orders] as const);
  const all = steps.reduce((sum, [, orders]) => sum + orders, 0);
  let seen = 0;
  for (const [step, orders] of steps.sort(([one], [other]) => one - other)) {
    seen += orders;
    if (seen >= part * all) return Number((TIME_STEP ** (step + 0.5)).toPrecision(3));
  }
  return null;
}

type Cell = Pick<HourCount, 'hour' | 'option' | 'currency' | 'outcome'>;

/** What changes in one count. */
export type CountChange = {
  readonly cell: Cell;
  readonly added: CountedOrder[];
  readonly removed: CountedOrder[];
};

/** Collects the changes of each count, always in the same order. */
export function countChanges(
  added: readonly CountedOrder[],
  removed: readonly CountedOrder[] = [],
): CountChange[] {
  const changes = new Map<string, CountChange>();
  const changeOf = ([hour, option, currency, as]: CountedOrder): CountChange => {
    const key = JSON.stringify([hour, option, currency, as]);
    const cell = { hour, option, currency, outcome: as };
    const change = changes.get(key) ?? { cell, added: [], removed: [] };
    changes.set(key, change);
    return change;
  };
  for (const order of added) changeOf(order).added.push(order);
  for (const order of removed) changeOf(order).removed.push(order);
  return [...changes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/** @returns null when no order is left */
export function changedCount(
  before: Pick<HourCount, 'orders' | 'amount' | 'paid_after'> | null,
  { added, cell, removed }: CountChange,
): HourCount | null {
  const orders = (before?.orders ?? 0) + added.length - removed.length;
  if (orders <= 0) return null;
  const paid_after: Record<string, number> = { ...before?.paid_after };
  let amount = before?.amount ?? '0';
  const note = (step: number | null, by: number): void => {
    if (step === null) return;
    const left = (paid_after[step] ?? 0) + by;
    if (left > 0) paid_after[step] = left;
    else delete paid_after[step];
  };
  for (const [, , , , of, step] of added) {
    amount = addDecimals(amount, of);
    note(step, 1);
  }
  for (const [, , , , of, step] of removed) {
    amount = subtractDecimals(amount, of);
    note(step, -1);
  }
  return { ...cell, orders, amount, paid_after };
}

/** The counts of these intents, added up at once. */
export const countsOf = (intents: readonly Intent[]): HourCount[] =>
  countChanges(intents.flatMap(countedOrders)).flatMap(
    (change) => changedCount(null, change) ?? [],
  );
