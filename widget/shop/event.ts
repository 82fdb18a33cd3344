/** The events that the relay sends to the shop's backend. */
import type { Purchase } from '../../relay/contract/responses.js';
import type { ShopEventType } from '../../relay/contract/shop-events.js';

/** The order and the purchase, which every event describes; amounts are decimal strings. */
export type EventData = Purchase & {
  intent_id: string;
  request_id: string;
  order_no: string | null;
  outcome: string;
  status: number | null;
  /** Whether the order was paid after it had failed, expired, or been unmapped or in review. */
  late: boolean;
  /** Whether the page chose the amount. */
  open_amount: boolean;
  livemode: boolean;
  /** What a person decided, in every event after that review. */
  resolved_as?: 'succeeded' | 'failed' | undefined;
  /** Counts the events of the intent from 1, in the order in which they happened. */
  sequence: number;
  /** Changes when the ledger is restored; sequences of two epochs cannot be compared. */
  epoch: string;
};

/** Types of events without fields of their own. */
type PlainType = Exclude<ShopEventType, OwnFields['type']>;
type OwnFields =
  | EventOf<'order.resolved', { resolved_as: 'succeeded' | 'failed'; difference?: string }>
  | EventOf<'order.duplicate_payment', { first_request_id: string }>
  | EventOf<'order.unpaid', { resume_url: string }>;

type EventOf<Type extends ShopEventType, More = unknown> = {
  /** The same in each delivery of one event. */
  id: string;
  type: Type;
  timestamp: string;
  data: EventData & More;
};

export type ShopEvent = EventOf<PlainType> | OwnFields;

const PAYMENTS: ReadonlySet<string> = new Set<ShopEventType>([
  'order.succeeded',
  'order.late_payment',
  'order.duplicate_payment',
]);

/**
 * Whether the event is of a payment that has to be paid back. When the relay's ledger was restored
 * from a backup, the relay may call another order of the intent the first one than before, so the
 * shop's own record decides. A payment of an order that a person has resolved as failed has to be
 * paid back too; look first whether that person has done it.
 *
 * @param deliveredFor the `request_id` that the shop has delivered for; none when it has not
 */
export function needsRefund(
  { data, type }: { type: string; data: { request_id: string; resolved_as?: string | undefined } },
  deliveredFor?: string | null,
): boolean {
  if (data.request_id === deliveredFor) return false;
  const isFirst = type === 'order.succeeded' && !deliveredFor && data.resolved_as !== 'failed';
  return !isFirst && PAYMENTS.has(type);
}

/**
 * Accepts unknown types too, because a newer relay may send them.
 *
 * @returns null when the body is not an event
 */
export function readEvent(id: string, body: unknown): ShopEvent | null {
  if (typeof body !== 'object' || body === null) return null;
  const { data, timestamp, type } = body as Record<string, unknown>;
  if (typeof data !== 'object' || data === null) return null;
  const { epoch, intent_id, sequence } = data as Record<string, unknown>;
  const texts = [id, type, timestamp, intent_id, epoch];
  if (!texts.every((text) => typeof text === 'string') || !Number.isInteger(sequence)) return null;
  return { id, type, timestamp, data } as ShopEvent;
}

/** @throws TypeError when it is a text, such as "true" of the environment, which equals no mode */
export function checkMode(livemode: unknown): void {
  if (livemode !== undefined && typeof livemode !== 'boolean')
    throw new TypeError('pay-checkout: livemode must be true or false');
}
