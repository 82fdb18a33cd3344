/** `pay-checkout-relay ledger move`: the shop's domain or the service's address has changed. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.js';
import type { OrderRow } from '../ledger/rows.js';
import { LONGEST_USE_MS } from '../intent/order-token.js';
import { moveLedger, type FormerValues, type Moved } from '../move-ledger.js';
import { HEARTBEAT_MS } from '../orders/polling/instances.js';
import { withOpenLedger } from './with-ledger.js';
import { HOUR_MS } from '../contract/durations.js';

/** This command's name among those that use the ledger. */
const SELF = 'ledger move';
const ROWS_PER_READ = 500;
const MAX_LISTED = 100;
const HOURS = LONGEST_USE_MS / HOUR_MS;

const withoutEndSlash = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');

/** @throws Error when a relay still runs, or the ledger does not have the former values */
export const move = (configFile: string, former: FormerValues): Promise<void> =>
  withOpenLedger(configFile, 'check', async (ledger, config) => {
    const running = await runningRelays(ledger);
    if (running.length > 0)
      throw new Error(`stop every relay first; running: ${running.join(', ')}`);
    const values = {
      public_url: withoutEndSlash(former.public_url),
      base_url: withoutEndSlash(former.base_url),
    };
    const moved = await moveLedger(config, ledger, values, Date.now());
    process.stdout.write(report(moved, await openOrders(ledger)).join('\n') + '\n');
  });

/**
 * The relays whose count of heartbeats still changes. A relay that was stopped leaves its count
 * behind, so the command waits only when there is one.
 */
export async function runningRelays(
  ledger: Pick<Ledger, 'heartbeat' | 'forgetInstance'>,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<string[]> {
  const before = await ledger.heartbeat(SELF);
  if (before.size > 1) await wait(2 * HEARTBEAT_MS);
  const after = await ledger.heartbeat(SELF);
  await ledger.forgetInstance(SELF, after.get(SELF) ?? 0);
  return [...after.keys()].filter((name) => name !== SELF && after.get(name) !== before.get(name));
}

const isOpen = ({ next_check_at, outcome }: OrderRow): boolean =>
  next_check_at !== null && !['succeeded', 'failed', 'expired'].includes(outcome);

async function openOrders(ledger: Ledger): Promise<OrderRow[]> {
  const open: OrderRow[] = [];
  let listed = await ledger.listOrders(null, ROWS_PER_READ);
  for (;;) {
    open.push(...listed.rows.map(({ order }) => order).filter(isOpen));
    if (!listed.more) return open;
    listed = await ledger.listOrders(listed.last, ROWS_PER_READ);
  }
}

function report(moved: readonly Moved[], open: readonly OrderRow[]): string[] {
  if (moved.length === 0) return ['the ledger belongs to this configuration already'];
  const url = moved.find(({ field }) => field === 'public_url');
  return [
    ...moved.map(({ field, from, to }) => `${field}: ${from} is now ${to}`),
    `open orders, which the relay goes on following: ${open.length}`,
    ...open.slice(0, MAX_LISTED).map(asLine),
    ...(open.length > MAX_LISTED ? [`  … and ${open.length - MAX_LISTED} more`] : []),
    ...(url ? consequences(url) : []),
  ];
}

const asLine = ({ created_at, intent_id, outcome, request_id }: OrderRow): string =>
  `  ${request_id}  ${outcome}  ${intent_id}  ${new Date(created_at).toISOString()}`;

const consequences = ({ from, to }: Moved): string[] => [
  `Order tokens for ${from} are accepted for ${HOURS} hours: sign new ones for ${to}.`,
  `Links and notify_urls that were given out lead to ${from}: forward it to the relay,`,
  `and keep ${new URL(from).origin} in shop.origins, or its pages are refused.`,
];
