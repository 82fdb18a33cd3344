/** The changes of orders in the ledger in memory: each has a number, and lists go by it. */
import type { Ledger, SeenChange } from './ledger.js';
import { startOf } from './memory-lists.js';
import { stored } from './memory-rows.js';
import type { IntentRow, OrderRow } from './rows.js';

type MemoryChanges = Pick<Ledger, 'changes' | 'listOrders'> & {
  lastNumber(): number;
  /** Counts a change of an order that the ledger has. */
  add(order: OrderRow): void;
  deleteOf(order: OrderRow): void;
};

export function createMemoryChanges(
  orders: ReadonlyMap<string, OrderRow>,
  intents: ReadonlyMap<string, IntentRow>,
): MemoryChanges {
  /** The number of each order's last change; the last entry is the order that changed last. */
  const changedIn = new Map<string, number>();
  let lastChange = 0;
  /** The orders that changed after this change. */
  const changedAfter = (change: number): { order: OrderRow; number: number }[] =>
    [...changedIn]
      .filter(([, number]) => number > change)
      .map(([id, number]) => ({ order: stored(orders.get(id), id), number }));
  const seen = ({ intent_id, request_id, version }: OrderRow): SeenChange => {
    const { closed_at } = stored(intents.get(intent_id), intent_id);
    return { intent_id, request_id, version, closed_at };
  };

  return {
    add: ({ request_id }) => {
      // a key that is set again keeps its place, so it is deleted first
      changedIn.delete(request_id);
      changedIn.set(request_id, ++lastChange);
    },
    lastNumber: () => lastChange,
    deleteOf: ({ request_id }) => void changedIn.delete(request_id),
    changes: async (cursor) => ({
      cursor: String(lastChange),
      changed: changedAfter(cursor === null ? lastChange : Number(cursor)).map(({ order }) =>
        seen(order),
      ),
    }),
    listOrders: async (after, limit) => {
      const { isReset, number } = startOf(after, lastChange);
      const rest = changedAfter(number);
      const listed = rest.slice(0, limit);
      return {
        rows: listed.map(({ order }) => order),
        last: { number: listed.at(-1)?.number ?? number, id: '' },
        more: rest.length > limit,
        isReset,
      };
    },
  };
}
