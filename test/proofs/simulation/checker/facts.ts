/**
 * What the checker may know: the service's book, and what shops and customers asked for and were
 * told. Nothing here comes from a relay's memory or ledger.
 */
import { z } from 'zod';
import type { FaultName } from '../faults/names.js';
import type { Mode } from '../plan.js';
import type { BookOrder } from '../service/book.js';

/** What one customer wants to buy, as the shop and the page know it. */
export type Purchase = {
  readonly id: string;
  readonly shop: string;
  readonly mode: Mode;
  readonly beganAt: number;
  readonly attempt: string;
  readonly token: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly productName: string;
  /** Null: the page names no customer, and the relay names a guest. */
  readonly customerRefId: string | null;
  readonly sku: string | null;
  readonly quantity: number | null;
  /** What only the shop may be told again. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The `jti` of the token. Without a token: the intent of the first answer to the page. */
  intentId: string | null;
  /** Orders that the customer was shown. */
  readonly shown: Set<string>;
  readonly touched: Set<FaultName>;
};

const nextAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scan_qr'), qrcode_string: z.string() }),
  z.object({ kind: z.literal('open_page'), checkout_url: z.string() }),
  z.object({ kind: z.literal('open_wallet'), wallet_url: z.string() }),
  z.object({ kind: z.literal('wait') }),
]);

/** An order as a page is told of it. */
export const pageOrder = z.object({
  intent_id: z.string(),
  request_id: z.string(),
  order_key: z.string(),
  amount: z.string(),
  currency: z.string(),
  status: z.number().nullable(),
  outcome: z.string(),
  next_action: nextAction.nullable(),
  paid_by: z.string().optional(),
  closed: z.boolean().optional(),
  expires_at: z.string().optional(),
  server_time: z.string(),
  version: z.number().optional(),
});
export type PageOrder = z.infer<typeof pageOrder>;

/** The text of a link or a code; null when there is nothing to pay with. */
export function linkText({ next_action: action }: PageOrder): string | null {
  if (action === null || action.kind === 'wait') return null;
  if (action.kind === 'scan_qr') return action.qrcode_string;
  return action.kind === 'open_page' ? action.checkout_url : action.wallet_url;
}

/** Whether the page shows the link or code: an ended or expired one is not shown. */
export const isShownPayable = (order: PageOrder): boolean =>
  linkText(order) !== null && OPEN.includes(order.outcome) && !hasExpired(order);

/** A page shows something to pay with only while it believes that the order is open. */
const OPEN = ['pending', 'confirming'];
const hasExpired = ({ expires_at, server_time }: PageOrder): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= Date.parse(server_time);

/** An order as the shop's backend is told of it, by a query or by an event. */
export const shopOrder = z.object({
  intent_id: z.string(),
  request_id: z.string(),
  outcome: z.string(),
  mode: z.string(),
  amount: z.string(),
  currency: z.string(),
  product_name: z.string(),
  customer_ref_id: z.string(),
  sku: z.string().optional(),
  quantity: z.number().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  echoed_amount: z.string().optional(),
  echoed_currency: z.string().optional(),
  review_reason: z.string().optional(),
  resolved_as: z.string().optional(),
  closed_at: z.string().optional(),
  late_payment: z.boolean().optional(),
});
export type ShopOrder = z.infer<typeof shopOrder>;

export const shopEvent = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: shopOrder.extend({
    sequence: z.number(),
    epoch: z.string(),
    resume_url: z.string().optional(),
  }),
});

/** An event as a list of the relay names it. */
export type ListedEvent = Pick<Delivery, 'id' | 'type' | 'data' | 'timestamp'>;

/** One delivery of an event, as the shop's receiver saw it. */
export type Delivery = {
  readonly id: string;
  readonly type: string;
  readonly data: z.infer<typeof shopEvent>['data'];
  /** When the relay wrote the event, by the relay's clock. */
  readonly timestamp: string;
  readonly at: number;
  /** How the receiver answered, as the relay saw it. */
  readonly answered: 'ok' | 'refused' | 'silent';
};

/** A shop read one page of the list of events. */
export type ListedFact = {
  kind: 'listed';
  shop: string;
  askedAt: number;
  /** Counts up when the shop begins again from an earlier place. */
  walk: number;
  /** When the relay gave out the cursor of this request; null: the request had no cursor. */
  cursorFrom: number | null;
  isReset: boolean;
  events: readonly ListedEvent[];
};

/** What a shop's own database holds at the end. */
export type BalanceFact = {
  kind: 'balance';
  shop: string;
  /** The order that is to be delivered, by intent. */
  toPack: ReadonlyMap<string, string>;
  /** The intent of each order that is to be refunded. */
  refunds: ReadonlyMap<string, string>;
  /** Each order as the list of orders told it last, by request_id. */
  orders: ReadonlyMap<string, ShopOrder>;
};

/** What a person is shown of an intent and of what happened to it. */
export const shownIntent = z.object({
  orders: z.array(z.object({ request_id: z.string() })),
  timeline: z.array(
    z.object({
      source: z.string(),
      what: z.string(),
      request_id: z.string().optional(),
      status: z.number().optional(),
      outcome: z.string().optional(),
      event_id: z.string().optional(),
      signals: z.number().optional(),
    }),
  ),
});
export type ShownIntent = z.infer<typeof shownIntent>;

export type Fact =
  | { kind: 'purchase'; purchase: Purchase }
  | { kind: 'received'; order: BookOrder }
  | { kind: 'paid'; order: BookOrder }
  | { kind: 'delivery'; shop: string; delivery: Delivery }
  | { kind: 'backend_told'; shop: string; order: ShopOrder; askedAt: number }
  /** A backend named the price that it expects, and was told that it may deliver, or may not. */
  | { kind: 'expected'; shop: string; intentId: string; askedAt: number; wasToldClosed: boolean }
  | { kind: 'page_told'; purchase: Purchase; order: PageOrder; askedAt: number }
  | { kind: 'page_refused'; purchase: Purchase; code: string }
  /** A page was given an order although it had no right to it. */
  | { kind: 'stranger_told'; shop: string; what: string }
  | { kind: 'stranger_refused'; purchase: Purchase }
  /** Metadata was found in an answer to a page, or in a request to the service. */
  | { kind: 'metadata_leaked'; to: string }
  /** A request to a relay that runs; `endedAt` is null when no answer came at all. */
  | { kind: 'call'; purchase: Purchase; what: string; beganAt: number; endedAt: number | null }
  /** A shop put a backup in its ledger's place; `lost`: orders that the service received since. */
  | { kind: 'restored'; shop: string; lost: readonly string[]; backupAt: number }
  /** There was a step of the clock that dates the orders of a shop's ledger. */
  | { kind: 'clock_stepped'; shop: string; at: number }
  /** A shop asks to close an intent; from now on it may be closed. */
  | { kind: 'closing'; shop: string; intentId: string }
  /** The relay has answered that the intent is closed. */
  | { kind: 'closed'; shop: string; intentId: string }
  | { kind: 'close_refused'; shop: string; intentId: string }
  | ListedFact
  /** A shop asks for events again; null: for all since some moment. `isSure`: it was answered. */
  | { kind: 'resent'; shop: string; eventId: string | null; askedAt: number; isSure: boolean }
  | BalanceFact
  /** The service calls an order's `notify_url`. */
  | { kind: 'signalled'; requestId: string }
  /** The process with this gate has answered such a call. */
  | { kind: 'signal_taken'; requestId: string; relay: object }
  /** The process with this gate sends a query. */
  | { kind: 'asked'; requestId: string; relay: object }
  /** At the end, a person looks at an intent. */
  | { kind: 'looked_at'; shop: string; intentId: string; shown: ShownIntent }
  /** A person starts to decide. The command may take effect from now on, even when it fails. */
  | { kind: 'begins_to_decide'; requestId: string; as: 'succeeded' | 'failed' }
  | { kind: 'decided'; shop: string; requestId: string; as: 'succeeded' | 'failed' };
