/** The part of the ledger that serves the shop's backend: lists, repeated events, reports. */
import type { Intent, OrderInIntent } from './intent.js';
import type { NewShopEvent, ShopEventRow } from './rows.js';

export type ListName = 'orders' | 'events';

/**
 * How far a list reaches. The rows up to `settled` are all committed, and the list has no row above
 * it. `last` is the highest number that a row may have, also one that is not committed yet.
 * `is_standby`: this copy of the ledger does not know how far the original has come.
 */
export type Reach = {
  readonly last: number;
  readonly settled: number;
  readonly is_standby: boolean;
};

/** The row after which a list goes on. */
export type Position = { readonly number: number; readonly id: string };

/** Before the first row. */
export const START: Position = { number: -1, id: '' };

/**
 * `isReset`: this ledger has not given out the position, or has given its number to another row, so
 * `rows` starts at the beginning.
 */
export type Listed<Row> = {
  readonly rows: readonly Row[];
  readonly last: Position;
  readonly more: boolean;
  readonly isReset: boolean;
};

/** @param found the rows after `from`; one more than the limit tells that the list goes on */
export function pageAfter<Row>(
  from: Position,
  found: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): Omit<Listed<Row>, 'isReset'> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, last: last ? positionOf(last) : from, more: found.length > limit };
}

export const eventPosition = ({ event_id, seq }: ShopEventRow): Position => ({
  number: seq,
  id: event_id,
});

/** The orders of intents, which come in the order of their positions, after `from`. */
export function ordersAfter(
  from: Position,
  intents: readonly { readonly intent: Intent; readonly position: number }[],
  limit: number,
): Omit<Listed<OrderInIntent>, 'isReset'> {
  const found = intents.flatMap(({ intent, position }) => {
    const placed = intent.orders.map((order) => ({ intent, order, position }));
    if (position !== from.number || from.id === '') return placed;
    const index = intent.orders.findIndex(({ request_id }) => request_id === from.id);
    return index < 0 ? [] : placed.slice(index + 1);
  });
  const { rows, ...page } = pageAfter(from, found, limit, ({ order, position }) => ({
    number: position,
    id: order.request_id,
  }));
  return { ...page, rows: rows.map(({ intent, order }) => ({ intent, order })) };
}

/** When a resend was requested, and who asks. */
export type Asked = {
  readonly at: number;
  /** When a lease ends that begins at that moment. */
  readonly leaseEnd: number;
  /** A person; null when the shop's backend asks. */
  readonly by: string | null;
};

/** What to do with an intent whose report as unpaid is due. */
export type UnpaidDecision = 'drop' | { postponeTo: number } | readonly NewShopEvent[];

export type ShopLedger = {
  reach(list: ListName): Promise<Reach>;
  /**
   * Orders by their last change, with changes of all relays.
   *
   * @param reach of this list, if the caller has read it
   */
  listOrders(after: Position | null, limit: number, reach?: Reach): Promise<Listed<OrderInIntent>>;
  /** Events in the order of their numbers; of one intent, when it is named. */
  listEvents(
    after: Position | null,
    limit: number,
    only?: { readonly intentId?: string | undefined; readonly reach?: Reach | undefined },
  ): Promise<Listed<ShopEventRow>>;
  /**
   * Makes events due now, and counts their tries from zero again. It changes no event that is
   * erased, whose first try is due anyway, or whose delivery began or succeeded since the request:
   * several requests of one moment deliver an event once.
   */
  resend(eventIds: readonly string[], now: number, asked: Asked): Promise<void>;
  /** Intents whose report as unpaid is due. */
  dueUnpaid(now: number, limit: number): Promise<Intent[]>;
};
