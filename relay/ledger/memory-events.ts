/** The events of the ledger in memory. */
import type { Ledger } from './ledger.js';
import { startOf } from './memory-lists.js';
import type { NewShopEvent, ShopEventRow } from './rows.js';

type MemoryEvents = Pick<
  Ledger,
  'leaseDueEvents' | 'recordDelivery' | 'outbox' | 'listEvents' | 'resendEvent' | 'resendEvents'
> & {
  add(events: readonly NewShopEvent[]): void;
  lastNumber(): number;
  deleteOf(intentId: string): void;
  /** Shortens waits that became too long because the clock stepped back. */
  repair(now: number, retryMs: readonly number[]): void;
};

export function createMemoryEvents(): MemoryEvents {
  let events: ShopEventRow[] = [];
  let lastSeq = 0;
  const makeDue = (matches: (event: ShopEventRow) => boolean, now: number): number => {
    const count = events.filter(matches).length;
    events = events.map((event) =>
      matches(event) ? { ...event, next_try_at: now, tries: 0 } : event,
    );
    return count;
  };

  return {
    add: (added) => {
      for (const event of added)
        events.push({ ...event, seq: ++lastSeq, tries: 0, delivered_at: null });
    },
    lastNumber: () => lastSeq,
    deleteOf: (intentId) => {
      events = events.filter(({ intent_id }) => intent_id !== intentId);
    },
    repair: (now, retryMs) => {
      events = events.map((event) => {
        const longest = event.created_at > now ? 0 : (retryMs[event.tries] ?? Infinity);
        const { next_try_at } = event;
        if (next_try_at === null) return event;
        return { ...event, next_try_at: Math.min(next_try_at, now + longest) };
      });
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
    recordDelivery: async (leased, outcome) => {
      const after = (event: ShopEventRow): ShopEventRow => {
        const isLeased = event.next_try_at === leased.next_try_at;
        if ('deliveredAt' in outcome) {
          const delivered = { ...event, delivered_at: outcome.deliveredAt };
          return isLeased ? { ...delivered, next_try_at: null } : delivered;
        }
        const failed = { ...event, next_try_at: outcome.nextTryAt, tries: leased.tries + 1 };
        return isLeased ? failed : event;
      };
      events = events.map((event) => (event.event_id === leased.event_id ? after(event) : event));
    },
    outbox: async () => {
      const waiting = events.filter(({ next_try_at }) => next_try_at !== null);
      const times = waiting.map(({ created_at }) => created_at).sort((a, b) => a - b);
      return { waiting: waiting.length, oldest: times[0] ?? null };
    },
    listEvents: async (after, limit, { intentId } = {}) => {
      const { isReset, number } = startOf(after, lastSeq);
      const rest = events.filter(
        ({ intent_id, seq }) => seq > number && (intentId ?? intent_id) === intent_id,
      );
      const rows = rest.slice(0, limit);
      const last = { number: rows.at(-1)?.seq ?? number, id: '' };
      return { rows, last, more: rest.length > limit, isReset };
    },
    resendEvent: async (eventId, now) => makeDue(({ event_id }) => event_id === eventId, now) > 0,
    resendEvents: async (since, now) => ({
      resent: makeDue(({ created_at }) => created_at >= since, now),
      last: null,
    }),
  };
}
