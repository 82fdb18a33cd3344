/**
 * POST /v1/orders and /v1/events: everything since a cursor, so that a shop can catch up after an
 * outage of its own. POST /v1/events/resend delivers events again.
 */
import type { z } from 'zod';
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import type { ordersResponse, eventsResponse } from '../contract/responses.js';
import { requireSecretKey } from '../http/auth.js';
import { readBody } from '../http/body.js';
import type { Listed, ListName as LedgerList, Position, Reach } from '../ledger/shop-ledger.js';
import type { ShopEventRow } from '../ledger/rows.js';
import type { Context } from '../orders/context.js';
import { LEASE_MS } from '../webhooks/deliver.js';
import { projectForBackend } from '../orders/projection.js';
import { readCursor, writeCursor, type ListName } from './cursor.js';
import type { Handler } from './mount.js';

/** Events that one step of a resend makes due; a step holds SQLite's write lock. */
const EVENTS_PER_STEP = 500;
/** How long a list waits for the end of the ledger's open transactions, which last milliseconds. */
const MAX_WAIT_MS = 2000;
const WAIT_PAUSE_MS = 20;

type OrdersResponse = z.infer<typeof ordersResponse>;
type EventsResponse = z.infer<typeof eventsResponse>;

export const orders: Handler<OrdersResponse> = async ({ context, fromBackend, request }) => {
  requireSecretKey(context.config, fromBackend);
  const { cursor, limit } = await readBody(request, endpoints.orders.request);
  const reach = await waitUntilSettled(context, 'orders');
  const { page, rows } = await readPage(context, 'orders', cursor, (after) =>
    context.ledger.listOrders(after, limit, reach),
  );
  return {
    orders: await Promise.all(rows.map((row) => projectForBackend(context, row))),
    ...page,
  };
};

export const events: Handler<EventsResponse> = async ({ about, context, fromBackend, request }) => {
  requireSecretKey(context.config, fromBackend);
  const { cursor, intent_id, limit } = await readBody(request, endpoints.events.request);
  if (intent_id !== undefined) about(intent_id);
  const list = intent_id === undefined ? 'events' : (`events of ${intent_id}` as const);
  const reach = await waitUntilSettled(context, 'events');
  const { page, rows } = await readPage(context, list, cursor, (after) =>
    context.ledger.listEvents(after, limit, { intentId: intent_id, reach }),
  );
  return { events: rows.map(asListed), ...page };
};

export const resendEvents: Handler<{ resent: number }> = async ({
  about,
  context,
  fromBackend,
  request,
}) => {
  const { config, ledger, ledgerClock } = context;
  requireSecretKey(config, fromBackend);
  const { event_id, since } = await readBody(request, endpoints.resendEvents.request);
  if (!config.shop_events)
    throw new Failure('not_configured', 'shop_events is not configured: nothing receives events');
  const askedAt = ledgerClock.now();
  const asked = { at: askedAt, leaseEnd: askedAt + LEASE_MS };
  if (event_id !== undefined) {
    const intentId = await ledger.resendEvent(event_id, askedAt, asked);
    if (intentId === null) throw new Failure('not_found', 'no such event', 'event_id');
    about(intentId);
    return { resent: 1 };
  }
  const from = Date.parse(since ?? '');
  let resent = 0;
  let after: Position | null = null;
  do {
    const step: Awaited<ReturnType<typeof ledger.resendEvents>> = await ledger.resendEvents(
      from,
      ledgerClock.now(),
      after,
      EVENTS_PER_STEP,
      asked,
    );
    resent += step.resent;
    after = step.last;
  } while (after !== null);
  return { resent };
};

/**
 * Waits until a list can have all that was committed before the request. On a standby it has what
 * is known to be complete there.
 *
 * @throws Failure `ledger_unavailable`
 */
async function waitUntilSettled({ clock, ledger }: Context, list: LedgerList): Promise<Reach> {
  const endsAt = clock.elapsed() + MAX_WAIT_MS;
  const first = await ledger.reach(list);
  for (let reach = first; ; reach = await ledger.reach(list)) {
    if (reach.settled >= first.last || reach.is_standby) return reach;
    if (clock.elapsed() >= endsAt)
      throw new Failure(
        'ledger_unavailable',
        'a transaction of the ledger is open for too long; /readyz tells which',
      );
    await clock.sleep(WAIT_PAUSE_MS);
  }
}

async function readPage<Row>(
  { ledger }: Context,
  list: ListName,
  cursor: string | undefined,
  read: (after: Position | null) => Promise<Listed<Row>>,
): Promise<{ rows: readonly Row[]; page: Pick<EventsResponse, 'cursor' | 'more' | 'reset'> }> {
  const epoch = (await ledger.setting('epoch')) ?? '';
  const { after, isReset } = readCursor(list, epoch, cursor);
  const listed = await read(after);
  return {
    rows: listed.rows,
    page: {
      cursor: writeCursor(list, epoch, listed.last),
      more: listed.more,
      ...((isReset || listed.isReset) && { reset: true as const }),
    },
  };
}

/** The body as it was signed, with the id that its deliveries have. */
function asListed({
  body,
  delivered_at,
  event_id,
}: ShopEventRow): EventsResponse['events'][number] {
  const { data, timestamp, type } = JSON.parse(body) as Pick<
    EventsResponse['events'][number],
    'data' | 'timestamp' | 'type'
  >;
  return {
    id: event_id,
    type,
    timestamp,
    data,
    delivered_at: delivered_at === null ? null : new Date(delivered_at).toISOString(),
  };
}
