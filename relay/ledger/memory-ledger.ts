/** The `memory:` ledger, for a browser tab only: it is lost when the process ends. */
import type { Ledger } from './ledger.js';
import { createMemoryChanges } from './memory-changes.js';
import { createMemoryEvents } from './memory-events.js';
import { createMemoryPayLinks } from './memory-pay-links.js';
import { keep, stored } from './memory-rows.js';
import { holdsUse } from './open-orders.js';
import {
  openOutcomes,
  type DepositAddressRow,
  type EventPosition,
  type IntentRow,
  type NewShopEvent,
  type OrderRow,
} from './rows.js';

const isUnpaidDue = ({ unpaid_due_at }: IntentRow, now: number): boolean =>
  unpaid_due_at !== null && unpaid_due_at <= now;

export function memoryLedger(): Ledger {
  const intents = new Map<string, IntentRow>();
  const orders = new Map<string, OrderRow>();
  const ordersByIntent = new Map<string, string[]>();
  const addresses = new Map<string, DepositAddressRow>();
  const settings = new Map<string, string>([['epoch', crypto.randomUUID()]]);
  const askedAt = new Map<string, number>();
  const beats = new Map<string, number>();
  const events = createMemoryEvents();
  const changes = createMemoryChanges(orders, intents);

  const write = (order: OrderRow): void => {
    orders.set(order.request_id, order);
    changes.add(order);
  };
  const insert = (order: OrderRow): void => {
    const before = ordersByIntent.get(order.intent_id) ?? [];
    ordersByIntent.set(order.intent_id, [...before, order.request_id]);
    write(order);
  };
  const insertLost = (order: OrderRow): boolean => {
    const isLost = !orders.has(order.request_id);
    if (isLost) insert(order);
    return isLost;
  };
  const scheduled = (): OrderRow[] =>
    [...orders.values()]
      .filter(({ next_check_at }) => next_check_at !== null)
      .sort((a, b) => (a.next_check_at ?? 0) - (b.next_check_at ?? 0));
  const ordersOf = (intentId: string): OrderRow[] =>
    (ordersByIntent.get(intentId) ?? []).map((id) => stored(orders.get(id), id));
  const deleteIntent = (intentId: string): void => {
    intents.delete(intentId);
    for (const order of ordersOf(intentId)) {
      orders.delete(order.request_id);
      changes.deleteOf(order);
    }
    ordersByIntent.delete(intentId);
    events.deleteOf(intentId);
  };
  /** Whether the ledger has the version before this one. */
  const isNextVersion = ({ request_id, version }: OrderRow): boolean =>
    orders.get(request_id)?.version === version - 1;

  const positionOf = (intent: IntentRow): EventPosition => ({
    sequence: intent.event_count + 1,
    epoch: stored(settings.get('epoch'), 'epoch'),
  });
  /** Stores the intent, with its events. */
  const addEvents = (intent: IntentRow, added: readonly NewShopEvent[]): void => {
    events.add(added);
    const event_count = intent.event_count + added.length;
    intents.set(intent.intent_id, { ...intent, event_count });
  };
  const close = (intent: IntentRow): void => {
    intents.set(intent.intent_id, { ...intent, unpaid_due_at: null });
    ordersOf(intent.intent_id).forEach(changes.add);
  };

  const {
    add: _add,
    deleteOf: _deleteOf,
    lastNumber: _lastNumber,
    repair: _repair,
    ...ofEvents
  } = events;
  const { changes: changesSince, listOrders } = changes;
  const links = createMemoryPayLinks((id) => ordersOf(id).some(holdsUse));
  const { counting, mayClaim, ...ofPayLinks } = links;
  return {
    ...ofEvents,
    ...ofPayLinks,
    changes: changesSince,
    listOrders,
    reach: async (list) => {
      const last = (list === 'orders' ? changes : events).lastNumber();
      return { last, settled: last, is_standby: false };
    },
    heldBack: async () => null,
    openOrders: async () =>
      openOutcomes.flatMap((outcome) => {
        const open = [...orders.values()].filter((order) => order.outcome === outcome);
        const times = open.map(({ created_at }) => created_at).sort((a, b) => a - b);
        const oldest = times[0];
        return oldest === undefined ? [] : { outcome, count: times.length, oldest };
      }),
    claimOrder: async ({ intent: opened, order, after, payLink }) => {
      if (payLink && !mayClaim(payLink, opened.intent_id))
        return { claimed: false, intent: opened, order: null, refused: 'link_closed' };
      const intent = keep(intents, opened.intent_id, opened);
      const { closed_at, content, current_request_id, paid_request_id } = intent;
      const isOpen = paid_request_id === null && closed_at === null;
      if (content !== opened.content || current_request_id !== after || !isOpen) {
        const isCurrent = (row: OrderRow): boolean => row.request_id === current_request_id;
        const current = ordersOf(intent.intent_id).find(isCurrent) ?? null;
        return { claimed: false, intent, order: current };
      }
      const claimed = { ...intent, current_request_id: order.request_id };
      intents.set(intent.intent_id, claimed);
      counting(intent.intent_id, () => insert(order));
      return { claimed: true, intent: claimed, order };
    },
    addLostOrder: async (order, closed) => {
      if (closed) keep(intents, closed.intent_id, closed);
      return counting(order.intent_id, () => insertLost(order));
    },
    intent: async (intentId) => intents.get(intentId) ?? null,
    order: async (requestId) => orders.get(requestId) ?? null,
    orderInIntent: async (requestId) => {
      const order = orders.get(requestId);
      if (!order) return null;
      const { closed_at, paid_request_id } = stored(intents.get(order.intent_id), 'intent');
      const others = ordersOf(order.intent_id).filter((each) => each !== order);
      return { order, others, closed_at, paid_request_id };
    },
    ordersOf: async (intentId) => ordersOf(intentId),
    // nobody can read who resolved an order of this ledger, so it keeps no resolution
    replaceOrder: async (order, eventsFor = () => []) => {
      if (!isNextVersion(order)) return false;
      counting(order.intent_id, () => write(order));
      const before = stored(intents.get(order.intent_id), 'intent');
      const paid = order.outcome === 'succeeded' ? order.request_id : null;
      const intent = { ...before, paid_request_id: before.paid_request_id ?? paid };
      const position = positionOf(intent);
      addEvents(intent, eventsFor(intent, position));
      return true;
    },
    reclaimOrder: async (order, payLink) => {
      if (!isNextVersion(order)) return false;
      const { closed_at, current_request_id, paid_request_id } = stored(
        intents.get(order.intent_id),
        'intent',
      );
      if (paid_request_id !== null || closed_at !== null) return false;
      if (current_request_id !== order.request_id) return false;
      if (payLink && !mayClaim(payLink, order.intent_id)) return 'link_closed';
      counting(order.intent_id, () => write(order));
      return true;
    },
    closeIntent: async (newRow, { at, reason }) => {
      const known = intents.get(newRow.intent_id) ?? newRow;
      if (known.paid_request_id === null && known.closed_at === null)
        close({ ...known, closed_at: at, close_reason: reason });
      return intents.get(newRow.intent_id) ?? known;
    },
    dueUnpaid: async (now, limit) =>
      [...intents.values()].filter((intent) => isUnpaidDue(intent, now)).slice(0, limit),
    settleUnpaid: async (intentId, now, decide) => {
      const intent = intents.get(intentId);
      if (!intent || !isUnpaidDue(intent, now)) return;
      const decision = decide(intent, ordersOf(intentId), positionOf(intent));
      const isPostponed = typeof decision === 'object' && 'postponeTo' in decision;
      const unpaid_due_at = isPostponed ? decision.postponeTo : null;
      addEvents({ ...intent, unpaid_due_at }, Array.isArray(decision) ? decision : []);
    },
    leaseDueOrders: async (now, until, limit) => {
      const due = scheduled()
        .filter(({ next_check_at }) => (next_check_at ?? 0) <= now)
        .slice(0, limit);
      for (const order of due) orders.set(order.request_id, { ...order, next_check_at: until });
      return due;
    },
    claimQuerySlot: async (requestId, now, minGapMs) => {
      const order = orders.get(requestId);
      const at = askedAt.get(requestId) ?? -Infinity;
      if (!order || (at <= now && now - at < minGapMs)) return null;
      askedAt.set(requestId, now);
      return order;
    },
    heartbeat: async (instance) => new Map(beats.set(instance, (beats.get(instance) ?? 0) + 1)),
    forgetInstance: async (instance, beat) => {
      if (beats.get(instance) === beat) beats.delete(instance);
    },
    repairSchedules: async (now, { checkMs, claimMs, retryMs }) => {
      for (const order of scheduled()) {
        const at = order.next_check_at ?? 0;
        const known = askedAt.get(order.request_id) ?? order.created_at;
        const isWrong = known > now || at > now + checkMs(order.created_at);
        const latest = isWrong ? now : at;
        const next_check_at = Math.min(at, order.sending === 'claimed' ? now + claimMs : latest);
        orders.set(order.request_id, { ...order, next_check_at });
      }
      events.repair(now, retryMs);
      return null;
    },
    purge: async (before, limit) => {
      const old = [...intents.values()].filter(({ created_at }) => created_at < before);
      for (const { intent_id } of old.slice(0, limit)) deleteIntent(intent_id);
      return Math.min(old.length, limit);
    },
    purgeUnsent: async (before, limit) => {
      const old = [...intents.values()].filter(
        ({ closed_at, created_at, intent_id }) =>
          created_at < before &&
          closed_at === null &&
          ordersOf(intent_id).every(({ sending }) => sending === 'unsent'),
      );
      for (const { intent_id } of old.slice(0, limit)) deleteIntent(intent_id);
      return Math.min(old.length, limit);
    },
    depositAddress: async (...key) => addresses.get(JSON.stringify(key)) ?? null,
    keepDepositAddress: async (row) =>
      keep(addresses, JSON.stringify([row.customer_ref_id, row.currency, row.network]), row),
    setting: async (name) => settings.get(name) ?? null,
    keepSetting: async (name, value) => keep(settings, name, value),
    writeSetting: async (name, value) => void settings.set(name, value),
    now: () => null,
    ping: async () => {},
    verify: async () => [],
    backup: async () => {
      throw new Error('a ledger in memory cannot be backed up');
    },
    close: async () => {},
  };
}
