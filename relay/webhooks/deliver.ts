/**
 * Delivers the outbox to the shop's backend: at least once, over kills and restarts.
 *
 * No event waits for another. A receiver that hangs holds one of many places, and only for as long
 * as most receivers take: after that its delivery goes on beside the others and its place is free.
 */
import type { Config } from '../config/schema.js';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ShopEventRow } from '../ledger/rows.js';
import type { Clock, Fetch, Log, Metrics } from '../runtime.js';
import { signMessage } from './sign.js';

export type DeliveryDeps = {
  config: Config;
  ledger: Pick<Ledger, 'leaseDueEvents' | 'recordDelivery'>;
  clock: Clock;
  time: LedgerClock;
  fetch: Fetch;
  log: Log;
  metrics: Metrics;
};

export type Delivery = {
  /** Starts what is due, until nothing more is, and waits for what ends promptly. */
  deliver(): Promise<void>;
  /** Resolves when every delivery under way has ended. */
  idle(): Promise<void>;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Pauses after the first try, as Standard Webhooks recommends; then the event is given up. */
const RETRIES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const TIMEOUT_MS = 10 * SECOND;
/** Beyond the timeout: when a relay dies while it delivers, another delivers the event again. */
const LEASE_MS = 2 * TIMEOUT_MS;
/** Deliveries that hold a place, and for how long one holds it. */
const MAX_PROMPT = 20;
const PROMPT_MS = 250;
/** Deliveries under way in all: each holds a socket. */
const MAX_UNDER_WAY = 500;

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { clock, config, ledger, time } = deps;
  const underWay = new Set<Promise<void>>();
  let prompt = 0;

  /** Resolves when the delivery ended, or when it has held its place for long enough. */
  const start = (event: ShopEventRow): Promise<void> => {
    prompt++;
    const rest = new AbortController();
    const delivery = tryOnce(deps, event).finally(() => {
      underWay.delete(delivery);
      rest.abort();
    });
    underWay.add(delivery);
    return clock.sleep(PROMPT_MS, rest.signal).finally(() => prompt--);
  };

  return {
    deliver: async () => {
      if (!config.shop_events) return;
      const places = new Set<Promise<void>>();
      for (;;) {
        const room = Math.min(MAX_PROMPT - prompt, MAX_UNDER_WAY - underWay.size);
        if (room <= 0) {
          await Promise.race([...places, ...underWay]);
          continue;
        }
        const now = time.now();
        const events = await ledger.leaseDueEvents(now, now + LEASE_MS, room);
        if (events.length === 0) break;
        for (const event of events) {
          const place = start(event).finally(() => places.delete(place));
          places.add(place);
        }
      }
      await Promise.all(places);
    },
    idle: async () => void (await Promise.allSettled(underWay)),
  };
}

async function tryOnce(deps: DeliveryDeps, event: ShopEventRow): Promise<void> {
  const { ledger, log, metrics, time } = deps;
  const { event_id, tries, type } = event;
  try {
    const failure = await post(deps, event);
    const pause = RETRIES[tries];
    const isLast = pause === undefined;
    if (failure === null) {
      metrics.add('shop_events', 1, { result: 'delivered' });
      return await ledger.recordDelivery(event_id, { deliveredAt: time.now() });
    }
    metrics.add('shop_events', 1, { result: isLast ? 'given_up' : 'failed' });
    const fields = { event_id, type, tries: tries + 1, failure, given_up: isLast };
    log(isLast ? 'error' : 'warn', 'shop_event', fields);
    await ledger.recordDelivery(event_id, { nextTryAt: isLast ? null : time.now() + pause });
  } catch (error) {
    // the lease ends, and the event is delivered again
    log('error', 'shop_event', { event_id, type, error: String(error) });
  }
}

/** @returns what went wrong, or null */
async function post(
  { config, fetch, time }: DeliveryDeps,
  { body, event_id }: ShopEventRow,
): Promise<string | null> {
  if (!config.shop_events) return 'not configured';
  const { secret, url } = config.shop_events;
  const secrets = secret.map((each) => each.reveal());
  const signed = await signMessage(secrets, {
    id: event_id,
    at: Math.floor(time.now() / 1000),
    body,
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.name : 'no answer';
  }
}
