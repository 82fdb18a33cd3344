/** What waits for a person, the oldest first, each with what to do. */
import type { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '../contract/durations.js';
import { becameAt } from '../ledger/history.js';
import { waits, waitsAs, type OrderInIntent } from '../ledger/intent.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OperatorLedger } from '../ledger/operator-ledger.js';
import type { ShopEventHead } from '../ledger/rows.js';
import { evidenceOf } from './evidence.js';
import { instant } from './operator-order.js';
import type { TodoItem, todoShape } from './shapes.js';

const MAX_ITEMS = 100;
/** Most orders are confirmed sooner without anybody. */
const CONFIRMING_MS = HOUR_MS;
/** The relay tries a failed delivery again after some seconds, and then after five minutes. */
const UNDELIVERED_MS = 10 * MINUTE_MS;
/** Intents of each outcome that one call reads; some of them may not have waited long enough. */
const MAX_READ = 500;

const LOOK = "Look for the order in the service's own list, and do not deliver before it is paid.";

type Reads = Pick<OperatorLedger, 'oldestOpen' | 'undelivered'> & Pick<Ledger, 'intent' | 'outbox'>;
type Waiting = { readonly at: number; readonly item: TodoItem };

/** @param hasReceiver whether `shop_events` is configured; without it nobody waits for an event */
export async function todo(
  ledger: Reads,
  now: number,
  hasReceiver: boolean,
): Promise<z.infer<typeof todoShape>> {
  const orders = await waitingOrders(ledger, now);
  const undelivered = hasReceiver ? (await ledger.undelivered()).filter(isKept) : [];
  const stopped = undelivered.filter(({ next_try_at }) => next_try_at === null);
  // it also counts those beyond the most that `undelivered` returns, but none that was never tried
  const outbox = hasReceiver ? await ledger.outbox() : { stopped: 0 };
  const late = undelivered.filter((event) => isLate(event, now));
  const events = await waitingEvents(ledger, late);
  const waiting = [...orders.waiting, ...events.waiting].sort((one, other) => one.at - other.at);
  return {
    items: waiting.slice(0, MAX_ITEMS).map(({ item }) => item),
    more: orders.more || events.more || waiting.length > MAX_ITEMS,
    events_stopped: Math.max(stopped.length, outbox.stopped),
  };
}

async function waitingOrders(
  ledger: Reads,
  now: number,
): Promise<{ waiting: Waiting[]; more: boolean }> {
  const waiting: Waiting[] = [];
  let more = false;
  for (const outcome of ['review', 'unmapped', 'confirming'] as const) {
    const until = outcome === 'confirming' ? now - CONFIRMING_MS : Number.MAX_SAFE_INTEGER;
    const intents = await ledger.oldestOpen(outcome, until, MAX_READ);
    more ||= intents.length === MAX_READ;
    // an intent waits for its most urgent order, and may have others
    for (const intent of intents)
      for (const order of intent.orders) {
        const task = taskOf({ intent, order }, now);
        if (task) waiting.push(task);
      }
  }
  return { waiting, more };
}

function taskOf({ intent, order }: OrderInIntent, now: number): Waiting | null {
  const { amount, currency, request_id, review_reason, sending, status } = order;
  if (!waits(intent, order)) return null;
  const outcome = waitsAs(order);
  const at = becameAt(order);
  const of = (kind: TodoItem['kind'], reason: string | null, what_to_do: string): Waiting => {
    const named = { intent_id: intent.intent_id, request_id, amount, currency };
    return { at, item: { kind, since: instant(at), ...named, reason, what_to_do } };
  };
  const named = status === null ? null : `status ${status}`;
  if (outcome === 'review')
    return of('review', review_reason, evidenceOf({ intent, order })?.for_shop ?? LOOK);
  if (outcome === 'unmapped')
    return of(
      'unmapped',
      named,
      `Ask the order service what the status ${status} means, write it into "statuses" of the ` +
        'configuration, and reload every relay: it then asks about the order again. When the ' +
        'service does not know the order any more, decide about it in the console, or with ' +
        '"orders resolve". Until then, do not deliver.',
    );
  if (outcome !== 'confirming' || at > now - CONFIRMING_MS) return null;
  return of(
    'confirming',
    named,
    sending === 'lost'
      ? 'The order service has not confirmed this order, so nobody knows whether it can be paid. ' +
          `${LOOK} If the service does not know it, the customer may choose another way to pay.`
      : `The order service has not said for an hour how this payment ended. ${LOOK}`,
  );
}

async function waitingEvents(
  ledger: Reads,
  late: readonly ShopEventHead[],
): Promise<{ waiting: Waiting[]; more: boolean }> {
  const ofIntent = new Map<string, ShopEventHead[]>();
  for (const event of late) {
    const events = ofIntent.get(event.intent_id);
    if (events) events.push(event);
    else ofIntent.set(event.intent_id, [event]);
  }
  const byIntent = [...ofIntent]
    .map(([intent_id, events]) => {
      return { intent_id, events, at: Math.min(...events.map(({ created_at }) => created_at)) };
    })
    .sort((one, other) => one.at - other.at);
  const waiting: Waiting[] = [];
  for (const { at, events, intent_id } of byIntent.slice(0, MAX_ITEMS)) {
    const intent = await ledger.intent(intent_id);
    if (intent) {
      const { amount, currency } = intent;
      const named = { intent_id, request_id: null, amount, currency };
      const [reason, what_to_do] = [failureOf(events), adviceOn(events)];
      const item = { kind: 'undelivered' as const, since: instant(at), ...named };
      waiting.push({ at, item: { ...item, reason, what_to_do } });
    }
  }
  return { waiting, more: byIntent.length > MAX_ITEMS };
}

const isKept = ({ erased_at }: ShopEventHead): boolean => erased_at === null;

const isLate = ({ created_at, next_try_at }: ShopEventHead, now: number): boolean =>
  next_try_at === null || created_at <= now - UNDELIVERED_MS;

const failureOf = (events: readonly ShopEventHead[]): string | null =>
  events.find(({ last_failure }) => last_failure !== null)?.last_failure ?? null;

function adviceOn(events: readonly ShopEventHead[]): string {
  const types = [...new Set(events.map(({ type }) => type))].sort().join(', ');
  const stopped = events.filter(({ next_try_at }) => next_try_at === null);
  return `The shop's backend has not received ${types}. ${howToRepair(stopped)}`;
}

function howToRepair(stopped: readonly ShopEventHead[]): string {
  const repair = 'Repair what receives events, then';
  if (stopped.length === 0) return `${repair} wait, or send them again: the relay still tries.`;
  if (stopped.some(({ tries }) => tries > 0))
    return `${repair} send them again: the relay has given up.`;
  return 'Send them again: no receiver was configured when they were written.';
}
