/** Delivers events to the shop again. */
import { Failure } from '../contract/failure.js';
import type { Asked } from '../ledger/shop-ledger.js';
import type { Context } from '../orders/context.js';
import { LEASE_MS } from '../webhooks/deliver.js';
import { everyEvent, everyUndelivered } from './events.js';

/** One event, or those since a moment: every one, or only what the shop has not received. */
export type WhichEvents = { readonly event_id: string } | EventsSince;
type EventsSince = { readonly since: number; readonly undelivered?: true };

/** Events that one step makes due; a step holds SQLite's write lock. */
const EVENTS_PER_STEP = 500;

/**
 * @param by the person who asks; null when the shop's backend does
 * @param onStep is told how many are due so far
 * @returns `intent_id` of a single event
 * @throws Failure `not_configured`, `not_found` or `erased`
 */
export async function resend(
  { config, ledger, ledgerClock }: Pick<Context, 'config' | 'ledger' | 'ledgerClock'>,
  which: WhichEvents,
  by: string | null,
  onStep: (resent: number) => void = () => {},
): Promise<{ resent: number; intent_id?: string }> {
  if (!config.shop_events)
    throw new Failure('not_configured', 'shop_events is not configured: nothing receives events');
  const at = ledgerClock.now();
  const asked: Asked = { at, by, leaseEnd: at + LEASE_MS };
  if ('event_id' in which) {
    const event = await ledger.event(which.event_id);
    if (event === null) throw new Failure('not_found', 'no such event', 'event_id');
    if (event.erased_at !== null)
      throw new Failure('erased', 'the data of its customer was erased', 'event_id');
    await ledger.resend([which.event_id], at, asked);
    return { resent: 1, intent_id: event.intent_id };
  }
  const events = which.undelivered ? everyUndelivered : everyEvent;
  let resent = 0;
  let ids: string[] = [];
  const send = async (): Promise<void> => {
    await ledger.resend(ids, ledgerClock.now(), asked);
    resent += ids.length;
    ids = [];
    onStep(resent);
  };
  for await (const { created_at, erased_at, event_id } of events(ledger, which.since)) {
    if (created_at < which.since || erased_at !== null) continue;
    ids.push(event_id);
    if (ids.length === EVENTS_PER_STEP) await send();
  }
  if (ids.length > 0) await send();
  return { resent };
}
