/** `ledger: "memory:"`, for a browser tab and the sandbox only: nothing survives the process. */
import type { Ledger } from './ledger.js';
import type { DepositAddressRow, IntentRow, OrderRow } from './rows.js';

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
  const addressKey = (customerRefId: string, currency: string): string => JSON.stringify([customerRefId, currency]);

  return {
    openIntent: async (intent) => keep(intents, intent.intent_id, intent),
    intent: async (intentId) => intents.get(intentId) ?? null,
    claimOrder: async (order, after) => {
      const intent = stored(intents.get(order.intent_id), 'intent');
      const current = intent.current_request_id;
      if (current !== after) return { claimed: false, order: stored(orders.get(current ?? ''), 'current order') };
      intents.set(intent.intent_id, { ...intent, current_request_id: order.request_id });
      orders.set(order.request_id, order);
      return { claimed: true, order };
    },
    order: async (requestId) => orders.get(requestId) ?? null,
    ordersOf: async (intentId) => [...orders.values()].filter((order) => order.intent_id === intentId),
    replaceOrder: async (order) => {
      if (orders.get(order.request_id)?.version !== order.version - 1) return false;
      orders.set(order.request_id, order);
      return true;
    },
    due: async (now, limit) =>
      [...orders.values()]
        .filter((order) => order.next_check_at !== null && order.next_check_at <= now)
        .sort((a, b) => (a.next_check_at ?? 0) - (b.next_check_at ?? 0))
        .slice(0, limit),
    depositAddress: async (customerRefId, currency) => addresses.get(addressKey(customerRefId, currency)) ?? null,
    keepDepositAddress: async (row) => keep(addresses, addressKey(row.customer_ref_id, row.currency), row),
    keepSetting: async (name, value) => keep(settings, name, value),
    close: async () => {},
  };
}
