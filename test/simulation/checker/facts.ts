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
  /** Of a token its `jti`; of a page's purchase what the first answer says. */
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
});
export type PageOrder = z.infer<typeof pageOrder>;

/** The text of a link or a code; null when there is nothing to pay with. */
export function linkText({ next_action: action }: PageOrder): string | null {
  if (action === null || action.kind === 'wait') return null;
  if (action.kind === 'scan_qr') return action.qrcode_string;
  return action.kind === 'open_page' ? action.checkout_url : action.wallet_url;
}

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
  review_reason: z.string().optional(),
});
export type ShopOrder = z.infer<typeof shopOrder>;

export const shopEvent = z.object({
  type: z.string(),
  data: shopOrder.extend({ sequence: z.number(), epoch: z.string() }),
});

/** One delivery of an event, as the shop's receiver saw it. */
export type Delivery = {
  readonly id: string;
  readonly type: string;
  readonly data: z.infer<typeof shopEvent>['data'];
  readonly at: number;
  /** What the relay saw of the receiver. */
  readonly answered: 'ok' | 'refused' | 'silent';
};

export type Fact =
  | { kind: 'purchase'; purchase: Purchase }
  | { kind: 'received'; order: BookOrder }
  | { kind: 'paid'; order: BookOrder }
  | { kind: 'delivery'; shop: string; delivery: Delivery }
  | { kind: 'backend_told'; shop: string; order: ShopOrder }
  | { kind: 'page_told'; purchase: Purchase; order: PageOrder }
  | { kind: 'page_refused'; purchase: Purchase; code: string }
  /** A page was given an order although it had no right to it. */
  | { kind: 'stranger_told'; shop: string; what: string }
  | { kind: 'stranger_refused'; purchase: Purchase }
  /** A request to a relay that runs; `endedAt` is null when no answer came at all. */
  | { kind: 'call'; purchase: Purchase; what: string; beganAt: number; endedAt: number | null }
  /** A shop put a backup in its ledger's place; `lost`: orders that the service received since. */
  | { kind: 'restored'; shop: string; lost: readonly string[]; backupAt: number }
  /** The clock by which a shop's ledger dates its orders stepped. */
  | { kind: 'clock_stepped'; shop: string; at: number }
  | { kind: 'decided'; shop: string; requestId: string; as: 'succeeded' | 'failed' };
