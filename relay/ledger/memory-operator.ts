/** What an operator reads and erases, of the ledger in memory. */
import { lookupsOf, openAs, openSince, type Intent } from './intent.js';
import {
  MAX_FOUND,
  MAX_UNDELIVERED,
  type LookupKind,
  type OperatorLedger,
  type Place,
  type TextRange,
} from './operator-ledger.js';
import type { PayLinkRow } from './pay-link-ledger.js';
import type { MemoryEvents } from './memory-events.js';
import type { DepositAddressRow } from './rows.js';
import type { Signals } from './signals.js';

/** The rows of the ledger. */
type MemoryRows = {
  /** As they are when they are read. */
  readonly intents: () => readonly Intent[];
  readonly events: MemoryEvents;
  readonly links: Map<string, PayLinkRow>;
  readonly settings: ReadonlyMap<string, string>;
  readonly addresses: Map<string, DepositAddressRow>;
  readonly signals: ReadonlyMap<string, Signals>;
};

type Placed = { readonly at: number; readonly id: string };

const isIn = ({ from, to }: TextRange, text: string): boolean => text >= from && text <= to;
const newestFirst = (one: Placed, other: Placed): number =>
  other.at - one.at || (one.id < other.id ? 1 : -1);
const isAfter = ({ at, id }: Placed, after: Place | null): boolean =>
  after === null || at < after.at || (at === after.at && id < after.id);

function textsOf(intent: Intent, kind: LookupKind): string[] {
  if (kind === 'intent_id') return [intent.intent_id];
  if (kind === 'request_id') return intent.orders.map(({ request_id }) => request_id);
  return lookupsOf(intent).flatMap(([of, text]) => (of === kind ? text : []));
}

/** The rows of a page of a walk, the newest first. */
const page = <Row>(
  rows: readonly (Placed & { row: Row })[],
  after: Place | null,
  limit: number,
): (Placed & { row: Row })[] =>
  rows
    .filter((each) => isAfter(each, after))
    .sort(newestFirst)
    .slice(0, limit);

export function memoryOperator({
  addresses,
  events,
  intents,
  links,
  settings,
  signals,
}: MemoryRows): OperatorLedger {
  const inSpan = ({ since, until }: { since: number; until: number }, at: number): boolean =>
    at >= since && at <= until;
  return {
    search: async (kind, range, limit) => {
      const found = intents()
        .filter((intent) => textsOf(intent, kind).some((text) => isIn(range, text)))
        .slice(0, MAX_FOUND)
        .map((row) => ({ at: row.created_at, id: row.intent_id, row }));
      return page(found, null, limit).map(({ row }) => row);
    },
    intentsOfCustomer: async (customerRefId, after, limit) =>
      intents()
        .filter((intent) => textsOf(intent, 'customer_ref_id').includes(customerRefId))
        .filter(({ intent_id }) => intent_id > after)
        .sort((one, other) => (one.intent_id < other.intent_id ? -1 : 1))
        .slice(0, limit),
    signalsOf: async (requestIds) =>
      new Map([...signals].filter(([requestId]) => requestIds.includes(requestId))),
    searchAddresses: async (range, limit) =>
      [...addresses.values()].filter(({ address }) => isIn(range, address)).slice(0, limit),
    walkIntents: async (by, span, after, limit) => {
      const placed = intents().flatMap((row) => {
        const isOf = by === 'created' || by.some((outcome) => outcome === openAs(row));
        const at = by === 'created' ? row.created_at : openSince(row);
        return isOf && inSpan(span, at) ? { at, id: row.intent_id, row } : [];
      });
      return page(placed, after, limit).map(({ at, row }) => ({ at, intent: row }));
    },
    oldestOpen: async (outcome, until, limit) =>
      intents()
        .filter((intent) => openAs(intent) === outcome && openSince(intent) <= until)
        .sort((one, other) => openSince(one) - openSince(other))
        .slice(0, limit),
    walkEvents: async (span, after, limit) => {
      const placed = [...events.values()]
        .filter(({ created_at }) => inSpan(span, created_at))
        .map((row) => ({ at: row.created_at, id: String(row.seq).padStart(16, '0'), row }));
      const from = after && { ...after, id: after.id.padStart(16, '0') };
      return page(placed, from, limit).map(({ row }) => row);
    },
    undelivered: async () =>
      [...events.values()]
        .filter(({ delivered_at }) => delivered_at === null)
        .sort((one, other) => other.seq - one.seq)
        .slice(0, MAX_UNDELIVERED),
    eventsBefore: async (since) =>
      Math.min(
        ...[...events.values()].flatMap(({ created_at, seq }) => (created_at >= since ? seq : [])),
        Number.MAX_SAFE_INTEGER,
      ) - 1,
    event: async (eventId) => events.get(eventId) ?? null,
    walkPayLinks: async (after, limit) => {
      const placed = [...links.values()].map((row) => {
        return { at: row.expires_at, id: row.pay_link_id, row };
      });
      return page(placed, after, limit).map(({ row }) => row);
    },
    payLinkById: async (id) => links.get(id) ?? null,
    settingsFrom: async (prefix) =>
      new Map([...settings].filter(([name]) => name.startsWith(prefix))),
    eraseEvent: async (eventId, body, at, hasReceiver) => {
      const event = events.get(eventId);
      if (!event || (hasReceiver && event.next_try_at !== null)) return false;
      events.set(eventId, { ...event, body, erased_at: at });
      return true;
    },
    eraseLink: async (id, terms, { at, by }) => {
      const link = links.get(id);
      if (link) links.set(id, { ...link, terms, erased_at: at, erased_by: by });
    },
    // an erased intent has no lookup by its customer (`lookupsOf`)
    forgetCustomer: async (customerRefId) => {
      const before = addresses.size;
      for (const [key, { customer_ref_id }] of addresses)
        if (customer_ref_id === customerRefId) addresses.delete(key);
      return addresses.size < before;
    },
  };
}
