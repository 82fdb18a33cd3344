/**
 * POST /v1/orders and /v1/events: everything since a cursor, so that a shop can catch up after an
 * outage of its own. POST /v1/events/resend delivers events again.
 */
import { z } from 'zod';
import { Failure } from '../contract/failure.js';
import type { eventsResponse } from '../contract/responses.js';
import type { OrderInIntent } from '../ledger/intent.js';
import type { Listed, ListName as LedgerList, Position, Reach } from '../ledger/shop-ledger.js';
import type { ShopEventRow } from '../ledger/rows.js';
import { shownOutcome } from '../ledger/shown-order.js';
import type { Context } from '../orders/context.js';
import { cursorId, fromOpaque, toOpaque } from '../operator/paging.js';
import { resend } from '../operator/resend.js';
import { instantOrNull } from '../operator/operator-order.js';
import { projectForBackend } from '../orders/projection.js';
import type { BackendHandler } from './mount.js';

/** How long a list waits for the end of the ledger's open transactions, which last milliseconds. */
const MAX_WAIT_MS = 2000;
const WAIT_PAUSE_MS = 20;

type EventsResponse = z.infer<typeof eventsResponse>;

/**
 * A request with a filter reads at most so many orders, and at most a hundred times. A list whose
 * filter finds few goes on with the next request.
 */
const MAX_READ = 10_000;
const LEAST_STEP = 100;

export const orders: BackendHandler<'orders'> = async ({ context }, body) => {
  const { cursor, limit, outcome, since, until } = body;
  const from = millis(since) ?? 0;
  const to = millis(until) ?? Infinity;
  const matches = ({ order }: OrderInIntent): boolean =>
    order.created_at >= from &&
    order.created_at <= to &&
    (outcome === undefined || shownOutcome(order) === outcome);
  const step = Math.max(limit, LEAST_STEP);
  const reach = await waitUntilSettled(context, 'orders');
  const { page, rows } = await readPage(context, 'orders', cursor, async (after) => {
    let listed = await context.ledger.listOrders(after, limit, reach);
    const { isReset } = listed;
    let matching = listed.rows.filter(matches);
    for (let read = step; read < MAX_READ; read += step) {
      if (matching.length > 0 || !listed.more) break;
      listed = await context.ledger.listOrders(listed.last, limit, reach);
      matching = listed.rows.filter(matches);
    }
    return { ...listed, rows: matching, isReset: isReset || listed.isReset };
  });
  return {
    orders: await Promise.all(rows.map((row) => projectForBackend(context, row))),
    ...page,
  };
};

const millis = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

export const events: BackendHandler<'events'> = async ({ about, context }, body) => {
  const { cursor, intent_id, limit, type } = body;
  const since = millis(body.since) ?? 0;
  if (intent_id !== undefined) about(intent_id);
  const list = intent_id === undefined ? 'events' : (`events of ${intent_id}` as const);
  const reach = await waitUntilSettled(context, 'events');
  const { page, rows } = await readPage(context, list, cursor, async (after) => {
    const from = after ?? (since > 0 ? await startAt(context, since, reach) : null);
    return context.ledger.listEvents(from, limit, { intentId: intent_id, reach });
  });
  const matching = rows.filter(
    (event) => event.created_at >= since && event.type === (type ?? event.type),
  );
  return { events: matching.map(asListed), ...page };
};

export const resendEvents: BackendHandler<'resendEvents'> = async (
  { about, context },
  { event_id, since = '' },
) => {
  const which = event_id === undefined ? { since: Date.parse(since) } : { event_id };
  const { intent_id, resent } = await resend(context, which, null);
  if (intent_id !== undefined) about(intent_id);
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

/** The position before the first event of a moment; the end of the list when there is none. */
async function startAt({ ledger }: Context, since: number, { settled }: Reach): Promise<Position> {
  return { number: Math.min(await ledger.eventsBefore(since), settled), id: '' };
}

/** The body as it was signed, with the id that its deliveries have. */
function asListed({
  body,
  delivered_at,
  event_id,
  first_delivered_at,
  last_failure,
  next_try_at,
  tries,
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
    delivered_at: instantOrNull(delivered_at),
    first_delivered_at: instantOrNull(first_delivered_at),
    tries,
    last_failure,
    next_try_at: instantOrNull(next_try_at),
  };
}

/** A list of the events of one intent has a name of its own: it holds a part of all events. */
type ListName = 'orders' | 'events' | `events of ${string}`;

/** A cursor is an opaque text that names a list, the ledger's epoch and a position. */
const cursorContent = z.tuple([z.string(), z.string(), z.int(), cursorId]);

const writeCursor = (list: ListName, epoch: string, { id, number }: Position): string =>
  toOpaque([list, epoch, number, id]);

/**
 * @returns the position, null at the beginning; `isReset` when the cursor is of another epoch
 * @throws Failure `invalid_request`
 */
function readCursor(
  list: ListName,
  epoch: string,
  cursor: string | undefined,
): { after: Position | null; isReset: boolean } {
  if (cursor === undefined) return { after: null, isReset: false };
  const decoded = fromOpaque(cursorContent, cursor);
  if (!decoded) throw wrongCursor('not a cursor that this relay gave out, or not all of it');
  const [name, ofEpoch, number, id] = decoded;
  if (name !== list) throw wrongCursor(`a cursor of the list of ${name}, not of ${list}`);
  return ofEpoch === epoch
    ? { after: { number, id }, isReset: false }
    : { after: null, isReset: true };
}

const wrongCursor = (problem: string): Failure => new Failure('invalid_request', problem, 'cursor');
