/**
 * Delivers the events of the outbox to the shop's backend, at least once, also after a kill.
 *
 * A slow delivery does not delay the others. The number of slots bounds how many deliveries start
 * at once. A delivery holds its slot for as long as most receivers take to answer; if it takes
 * longer, it continues without a slot.
 */
import { codeOfCause } from '../order-service/errors.js';
import type { Config } from '../config/schema.js';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ShopEventRow } from '../ledger/rows.js';
import { withAnswer, type ShopAnswer } from '../ledger/shop-answers.js';
import type { Clock, Fetch, Log, Metrics } from '../runtime.js';
import { traceField, traceOf } from '../contract/trace.js';
import { postEvent } from './post-event.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../contract/durations.js';

type DeliveryDeps = {
  config: Config;
  ledger: Pick<Ledger, 'leaseDueEvents' | 'recordDelivery'>;
  clock: Clock;
  ledgerClock: LedgerClock;
  fetch: Fetch;
  /** Whether other relays share the ledger; by default none. */
  hasOthers?: () => boolean;
  log: Log;
  metrics: Metrics;
  /** Aborts when no further delivery may begin. */
  closing: AbortSignal;
};

export type Delivery = {
  /** Starts deliveries until none is due, and waits for those that hold a slot. */
  deliver(): Promise<void>;
  /** Resolves when every delivery under way has ended. */
  idle(): Promise<void>;
};

/**
 * Pauses between tries, as Standard Webhooks recommends. After the last try the event is given up.
 */
const RETRY_PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
const TIMEOUT_MS = 10 * SECOND_MS;
/** Longer than the timeout; when a relay is killed, another one delivers after the lease. */
export const LEASE_MS = 2 * TIMEOUT_MS;
/**
 * The repair of schedules runs beside deliveries, and may have read the time before a lease began.
 * A lease that the repair shortened would not be recognised when its delivery is recorded.
 */
const REPAIR_MARGIN_MS = 5 * SECOND_MS;
/**
 * The longest time to the next try of an event, by the number of its failed tries. It is longer
 * than a lease, because during a delivery the next try waits for the end of the lease.
 */
export const LONGEST_RETRY_WAITS_MS: readonly number[] = [0, ...RETRY_PAUSES_MS].map(
  (pauseMs) => Math.max(pauseMs, LEASE_MS) + REPAIR_MARGIN_MS,
);
/** Deliveries that may hold a slot at once. */
const MAX_SLOTS = 20;
/** The longest time for which a delivery holds its slot. */
const MAX_SLOT_MS = 250;
/**
 * For how long a relay that got no answer leaves due events to the other relays. If only this relay
 * cannot reach the shop, it would otherwise use up the tries of events that another one delivers.
 */
const LEFT_TO_OTHERS_MS = 2 * SECOND_MS;
/** Bound of all deliveries under way, with and without a slot: each of them holds a socket. */
const MAX_UNDER_WAY = 500;

/** The delivery does nothing without `shop_events` in the configuration. */
export function createDelivery(given: DeliveryDeps): Delivery {
  const { clock, closing, config, hasOthers = () => false, ledger, ledgerClock } = given;
  const underWay = new Set<Promise<void>>();
  let slotsTaken = 0;
  /** Whether the last request to the shop got no answer. */
  let isSilent = false;
  const fetch: Fetch = async (url, init) => {
    try {
      const response = await given.fetch(url, init);
      isSilent = false;
      return response;
    } catch (error) {
      isSilent = true;
      throw error;
    }
  };
  const deps = { ...given, fetch };

  /** Resolves when the delivery has ended or has given up its slot. */
  const start = (event: ShopEventRow): Promise<void> => {
    slotsTaken++;
    return new Promise<void>((resolve) => {
      const cancel = clock.after(MAX_SLOT_MS, resolve);
      const delivery = tryOnce(deps, event).finally(() => {
        underWay.delete(delivery);
        cancel();
        resolve();
      });
      underWay.add(delivery);
    }).finally(() => slotsTaken--);
  };

  return {
    deliver: async () => {
      if (!config.shop_events) return;
      const slots = new Set<Promise<void>>();
      while (!closing.aborted) {
        const room = Math.min(MAX_SLOTS - slotsTaken, MAX_UNDER_WAY - underWay.size);
        if (room <= 0) {
          await Promise.race([...slots, ...underWay]);
          continue;
        }
        const now = ledgerClock.now();
        const dueBy = isSilent && hasOthers() ? now - LEFT_TO_OTHERS_MS : now;
        const events = await ledger.leaseDueEvents(dueBy, now + LEASE_MS, room);
        if (events.length === 0) break;
        for (const event of events) {
          const slot = start(event).finally(() => slots.delete(slot));
          slots.add(slot);
        }
      }
      await Promise.all(slots);
    },
    idle: async () => void (await Promise.allSettled(underWay)),
  };
}

/** Tries to deliver an event once, and writes the result to the ledger. */
async function tryOnce(deps: DeliveryDeps, event: ShopEventRow): Promise<void> {
  const { ledger, log, metrics, ledgerClock } = deps;
  const { event_id, intent_id, tries, type } = event;
  const named = { intent_id, event_id, type, ...traceField(traceOf(event.traceparent)) };
  try {
    const { answer, delivered } = await post(deps, event);
    const at = ledgerClock.now();
    const answers = withAnswer(event.answers, { at, answer, delivered });
    const pause = RETRY_PAUSES_MS[tries];
    const isLast = pause === undefined;
    if (delivered) {
      metrics.add('shop_events', 1, { result: 'delivered' });
      log('info', 'shop_event', { ...named, tries: tries + 1, delivered: true });
      return await ledger.recordDelivery(event, { deliveredAt: at }, answers);
    }
    metrics.add('shop_events', 1, { result: isLast ? 'given_up' : 'failed' });
    const fields = { ...named, tries: tries + 1, failure: answer, given_up: isLast };
    log(isLast ? 'error' : 'warn', 'shop_event', fields);
    const nextTryAt = isLast ? null : at + pause;
    await ledger.recordDelivery(event, { nextTryAt, failure: answer }, answers);
  } catch (error) {
    // the lease runs out, and the event is delivered again
    log('error', 'shop_event', { ...named, error: String(error) });
  }
}

/** @returns what the shop answered, or why there was no answer; a 2xx is a delivery */
async function post(
  { config, fetch, ledgerClock }: DeliveryDeps,
  { body, event_id, traceparent }: ShopEventRow,
): Promise<Omit<ShopAnswer, 'at'>> {
  if (!config.shop_events) return { answer: 'not configured', delivered: false };
  const { secret, url } = config.shop_events;
  const secrets = secret.map((each) => each.reveal());
  const at = Math.floor(ledgerClock.now() / 1000);
  try {
    const target = { url, secrets, at, timeoutMs: TIMEOUT_MS, trace: traceOf(traceparent) };
    const response = await postEvent(fetch, { id: event_id, body }, target);
    // only the status counts, and a body that does not end must not hold the connection
    void response.body?.cancel().catch(() => {});
    return { answer: `HTTP ${response.status}`, delivered: response.ok };
  } catch (error) {
    return { answer: codeOfCause(error) ?? 'no answer', delivered: false };
  }
}
