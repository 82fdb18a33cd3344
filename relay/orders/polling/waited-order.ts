/**
 * What a long poll keeps of its order between two reads. Thousands of pages may wait: whole rows
 * would need much memory, and a read for each change of each order would need much time.
 */
import type { OrderInIntent } from '../../ledger/intent.js';
import type { OrderRow } from '../../ledger/rows.js';
import type { Change } from '../order-store.js';
import { isReplaced } from '../../ledger/shown-order.js';
import type { DueOrder } from './query-order.js';

type Waited = DueOrder & Pick<OrderRow, 'intent_id' | 'next_check_at' | 'outcome'>;

export type WaitedOrder = { -readonly [K in keyof Waited]: Waited[K] } & {
  /** The status that the page shows. */
  readonly knownStatus: number | null;
  /** Whether the intent was closed when the page asked. */
  readonly wasClosed: boolean;
  /** Whether another order had replaced this one when the page asked. */
  readonly wasReplaced: boolean;
  /** Whether the order must be read, because a change may concern the page. */
  isStale: boolean;
};

export function waitedOrder(
  { intent, order }: OrderInIntent,
  knownStatus: number | null,
): WaitedOrder {
  const { aged_from, created_at, intent_id, next_check_at } = order;
  const { outcome, request_id, sending, version } = order;
  return {
    aged_from,
    created_at,
    intent_id,
    next_check_at,
    outcome,
    request_id,
    sending,
    version,
    knownStatus,
    wasClosed: intent.closed_at !== null,
    wasReplaced: isReplaced(order, intent.orders),
    isStale: false,
  };
}

/** Whether the order, as it was read, differs from what the page knows. */
export function isNews(waited: WaitedOrder, { intent, order }: OrderInIntent): boolean {
  const { closed_at, orders, paid_request_id: paid } = intent;
  const isPaidByAnother = paid !== null && paid !== waited.request_id;
  const wasClosedSince = (closed_at !== null) !== waited.wasClosed;
  const wasReplacedSince = isReplaced(order, orders) !== waited.wasReplaced;
  return isPaidByAnother || wasClosedSince || wasReplacedSince || hasMoved(waited, order);
}

const hasMoved = (waited: WaitedOrder, order: OrderRow): boolean =>
  order.status !== waited.knownStatus ||
  order.outcome !== waited.outcome ||
  order.sending === 'unsent';

/** Updates the long poll's copy from a row that is no news, unless the copy is newer. */
export function refresh(waited: WaitedOrder, { next_check_at, sending, version }: OrderRow): void {
  if (version < waited.version) return;
  waited.next_check_at = next_check_at;
  waited.sending = sending;
  waited.version = version;
}

/**
 * Notes a change of the intent's orders.
 *
 * @returns whether to wake the long poll, so that it reads the order or follows a new schedule
 */
export function noteChange(waited: WaitedOrder, change: Change): boolean {
  if (mustRead(waited, change)) {
    waited.isStale = true;
    return true;
  }
  if (change.type !== 'written' || change.order.version <= waited.version) return false;
  refresh(waited, change.order);
  return true;
}

function mustRead(waited: WaitedOrder, change: Change): boolean {
  switch (change.type) {
    case 'closed':
      return !waited.wasClosed;
    case 'seen': {
      const wasClosedSince = (change.closed_at !== null) !== waited.wasClosed;
      const isNewer = change.version > waited.version;
      return change.request_id !== waited.request_id || isNewer || wasClosedSince;
    }
    case 'written':
      return change.order.request_id !== waited.request_id || hasMoved(waited, change.order);
  }
}
