/** Shows an intent with its orders, what happened to it, and the evidence of its reviews. */
import type { z } from 'zod';
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ShopEventRow } from '../ledger/rows.js';
import type { Position } from '../ledger/shop-ledger.js';
import { shownOrder } from '../ledger/shown-order.js';
import { byId } from './by-id.js';
import { evidenceOf } from './evidence.js';
import type { shownShape } from './shapes.js';
import { asOperatorIntent, asOperatorOrders } from './operator-order.js';
import { timelineOf } from './timeline.js';

const EVENTS_PER_READ = 500;

/** @throws Refusal when the ledger has nothing with this id */
export async function show(
  { config, ledger }: { readonly config: Pick<Config, 'statuses'>; readonly ledger: Ledger },
  id: string,
): Promise<z.infer<typeof shownShape>> {
  const { intent } = await byId(ledger, id);
  const signals = await ledger.signalsOf(intent.orders.map(({ request_id }) => request_id));
  return {
    intent: asOperatorIntent(intent),
    orders: asOperatorOrders(config, intent),
    shown_request_id: shownOrder(config, intent)?.request_id ?? null,
    timeline: timelineOf(intent, await eventsOf(ledger, intent.intent_id), signals),
    reviews: intent.orders.flatMap((order) => evidenceOf({ intent, order }) ?? []),
  };
}

export async function eventsOf(
  ledger: Pick<Ledger, 'listEvents'>,
  intentId: string,
): Promise<ShopEventRow[]> {
  const events: ShopEventRow[] = [];
  let after: Position | null = null;
  for (;;) {
    const page: Awaited<ReturnType<Ledger['listEvents']>> = await ledger.listEvents(
      after,
      EVENTS_PER_READ,
      { intentId },
    );
    events.push(...page.rows);
    if (!page.more) return events;
    after = page.last;
  }
}
