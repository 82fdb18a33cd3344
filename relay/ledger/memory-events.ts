/** The events of the ledger in memory. */
import type { Ledger } from './ledger.js';
import type { ShopEventRow } from './rows.js';
import { eventPosition, pageAfter, START, type Asked, type ListName } from './shop-ledger.js';

/** By their ids, the lowest number first. A row is replaced and never changed: callers keep it. */
export type MemoryEvents = Map<string, ShopEventRow>;

const isRepeated = ({ created_at, next_try_at }: ShopEventRow): boolean =>
  (next_try_at ?? 0) > created_at;

/** Whether no resend is needed, because the event is erased, fresh, or was leased or delivered. */
function isExpected(event: ShopEventRow, now: number, { at, leaseEnd }: Asked): boolean {
  const { delivered_at, erased_at, next_try_at, tries } = event;
  if (erased_at !== null) return true;
  if (delivered_at !== null && delivered_at > at && delivered_at <= now) return true;
  if (tries > 0 || next_try_at === null) return false;
  return next_try_at > leaseEnd || (next_try_at <= now && !isRepeated(event));
}

/** @param last the highest number that was given in each list */
export function memoryEvents(
  events: MemoryEvents,
  last: Readonly<Record<ListName, number>>,
): Pick<Ledger, 'leaseDueEvents' | 'recordDelivery' | 'outbox' | 'listEvents' | 'resend'> {
  const all = (): ShopEventRow[] => [...events.values()];
  const write = (event: ShopEventRow): void => void events.set(event.event_id, event);
  return {
    leaseDueEvents: async (now, until, limit) => {
      const leased = all()
        .filter(({ next_try_at }) => next_try_at !== null && next_try_at <= now)
        .sort((one, other) => (one.next_try_at ?? 0) - (other.next_try_at ?? 0))
        .sort((one, other) => Number(isRepeated(one)) - Number(isRepeated(other)))
        .slice(0, limit)
        .map((event) => ({ ...event, next_try_at: until }));
      leased.forEach(write);
      return leased.sort((one, other) => one.seq - other.seq);
    },
    recordDelivery: async ({ event_id, next_try_at, tries }, outcome, answers) => {
      const event = events.get(event_id);
      if (!event) return;
      const isLeased = event.next_try_at === next_try_at;
      const told = { ...event, answers: answers ?? event.answers };
      if ('deliveredAt' in outcome)
        write({
          ...told,
          delivered_at: outcome.deliveredAt,
          first_delivered_at: event.first_delivered_at ?? outcome.deliveredAt,
          next_try_at: isLeased ? null : event.next_try_at,
        });
      else if (isLeased)
        write({
          ...told,
          last_failure: outcome.failure,
          next_try_at: outcome.nextTryAt,
          tries: tries + 1,
        });
    },
    outbox: async () => {
      const open = all().filter(({ delivered_at }) => delivered_at === null);
      const waiting = open.filter(({ next_try_at }) => next_try_at !== null);
      const stopped = open.filter(
        ({ erased_at, next_try_at, tries }) =>
          next_try_at === null && tries > 0 && erased_at === null,
      );
      const [oldest = null] = waiting
        .map(({ created_at }) => created_at)
        .sort((one, other) => one - other);
      return { waiting: waiting.length, oldest, stopped: stopped.length };
    },
    listEvents: async (after, limit, { intentId } = {}) => {
      const isReset = after !== null && after.number > last.events;
      const from = after === null || isReset ? START : after;
      const found = all().filter(
        ({ intent_id, seq }) => seq > from.number && (intentId ?? intent_id) === intent_id,
      );
      return { ...pageAfter(from, found, limit, eventPosition), isReset };
    },
    resend: async (eventIds, now, asked) => {
      for (const event of eventIds.flatMap((id) => events.get(id) ?? []))
        if (!isExpected(event, now, asked))
          write({ ...event, next_try_at: now, tries: 0, resent_at: now, resent_by: asked.by });
    },
  };
}
