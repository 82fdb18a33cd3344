/**
 * The `memory:` ledger, which is lost when its process or browser tab ends: for the demo in a tab,
 * for the tests of a shop (`relay/testing/`), and for a first try without a file.
 */
import { countsOf } from './counts.js';
import {
  asLeased,
  dueAt,
  isPurged,
  mayClaim,
  nextVersion,
  openAs,
  openSince,
  orderInIntent,
  usesTaken,
  type Intent,
} from './intent.js';
import type { Ledger } from './ledger.js';
import { memoryEvents, type MemoryEvents } from './memory-events.js';
import { memoryOperator } from './memory-operator.js';
import { linkOfIntent, type PayLinkRow } from './pay-link-ledger.js';
import { isUnpaidDue, repairing } from './rules.js';
import { openOutcomes, type DepositAddressRow } from './rows.js';
import { ordersAfter, START } from './shop-ledger.js';
import { withSignals, type Signals } from './signals.js';

/** `dueAt` is later than the orders say while a relay has leased the intent. */
type Stored = {
  readonly intent: Intent;
  readonly dueAt: number | null;
  readonly leasedAt: number | null;
  readonly position: number;
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

export function memoryLedger(): Ledger {
  const intents = new Map<string, Stored>();
  /** The intent of each order. */
  const intentIds = new Map<string, string>();
  const askedAt = new Map<string, number>();
  const signals = new Map<string, Signals>();
  const links = new Map<string, PayLinkRow>();
  const addresses = new Map<string, DepositAddressRow>();
  const epoch = crypto.randomUUID();
  const settings = new Map<string, string>([['epoch', epoch]]);
  const beats = new Map<string, number>();
  const events: MemoryEvents = new Map();
  /** The highest number that was given in each list. */
  const last = { orders: 0, events: 0 };

  const intentOf = (intentId: string): Intent | null => {
    const stored = intents.get(intentId);
    return stored ? asLeased(stored.intent, stored.dueAt, stored.leasedAt) : null;
  };
  const intentOfOrder = (requestId: string): Intent | null =>
    intentOf(intentIds.get(requestId) ?? '');
  const all = (): Intent[] => [...intents.keys()].flatMap((id) => intentOf(id) ?? []);
  /** The newest is the last of the map: a key that is set again would keep its place. */
  const store = (intent: Intent): void => {
    intents.delete(intent.intent_id);
    const position = ++last.orders;
    intents.set(intent.intent_id, { intent, dueAt: dueAt(intent), leasedAt: null, position });
  };

  const change: Ledger['change'] = async (intentId, rule, { payLink } = {}) => {
    const before = intentOf(intentId);
    const link = links.get(linkOfIntent(intentId) ?? payLink?.pay_link_id ?? '');
    if (!mayClaim(payLink, link ?? null, before)) return { result: 'link_closed', intent: before };
    const changed = rule(before, settings.get('epoch') ?? epoch);
    if (!changed) return { result: 'unchanged', intent: before };
    const intent = { ...changed.intent, version: nextVersion(before, changed.intent) };
    for (const { request_id } of intent.orders)
      if ((intentIds.get(request_id) ?? intentId) !== intentId)
        return { result: 'unchanged', intent: before };
    for (const { request_id } of intent.orders) intentIds.set(request_id, intentId);
    store(intent);
    for (const event of changed.events ?? [])
      events.set(event.event_id, { ...NEW_EVENT, ...event, seq: ++last.events });
    if (link) links.set(link.pay_link_id, { ...link, used: link.used + usesTaken(before, intent) });
    return { result: 'written', intent };
  };
  const remove = (removed: readonly Intent[]): number => {
    for (const { intent_id, orders } of removed) {
      intents.delete(intent_id);
      for (const { request_id } of orders)
        for (const rows of [intentIds, askedAt, signals]) rows.delete(request_id);
      for (const [event_id, event] of events)
        if (event.intent_id === intent_id) events.delete(event_id);
    }
    return removed.length;
  };

  return {
    ...memoryEvents(events, last),
    ...memoryOperator({ intents: all, events, links, settings, addresses, signals }),
    change,
    dueUnpaid: async (now, limit) => {
      const due = all().filter((intent) => isUnpaidDue(intent, now));
      return firstBy(due, ({ unpaid_due_at }) => unpaid_due_at, limit);
    },
    intent: async (intentId) => intentOf(intentId),
    find: async (requestId) => orderInIntent(intentOfOrder(requestId), requestId),
    openOrders: async () =>
      openOutcomes.flatMap((outcome) => {
        const times = all()
          .filter((intent) => openAs(intent) === outcome)
          .map(openSince)
          .sort((one, other) => one - other);
        const [oldest] = times;
        return oldest === undefined ? [] : { outcome, count: times.length, oldest };
      }),
    leaseDueOrders: async (now, until, limit) => {
      const stored = [...intents.values()].filter(({ dueAt: at }) => at !== null && at <= now);
      const due = firstBy(stored, ({ dueAt: at }) => at, limit);
      const orders = due.flatMap(({ intent: { intent_id } }) =>
        (intentOf(intent_id)?.orders ?? []).filter(
          ({ next_check_at: at }) => at !== null && at <= now,
        ),
      );
      for (const leased of due)
        intents.set(leased.intent.intent_id, { ...leased, dueAt: until, leasedAt: now });
      return orders;
    },
    claimQuerySlot: async (requestId, now, minGapMs, more = null) => {
      const found = orderInIntent(intentOfOrder(requestId), requestId);
      const at = askedAt.get(requestId) ?? -Infinity;
      if (!found || (at <= now && now - at < minGapMs)) return null;
      askedAt.set(requestId, now);
      if (more) signals.set(requestId, withSignals(signals.get(requestId) ?? null, more));
      return found;
    },
    postpone: async ({ intent_id, version }, until, now) => {
      const stored = intents.get(intent_id);
      if (!stored || stored.intent.version !== version) return false;
      intents.set(intent_id, { ...stored, dueAt: until, leasedAt: now });
      return true;
    },
    changes: async (cursor) => {
      const after = Number(cursor ?? last.orders);
      const changed = [...intents.values()]
        .filter(({ position }) => position > after)
        .map(({ intent: { intent_id, version = 0 } }) => ({ intent_id, version }));
      return { cursor: String(last.orders), last: last.orders, changed };
    },
    listOrders: async (after, limit) => {
      const isReset = after !== null && after.number > last.orders;
      const from = after === null || isReset ? START : after;
      const changed = [...intents.values()].filter(({ position }) => position >= from.number);
      return { ...ordersAfter(from, changed, limit), isReset };
    },
    reach: async (list) => ({ last: last[list], settled: last[list], is_standby: false }),
    heldBack: async () => null,
    heartbeat: async (instance) => new Map(beats.set(instance, (beats.get(instance) ?? 0) + 1)),
    forgetInstance: async (instance, beat) => {
      if (beats.get(instance) === beat) beats.delete(instance);
    },
    repairSchedules: async (now, longest) => {
      for (const { intent_id } of all()) await change(intent_id, repairing(now, longest, askedAt));
      for (const event of events.values()) {
        const { created_at, event_id, next_try_at, tries } = event;
        const longestMs = created_at > now ? 0 : (longest.retryMs[tries] ?? Infinity);
        if (next_try_at !== null && next_try_at > now + longestMs)
          events.set(event_id, { ...event, next_try_at: now + longestMs });
      }
      return null;
    },
    purge: async (before, limit) => {
      const untold = [...events.values()]
        .filter(({ created_at, next_try_at }) => created_at >= before && next_try_at !== null)
        .map(({ intent_id }) => intent_id);
      const old = all().filter(
        (each) =>
          each.created_at < before && isPurged(each, before) && !untold.includes(each.intent_id),
      );
      const purged = firstBy(old, ({ created_at }) => created_at, limit);
      const end = purged[limit - 1];
      const next = end ? { at: end.created_at, id: end.intent_id } : null;
      return { deleted: remove(purged), next };
    },
    purgeUnsent: async (before, limit, after) => {
      const unsent = all().filter((intent) => openAs(intent) === 'unsent');
      const old = unsent.filter((each) => openSince(each) > after && openSince(each) < before);
      const purged = firstBy(old, openSince, limit);
      const end = purged[limit - 1];
      return { deleted: remove(purged), next: end ? openSince(end) : null };
    },
    addPayLink: async (row) => {
      const { pay_link_id, token_digest } = row;
      for (const link of links.values())
        if (link.pay_link_id === pay_link_id || link.token_digest === token_digest)
          throw new Error('the ledger has a link with this id or token');
      links.set(pay_link_id, row);
    },
    payLink: async (digest) =>
      [...links.values()].find(({ token_digest }) => token_digest === digest) ?? null,
    revokePayLink: async (id, at, by = null) => {
      const link = links.get(id);
      if (!link) return null;
      if (link.revoked_at !== null) return link.revoked_at;
      links.set(id, { ...link, revoked_at: at, revoked_by: by });
      return at;
    },
    purgePayLinks: async (before, limit) => {
      const ended = [...links.values()].filter(({ expires_at }) => expires_at < before);
      const old = firstBy(ended, ({ expires_at }) => expires_at, limit);
      for (const { pay_link_id } of old) links.delete(pay_link_id);
      return old.length;
    },
    depositAddress: async (...key) => addresses.get(JSON.stringify(key)) ?? null,
    keepDepositAddress: async (row) =>
      keep(addresses, JSON.stringify([row.customer_ref_id, row.currency, row.network]), row),
    setting: async (name) => settings.get(name) ?? null,
    keepSetting: async (name, value) => keep(settings, name, value),
    writeSetting: async (name, value) => void settings.set(name, value),
    countChanges: async () => false,
    recount: async () => {},
    hourCounts: async ({ since, until }) => ({
      counts: countsOf(all()).filter(({ hour }) => hour >= since && hour <= until),
      isComplete: true,
    }),
    now: () => null,
    ping: async () => {},
    verify: async () => [],
    backup: async () => {
      throw new Error('a ledger in memory cannot be backed up');
    },
    close: async () => {},
  };
}

/** The rows with the earliest times, as the index of a database gives them. */
const firstBy = <T>(rows: readonly T[], at: (row: T) => number | null, limit: number): T[] =>
  [...rows].sort((one, other) => (at(one) ?? 0) - (at(other) ?? 0)).slice(0, limit);

/**
 * Stores a row unless the key has one.
 *
 * @returns the stored row
 */
function keep<T>(rows: Map<string, T>, key: string, row: T): T {
  const kept = rows.get(key) ?? row;
  rows.set(key, kept);
  return kept;
}
