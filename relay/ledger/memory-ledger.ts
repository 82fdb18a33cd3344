/** The `memory:` ledger, for a browser tab only: it is lost when the process ends. */
import type { Ledger } from './ledger.js';
import type {
  DepositAddressRow,
  IntentRow,
  OrderRow,
  ResolutionRow,
  ShopEventRow,
} from './rows.js';

const stored = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`the ledger has no ${what}`);
  return value;
};

const keep = <T>(rows: Map<string, T>, key: string, row: T): T => {
  if (!rows.has(key)) rows.set(key, row);
  return stored(rows.get(key), key);
};

export function memoryLedger(): Ledger {
  const intents = new Map<string, IntentRow>();
  const orders = new Map<string, OrderRow>();
  const ordersByIntent = new Map<string, string[]>();
  const attempts = new Map<string, string>();
  const addresses = new Map<string, DepositAddressRow>();
  const settings = new Map<string, string>([['epoch', crypto.randomUUID()]]);
  const resolutions = new Map<string, ResolutionRow>();
  const askedAt = new Map<string, number>();
  const beats = new Map<string, number>();
  let events: ShopEventRow[] = [];
  const written: string[] = [];
  let counted = 0;
  const addressKey = (...parts: string[]): string => JSON.stringify(parts);

  const write = (order: OrderRow): void => {
    orders.set(order.request_id, order);
    written.push(order.request_id);
  };
  const scheduled = (): OrderRow[] =>
    [...orders.values()]
      .filter(({ next_check_at }) => next_check_at !== null)
      .sort((a, b) => (a.next_check_at ?? 0) - (b.next_check_at ?? 0));
  const deleteIntent = (intentId: string): void => {
    intents.delete(intentId);
    for (const requestId of ordersByIntent.get(intentId) ?? []) orders.delete(requestId);
    ordersByIntent.delete(intentId);
    for (const [attempt, id] of attempts) if (id === intentId) attempts.delete(attempt);
    events = events.filter((event) => event.intent_id !== intentId);
  };
  const ordersOf = (intentId: string): OrderRow[] =>
    (ordersByIntent.get(intentId) ?? []).map((id) => stored(orders.get(id), id));

  return {
    claimOrder: async ({ intent: opened, order, after, attempt }) => {
      const intent = keep(intents, opened.intent_id, opened);
      const { content, current_request_id, paid_request_id } = intent;
      if (attempt !== undefined) keep(attempts, attempt, intent.intent_id);
      if (content !== opened.content || current_request_id !== after || paid_request_id !== null)
        return { claimed: false, intent, order: orders.get(current_request_id ?? '') ?? null };
      const claimed = { ...intent, current_request_id: order.request_id };
      intents.set(intent.intent_id, claimed);
      ordersByIntent.set(intent.intent_id, [
        ...(ordersByIntent.get(intent.intent_id) ?? []),
        order.request_id,
      ]);
      write(order);
      return { claimed: true, intent: claimed, order };
    },
    intent: async (intentId) => intents.get(intentId) ?? null,
    intentOf: async (attempt) => attempts.get(attempt) ?? null,
    order: async (requestId) => orders.get(requestId) ?? null,
    ordersOf: async (intentId) => ordersOf(intentId),
    replaceOrder: async (order, eventsFor = () => [], resolution) => {
      if (orders.get(order.request_id)?.version !== order.version - 1) return false;
      write(order);
      if (resolution) resolutions.set(order.request_id, resolution);
      const before = stored(intents.get(order.intent_id), 'intent');
      const paid = order.outcome === 'succeeded' ? order.request_id : null;
      const intent = { ...before, paid_request_id: before.paid_request_id ?? paid };
      const place = {
        sequence: intent.event_count + 1,
        epoch: stored(settings.get('epoch'), 'epoch'),
      };
      const added = eventsFor(intent, place);
      for (const event of added)
        events.push({
          ...event,
          seq: ++counted,
          tries: 0,
          next_try_at: event.created_at,
          delivered_at: null,
        });
      intents.set(intent.intent_id, {
        ...intent,
        event_count: intent.event_count + added.length,
      });
      return true;
    },
    reclaimOrder: async (order) => {
      const { current_request_id, paid_request_id } = stored(
        intents.get(order.intent_id),
        'intent',
      );
      if (paid_request_id !== null || current_request_id !== order.request_id) return false;
      if (orders.get(order.request_id)?.version !== order.version - 1) return false;
      write(order);
      return true;
    },
    leaseDueEvents: async (now, until, limit) => {
      const due = events
        .filter(({ next_try_at }) => next_try_at !== null && next_try_at <= now)
        .sort((a, b) => (a.next_try_at ?? 0) - (b.next_try_at ?? 0))
        .slice(0, limit);
      const taken = new Set(due.map(({ event_id }) => event_id));
      events = events.map((event) =>
        taken.has(event.event_id) ? { ...event, next_try_at: until } : event,
      );
      return events.filter(({ event_id }) => taken.has(event_id));
    },
    recordDelivery: async (eventId, outcome) => {
      const delivered = 'deliveredAt' in outcome;
      const noted = delivered
        ? { next_try_at: null, delivered_at: outcome.deliveredAt }
        : { next_try_at: outcome.nextTryAt };
      events = events.map((event) =>
        event.event_id === eventId
          ? { ...event, ...noted, tries: event.tries + Number(!delivered) }
          : event,
      );
    },
    outbox: async () => {
      const waiting = events.filter(({ next_try_at }) => next_try_at !== null);
      return { waiting: waiting.length, oldest: waiting[0]?.created_at ?? null };
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
      const at = askedAt.get(requestId);
      if (!order || (at !== undefined && at <= now && now - at < minGapMs)) return undefined;
      askedAt.set(requestId, now);
      return order.checked_at;
    },
    changes: async (cursor) => {
      const ids = cursor === null ? [] : new Set(written.slice(Number(cursor)));
      return {
        cursor: String(written.length),
        changed: [...ids].flatMap((id) => {
          const order = orders.get(id);
          return order ? [{ request_id: id, intent_id: order.intent_id }] : [];
        }),
      };
    },
    heartbeat: async (instance) => {
      beats.set(instance, (beats.get(instance) ?? 0) + 1);
      return new Map(beats);
    },
    forgetInstance: async (instance, beat) => {
      if (beats.get(instance) === beat) beats.delete(instance);
    },
    repairSchedules: async (now, claimMs) => {
      for (const order of scheduled()) {
        const at = order.next_check_at ?? 0;
        const known = askedAt.get(order.request_id) ?? order.created_at;
        if (order.sending === 'claimed' && at > now + claimMs)
          orders.set(order.request_id, { ...order, next_check_at: now + claimMs });
        else if (order.sending !== 'claimed' && at > now && known > now)
          orders.set(order.request_id, { ...order, next_check_at: now });
      }
      events = events.map((event) =>
        event.created_at > now && (event.next_try_at ?? 0) > now
          ? { ...event, next_try_at: now }
          : event,
      );
      return null;
    },
    purge: async (before, limit) => {
      const old = [...intents.values()].filter(({ created_at }) => created_at < before);
      for (const { intent_id } of old.slice(0, limit)) deleteIntent(intent_id);
      return Math.min(old.length, limit);
    },
    purgeUnsent: async (before, limit) => {
      const old = [...intents.values()].filter(
        ({ created_at, intent_id }) =>
          created_at < before && ordersOf(intent_id).every(({ sending }) => sending === 'unsent'),
      );
      for (const { intent_id } of old.slice(0, limit)) deleteIntent(intent_id);
      return Math.min(old.length, limit);
    },
    depositAddress: async (customerRefId, currency, network) =>
      addresses.get(addressKey(customerRefId, currency, network)) ?? null,
    keepDepositAddress: async (row) =>
      keep(addresses, addressKey(row.customer_ref_id, row.currency, row.network), row),
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
