/** The events of the ledger in memory. */
import { type Asked, askedAt, type Listed, type Position } from './shop-ledger.js';
import type { Ledger } from './ledger.js';
import type { NewShopEvent, ShopEventRow } from './rows.js';

/** Finds where a list continues; positions are numbers of writes. */
const startOf = (
  after: Position | null,
  last: number,
): Pick<Listed<unknown>, 'isReset'> & { number: number } => {
  const isReset = after !== null && after.number > last;
  return { number: after === null || isReset ? -1 : after.number, isReset };
};

const NEW_EVENT = {
  tries: 0,
  delivered_at: null,
  first_delivered_at: null,
  last_failure: null,
  answers: '[]',
  resent_at: null,
  resent_by: null,
  erased_at: null,
} as const;

type MemoryEvents = Pick<
  Ledger,
  'leaseDueEvents' | 'recordDelivery' | 'outbox' | 'listEvents' | 'resendEvent' | 'resendEvents'
> & {
  add(events: readonly NewShopEvent[]): void;
  all(): readonly ShopEventRow[];
  replace(event: ShopEventRow): void;
  lastNumber(): number;
  deleteOf(intentId: string): void;
  /** Shortens waits that became too long because the clock stepped back. */
  repair(now: number, retryMs: readonly number[]): void;
};

export function createMemoryEvents(): MemoryEvents {
  let events: ShopEventRow[] = [];
  let lastSeq = 0;
  const isRepeated = ({ created_at, next_try_at }: ShopEventRow): boolean =>
    (next_try_at ?? 0) > created_at;
  const makeDue = (
    matches: (event: ShopEventRow) => boolean,
    now: number,
    { at, by = null, leaseEnd }: Asked = askedAt(now),
  ): number => {
    const isExpected = (event: ShopEventRow): boolean => {
      const { delivered_at, next_try_at, tries } = event;
      if (event.erased_at !== null) return true;
      if (delivered_at !== null && delivered_at > at && delivered_at <= now) return true;
      if (tries > 0 || next_try_at === null) return false;
      const isLeased = leaseEnd !== null && next_try_at > leaseEnd;
      return isLeased || (next_try_at <= now && !isRepeated(event));
    };
    const matched = events.filter(matches);
    const made = new Set(matched.filter((event) => !isExpected(event)));
    events = events.map((event) =>
      made.has(event)
        ? { ...event, next_try_at: now, tries: 0, resent_at: now, resent_by: by }
        : event,
    );
    return matched.filter(({ erased_at }) => erased_at === null).length;
  };

  return {
    add: (added) => {
      for (const event of added) events.push({ ...event, seq: ++lastSeq, ...NEW_EVENT });
    },
    all: () => [...events],
    replace: (changed) => {
      events = events.map((event) => (event.event_id === changed.event_id ? changed : event));
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
        .sort((a, b) => Number(isRepeated(a)) - Number(isRepeated(b)))
        .slice(0, limit);
      const taken = new Set(due.map(({ event_id }) => event_id));
      events = events.map((event) =>
        taken.has(event.event_id) ? { ...event, next_try_at: until } : event,
      );
      return events.filter(({ event_id }) => taken.has(event_id));
    },
    recordDelivery: async (leased, outcome, answers) => {
      const after = (event: ShopEventRow): ShopEventRow => {
        const isLeased = event.next_try_at === leased.next_try_at;
        if ('deliveredAt' in outcome) {
          const delivered = {
            ...event,
            answers: answers ?? event.answers,
            delivered_at: outcome.deliveredAt,
            first_delivered_at: event.first_delivered_at ?? outcome.deliveredAt,
          };
          return isLeased ? { ...delivered, next_try_at: null } : delivered;
        }
        if (!isLeased) return event;
        const { failure: last_failure, nextTryAt: next_try_at } = outcome;
        const told = { last_failure, answers: answers ?? event.answers };
        return { ...event, ...told, next_try_at, tries: leased.tries + 1 };
      };
      events = events.map((event) => (event.event_id === leased.event_id ? after(event) : event));
    },
    outbox: async () => {
      const waiting = events.filter(
        ({ delivered_at, next_try_at }) => next_try_at !== null && delivered_at === null,
      );
      const times = waiting.map(({ created_at }) => created_at).sort((a, b) => a - b);
      const stopped = events.filter(
        ({ delivered_at, erased_at, next_try_at, tries }) =>
          next_try_at === null && delivered_at === null && tries > 0 && erased_at === null,
      );
      return { waiting: waiting.length, oldest: times[0] ?? null, stopped: stopped.length };
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
    resendEvent: async (eventId, now, asked) => {
      makeDue(({ event_id }) => event_id === eventId, now, asked);
      return events.find(({ event_id }) => event_id === eventId) ?? null;
    },
    resendEvents: async (since, now, _after, _limit, asked) => ({
      resent: makeDue(({ created_at }) => created_at >= since, now, asked),
      last: null,
    }),
  };
}
