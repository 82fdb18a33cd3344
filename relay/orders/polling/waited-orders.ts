/**
 * What this relay remembers of the orders that pages wait for: what a page was shown, and when the
 * order is due. While nothing changes, a page that asks again is answered without the ledger.
 *
 * Thousands of pages may wait, so whole rows would need much memory.
 */
import { orderInIntent, type Intent, type OrderInIntent } from '../../ledger/intent.js';
import type { OrderRow } from '../../ledger/rows.js';
import type { Context } from '../context.js';
import { readOrder, type Change, type OrderStore } from '../order-store.js';
import { show, type ShownOrder } from '../projection.js';
import type { DueOrder } from './query-order.js';

type Due = DueOrder &
  Pick<OrderRow, 'expires_at' | 'has_expired' | 'next_check_at'> & {
    readonly intentVersion: number;
  };

export type WaitedOrder = { -readonly [K in keyof Due]: Due[K] } & {
  /** As a page sees it. */
  shown: ShownOrder;
  /** Whether the order must be read, because a change may concern the page. */
  isStale: boolean;
  /** Wakes each page that waits for the order. */
  readonly wakers: Set<() => void>;
};

export type WaitedOrders = {
  /** Returns null when the order must be read. */
  get(requestId: string): WaitedOrder | null;
  /** @param isStale the order may have changed since it was read */
  keep(found: OrderInIntent, isStale: boolean): WaitedOrder;
  /** Reads the order for all its pages. When that fails, another page reads it. */
  read(waited: WaitedOrder): Promise<void>;
  enter(waited: WaitedOrder, wake: () => void): void;
  leave(waited: WaitedOrder, wake: () => void): void;
  /** Forgets the orders that no page has waited for within a minute. */
  forgetOld(): void;
};

/** A page asks again within seconds; one that does not has left. */
const KEPT_MS = 60_000;

export function createWaitedOrders(
  { clock, config, ledger }: Pick<Context, 'clock' | 'config' | 'ledger'>,
  store: Pick<OrderStore, 'isUpToDate' | 'onChange'>,
): WaitedOrders {
  const orders = new Map<string, { waited: WaitedOrder; stop: () => void }>();
  /** When an order without waiting pages was last used, the longest ago first. */
  const left = new Map<string, number>();

  /** Deleted first: a map keeps the order of insertion. */
  const rest = (requestId: string): void => {
    left.delete(requestId);
    left.set(requestId, clock.elapsed());
  };

  const subscribe = (waited: WaitedOrder): (() => void) =>
    store.onChange(waited.intent_id, (change) => {
      if (noteChange(waited, change)) wakeAll(waited);
    });

  const replace = (waited: WaitedOrder, found: OrderInIntent): void =>
    void Object.assign(waited, dueOf(found), { shown: show(config, found) });

  const isOlder = ({ intentVersion }: WaitedOrder, { version = 0 }: Intent): boolean =>
    version < intentVersion;

  /**
   * Takes over what one page has read, and wakes the others, which slept on with what was known.
   *
   * @param isOvertaken a change came during the read. Otherwise what the ledger has counts even
   *   when it is older, because a ledger that has lost writes counts from lower.
   */
  const renew = (waited: WaitedOrder, found: OrderInIntent, isOvertaken: boolean): void => {
    if (isOvertaken && isOlder(waited, found.intent)) return;
    const { next_check_at, shown } = waited;
    replace(waited, found);
    // pages that wake for nothing would read a due order in turns, without a pause
    const isNews = waited.shown.version !== shown.version;
    if (isNews || waited.next_check_at !== next_check_at) wakeAll(waited);
  };

  /** @returns whether to wake the pages, so that they read the order or follow a new schedule */
  const noteChange = (waited: WaitedOrder, change: Change): boolean => {
    switch (change.type) {
      case 'scheduled':
        if (change.request_id !== waited.request_id) return false;
        waited.next_check_at = change.next_check_at;
        return true;
      case 'written': {
        const found = orderInIntent(change.intent, waited.request_id);
        if (!found) return false;
        // told after a later write, or the ledger has lost writes: only a read can say which
        if (isOlder(waited, found.intent)) waited.isStale = true;
        else replace(waited, found);
        return true;
      }
      default:
        waited.isStale ||= mustRead(waited, change);
        return waited.isStale;
    }
  };

  return {
    get: (requestId) => {
      const { waited } = orders.get(requestId) ?? {};
      if (!waited || waited.isStale || !store.isUpToDate()) return null;
      if (waited.wakers.size === 0) rest(requestId);
      return waited;
    },
    keep: (found, isStale) => {
      const { request_id } = found.order;
      const known = orders.get(request_id)?.waited;
      if (known) {
        renew(known, found, isStale);
        known.isStale = isStale;
        return known;
      }
      const shown = show(config, found);
      const waited = { ...dueOf(found), shown, isStale, wakers: new Set<() => void>() };
      orders.set(request_id, { waited, stop: subscribe(waited) });
      rest(request_id);
      return waited;
    },
    read: async (waited) => {
      // before the read: a change that comes while it lasts makes the order stale again
      waited.isStale = false;
      const { shown } = waited;
      try {
        const found = await readOrder(ledger, waited.request_id);
        renew(waited, found, waited.shown !== shown);
      } catch (error) {
        waited.isStale = true;
        wakeAll(waited);
        throw error;
      }
    },
    enter: (waited, wake) => {
      left.delete(waited.request_id);
      waited.wakers.add(wake);
    },
    leave: (waited, wake) => {
      waited.wakers.delete(wake);
      if (waited.wakers.size === 0) rest(waited.request_id);
    },
    forgetOld: () => {
      const until = clock.elapsed() - KEPT_MS;
      for (const [requestId, at] of left) {
        if (at > until) break;
        orders.get(requestId)?.stop();
        orders.delete(requestId);
        left.delete(requestId);
      }
    },
  };
}

function wakeAll({ wakers }: WaitedOrder): void {
  for (const wake of wakers) wake();
}

const dueOf = ({ intent, order }: OrderInIntent): Due => {
  const { aged_from, created_at, expires_at, has_expired, intent_id } = order;
  const { next_check_at, request_id, sending, version } = order;
  return {
    aged_from,
    created_at,
    expires_at,
    has_expired,
    intent_id,
    intentVersion: intent.version ?? 0,
    next_check_at,
    request_id,
    sending,
    version,
  };
};

const mustRead = (
  { intentVersion, shown }: WaitedOrder,
  change: Extract<Change, { type: 'closed' | 'seen' }>,
): boolean => (change.type === 'closed' ? !shown.closed : change.version !== intentVersion);
