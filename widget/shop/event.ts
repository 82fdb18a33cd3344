/** The events that the relay sends to the shop's backend. */

/** What every event says of the order and of what was bought; amounts are decimal strings. */
export type EventData = {
  intent_id: string;
  request_id: string;
  order_no: string | null;
  outcome: string;
  status: number | null;
  /** Paid after it had failed, expired, or been unmapped or in review. */
  late: boolean;
  /** The page chose the amount. */
  open_amount: boolean;
  livemode: boolean;
  mode: 'token' | 'catalogue' | 'open';
  amount: string;
  currency: string;
  product_name: string;
  customer_ref_id: string;
  sku?: string;
  quantity?: number;
  metadata?: Readonly<Record<string, string>>;
  closed_at?: string;
  late_payment?: true;
  review_reason?: string;
  echoed_amount?: string;
  echoed_currency?: string;
  /** Counts the events of the intent from 1, in the order in which they happened. */
  sequence: number;
  /** Changes when the ledger was restored; sequences of two epochs are not compared. */
  epoch: string;
};

type Plain =
  | 'order.created'
  | 'order.succeeded'
  | 'order.failed'
  | 'order.expired'
  | 'order.unmapped_status'
  | 'order.review'
  | 'order.late_payment';

type Known<Type extends string, More = unknown> = {
  /** Of the event; each delivery of the same event has the same one. */
  id: string;
  type: Type;
  timestamp: string;
  data: EventData & More;
};

export type ShopEvent =
  | Known<Plain>
  | Known<'order.resolved', { resolved_as: 'succeeded' | 'failed' }>
  | Known<'order.duplicate_payment', { first_request_id: string }>
  | Known<'order.unpaid', { resume_url: string }>;

/** @returns null when the body is not one of an event; a type of a newer relay is let through */
export function readEvent(id: string, body: unknown): ShopEvent | null {
  if (typeof body !== 'object' || body === null) return null;
  const { data, timestamp, type } = body as Record<string, unknown>;
  if (typeof data !== 'object' || data === null) return null;
  const { epoch, intent_id, sequence } = data as Record<string, unknown>;
  const texts = [id, type, timestamp, intent_id, epoch];
  if (!texts.every((text) => typeof text === 'string') || !Number.isInteger(sequence)) return null;
  return { id, type, timestamp, data } as ShopEvent;
}
