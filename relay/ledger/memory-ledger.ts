/** `ledger: "memory:"`, for a browser tab and the sandbox only: nothing survives the process. */
import type { Ledger } from './ledger.js';
import type { DepositAddressRow, IntentRow, OrderRow, ShopEventRow } from './rows.js';

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
  const addresses = new Map<string, DepositAddressRow>();
  const settings = new Map<string, string>();
  const askedAt = new Map<string, number>();
  const seen = new Map<string, number>();
  let events: ShopEventRow[] = [];
  const written: string[] = [];
  let counted = 0;
  const addressKey = (customerRefId: string, currency: string): string =>
    JSON.stringify([customerRefId, currency]);

  return {
    openIntent: async (intent) => keep(intents, intent.intent_id, intent),
    intent: async (intentId) => intents.get(intentId) ?? null,
    claimOrder: async (order, after) => {
      const intent = stored(intents.get(order.intent_id), 'intent');
      const current = intent.current_request_id;
      if (current !== after || intent.paid_request_id !== null)
        return { claimed: false, order: stored(orders.get(current ?? ''), 'current order') };
      intents.set(intent.intent_id, { ...intent, current_request_id: order.request_id });
      orders.set(order.request_id, order);
      written.push(order.request_id);
      return { claimed: true, order };
    },
    order: async (requestId) => orders.get(requestId) ?? null,
    ordersOf: async (intentId) => {
      const found: OrderRow[] = [];
      // the first request_id is the intent's id, then <id>.2 and so on (design §4)
      for (
        let order = orders.get(intentId);
        order;
        order = orders.get(`${intentId}.${found.length + 1}`)
      )
        found.push(order);
      return found;
    },
    replaceOrder: async (order, eventsFor = () => []) => {
      if (orders.get(order.request_id)?.version !== order.version - 1) return false;
      orders.set(order.request_id, order);
      written.push(order.request_id);
      const intent = stored(intents.get(order.intent_id), 'intent');
      const paid_request_id =
        intent.paid_request_id ?? (order.outcome === 'succeeded' ? order.request_id : null);
      intents.set(intent.intent_id, { ...intent, paid_request_id });
      for (const event of eventsFor(paid_request_id))
        events.push({
          ...event,
          seq: ++counted,
          tries: 0,
          next_try_at: event.created_at,
          delivered_at: null,
        });
      return true;
    },
    takeEvents: async (now, until, limit) => {
      const first = (event: ShopEventRow): boolean =>
        !events.some(
          (other) =>
            other.intent_id === event.intent_id &&
            other.seq < event.seq &&
            other.next_try_at !== null,
        );
      const taken = events
        .filter((event) => event.next_try_at !== null && event.next_try_at <= now && first(event))
        .slice(0, limit);
      events = events.map((event) =>
        taken.includes(event) ? { ...event, next_try_at: until } : event,
      );
      return events.filter(({ event_id }) => taken.some((event) => event.event_id === event_id));
    },
    noteTry: async (eventId, outcome) => {
      const noted =
        'deliveredAt' in outcome
          ? { next_try_at: null, delivered_at: outcome.deliveredAt }
          : { next_try_at: outcome.nextTryAt };
      const failed = 'deliveredAt' in outcome ? 0 : 1;
      events = events.map((event) =>
        event.event_id === eventId ? { ...event, ...noted, tries: event.tries + failed } : event,
      );
    },
    outbox: async () => {
      const waiting = events.filter(({ next_try_at }) => next_try_at !== null);
      return { waiting: waiting.length, oldest: waiting[0]?.created_at ?? null };
    },
    takeDue: async (now, until, limit) => {
      const due = [...orders.values()]
        .filter((order) => order.next_check_at !== null && order.next_check_at <= now)
        .sort((a, b) => (a.next_check_at ?? 0) - (b.next_check_at ?? 0))
        .slice(0, limit);
      for (const order of due) orders.set(order.request_id, { ...order, next_check_at: until });
      return due;
    },
    takeTurn: async (requestId, now, closest) => {
      if (now - (askedAt.get(requestId) ?? -Infinity) < closest) return false;
      askedAt.set(requestId, now);
      return true;
    },
    changes: async (cursor) => ({
      cursor: String(written.length),
      requestIds: cursor === null ? [] : [...new Set(written.slice(Number(cursor)))],
    }),
    beat: async (instance, now, since) => {
      seen.set(instance, now);
      return [...seen.values()].filter((at) => at > since).length;
    },
    purge: async (before, limit) => {
      const old = [...intents.values()]
        .filter(({ created_at }) => created_at < before)
        .slice(0, limit);
      for (const { intent_id } of old) {
        intents.delete(intent_id);
        for (const order of orders.values())
          if (order.intent_id === intent_id) orders.delete(order.request_id);
        events = events.filter((event) => event.intent_id !== intent_id);
      }
      return old.length;
    },
    depositAddress: async (customerRefId, currency) =>
      addresses.get(addressKey(customerRefId, currency)) ?? null,
    keepDepositAddress: async (row) =>
      keep(addresses, addressKey(row.customer_ref_id, row.currency), row),
    keepSetting: async (name, value) => keep(settings, name, value),
    close: async () => {},
  };
}
