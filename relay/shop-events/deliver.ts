/** Delivers the outbox to the shop's backend: at least once, in order per intent, over kills and restarts. */
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ShopEventRow } from '../ledger/rows.js';
import { signMessage } from './sign.js';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Given = {
  config: Config;
  ledger: Ledger;
  clock: { now(): number };
  fetch: Fetch;
  log: (level: 'info' | 'warn' | 'error', event: string, fields?: Record<string, unknown>) => void;
  metrics: { add(name: 'shop_events', by: number, labels: Record<string, string>): void };
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The retry schedule that the specification recommends, after the first try at once; then the event is given up. */
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
/** Beyond the timeout: a relay that dies while it delivers leaves the event to the next one. */
const LEASE_MS = 2 * TIMEOUT_MS;
/** Events under way at once. */
const AT_ONCE = 20;

/** Delivers what is due, until nothing more is. */
export async function deliverEvents(given: Given): Promise<void> {
  const { clock, config, ledger } = given;
  if (!config.shop_events) return;
  for (;;) {
    const now = clock.now();
    const events = await ledger.takeEvents(now, now + LEASE_MS, AT_ONCE);
    if (events.length === 0) return;
    const { secret, url } = config.shop_events;
    await Promise.all(
      events.map((event) =>
        tryOnce(given, { secrets: secret.map((each) => each.reveal()), url }, event),
      ),
    );
  }
}

async function tryOnce(
  { clock, fetch, ledger, log, metrics }: Given,
  { secrets, url }: { secrets: readonly string[]; url: string },
  event: ShopEventRow,
): Promise<void> {
  const { body, event_id, tries, type } = event;
  const signed = await signMessage(secrets, {
    id: event_id,
    at: Math.floor(clock.now() / 1000),
    body,
  });
  const failure = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    (response) => (response.ok ? null : `HTTP ${response.status}`),
    (error: unknown) => (error instanceof Error ? error.name : 'no answer'),
  );
  const pause = RETRIES[tries];
  metrics.add('shop_events', 1, {
    result: failure === null ? 'delivered' : pause === undefined ? 'given_up' : 'failed',
  });
  if (failure === null) return ledger.noteTry(event_id, { deliveredAt: clock.now() });
  log(pause === undefined ? 'error' : 'warn', 'shop_event', {
    event_id,
    type,
    tries: tries + 1,
    failure,
    given_up: pause === undefined,
  });
  await ledger.noteTry(event_id, { nextTryAt: pause === undefined ? null : clock.now() + pause });
}
