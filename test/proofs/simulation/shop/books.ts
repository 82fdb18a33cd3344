/**
 * The database of a shop's backend: which orders to deliver, and which to refund. It handles events
 * as docs/guides/reconciling-shop.ts does, whether they come by webhook or by list.
 */
import type { Known } from '../checker/known.js';
import type { ListedEvent, ShopOrder } from '../checker/facts.js';

/** A cursor, with the moment at which the relay gave it out. */
export type Cursor = { readonly text: string; readonly from: number };

type Data = {
  events: Cursor | null;
  orders: Cursor | null;
  readonly toPack: Map<string, string>;
  readonly refunds: Map<string, string>;
  readonly latest: Map<string, ShopOrder>;
};

export type Books = {
  /** Whether webhooks are acknowledged and not handled. */
  losesWebhooks: boolean;
  readonly data: Readonly<Data>;
  /** Counts up when the cursors go back to an earlier place. */
  walk(): number;
  beginAnew(): void;
  handle(event: ListedEvent): void;
  noteEvents(events: readonly ListedEvent[], cursor: Cursor): void;
  noteOrders(orders: readonly ShopOrder[], cursor: Cursor): void;
  backup(): Data;
  restore(copy: Data): void;
};

const copyOf = (data: Data): Data => ({
  ...data,
  toPack: new Map(data.toPack),
  refunds: new Map(data.refunds),
  latest: new Map(data.latest),
});

const REFUNDED = ['order.late_payment', 'order.duplicate_payment'];

export function createBooks(known: Pick<Known, 'purchaseOfIntent'>): Books {
  let walk = 0;
  let data: Data = {
    events: null,
    orders: null,
    toPack: new Map(),
    refunds: new Map(),
    latest: new Map(),
  };
  const handle = ({ data: event, type }: ListedEvent): void => {
    const { amount, currency, intent_id, request_id, resolved_as } = event;
    const isSuccess = type === 'order.succeeded';
    const isToBePaidBack = isSuccess && resolved_as === 'failed';
    if (isToBePaidBack || REFUNDED.includes(type)) data.refunds.set(request_id, intent_id);
    if (!isSuccess || isToBePaidBack || data.toPack.has(intent_id)) return;
    const asked = known.purchaseOfIntent(intent_id);
    // a page's purchase that was never answered has no intent that the shop knows
    const isAsAsked =
      !asked || (Number(asked.amount) === Number(amount) && asked.currency === currency);
    if (isAsAsked) data.toPack.set(intent_id, request_id);
  };
  return {
    losesWebhooks: false,
    get data() {
      return data;
    },
    walk: () => walk,
    beginAnew: () => {
      walk++;
    },
    handle,
    noteEvents: (events, cursor) => {
      for (const event of events) handle(event);
      data.events = cursor;
    },
    noteOrders: (orders, cursor) => {
      for (const order of orders) data.latest.set(order.request_id, order);
      data.orders = cursor;
    },
    backup: () => copyOf(data),
    restore: (copy) => {
      walk++;
      data = copyOf(copy);
    },
  };
}
