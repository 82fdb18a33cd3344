/** Lists the events for the shop, the newest first, and shows one with what is sent. */
import type { z } from 'zod';
import type { Ledger } from '../ledger/ledger.js';
import { MAX_UNDELIVERED, type OperatorLedger, type Place } from '../ledger/operator-ledger.js';
import type { ShopEventHead } from '../ledger/rows.js';
import { nextTurn } from '../orders/polling/pacing.js';
import { everyRow, readCursor, writeCursor, type Page } from './paging.js';
import { Refusal } from './refusal.js';
import type { eventShape, eventsShape } from './shapes.js';
import { asOperatorEvent } from './operator-order.js';

type EventFilter = {
  readonly since?: number | undefined;
  readonly type?: string | undefined;
  readonly undelivered?: boolean | undefined;
};

/** Events that one call reads. A list whose filter finds few ends with a cursor. */
const MAX_READ = 10_000;
const READ_AT_ONCE = 500;

type Events = Pick<OperatorLedger, 'undelivered' | 'walkEvents'>;

export async function listEvents(
  ledger: Events & Pick<Ledger, 'event'>,
  { since = 0, type, undelivered }: EventFilter,
  page: Page,
): Promise<z.infer<typeof eventsShape>> {
  const matches = (event: ShopEventHead): boolean =>
    event.created_at >= since &&
    event.type === (type ?? event.type) &&
    (!undelivered || event.delivered_at === null);
  const { limit } = page;
  let after = readCursor(page);
  const lacking = undelivered ? await ledger.undelivered() : null;
  // it may not have all of them, and the walk below finds each
  if (lacking && lacking.length < MAX_UNDELIVERED) {
    const from = after;
    const rest = lacking
      .filter((event) => matches(event) && (from === null || isAfter(event, from)))
      .sort((one, other) => (isAfter(one, placeOf(other)) ? 1 : -1));
    return asPage(rest.slice(0, limit), rest.length > limit);
  }
  const found: ShopEventHead[] = [];
  const span = { since, until: Number.MAX_SAFE_INTEGER };
  for (let read = 0; read < MAX_READ; read += READ_AT_ONCE) {
    const rows = await ledger.walkEvents(span, after, READ_AT_ONCE);
    for (const row of rows) {
      after = placeOf(row);
      if (matches(row)) found.push(row);
      if (found.length === limit) return asPage(found, true);
    }
    if (rows.length < READ_AT_ONCE) return asPage(found, false);
    await nextTurn();
  }
  return { events: found.map(asOperatorEvent), cursor: after && writeCursor(after) };
}

/** The events since a moment, the newest first. */
export function everyEvent(
  ledger: Pick<OperatorLedger, 'walkEvents'>,
  since: number,
): AsyncGenerator<ShopEventHead> {
  const span = { since, until: Number.MAX_SAFE_INTEGER };
  return everyRow(READ_AT_ONCE, (last) =>
    ledger.walkEvents(span, last ? placeOf(last) : null, READ_AT_ONCE),
  );
}

/** What the shop has not received; where one call may not have all of it, from a walk of all. */
export async function* everyUndelivered(
  ledger: Events,
  since: number,
): AsyncGenerator<ShopEventHead> {
  const found = await ledger.undelivered();
  if (found.length < MAX_UNDELIVERED) return yield* found;
  for await (const event of everyEvent(ledger, since)) if (event.delivered_at === null) yield event;
}

/** Whether the event comes later in a list of the newest first. */
const isAfter = ({ created_at, seq }: ShopEventHead, { at, id }: Place): boolean =>
  created_at < at || (created_at === at && seq < Number(id));

const placeOf = ({ created_at, seq }: ShopEventHead): Place => ({
  at: created_at,
  id: String(seq),
});

function asPage(rows: readonly ShopEventHead[], more: boolean): z.infer<typeof eventsShape> {
  const last = rows.at(-1);
  return {
    events: rows.map(asOperatorEvent),
    cursor: more && last ? writeCursor(placeOf(last)) : null,
  };
}

/**
 * The body is what was sent, but for the key of the order in `resume_url`: with it a person who may
 * only read would open the order as its customer.
 *
 * @throws Refusal when the ledger has no such event
 */
export async function showEvent(
  ledger: Pick<OperatorLedger, 'event'>,
  id: string,
): Promise<z.infer<typeof eventShape>> {
  const row = await ledger.event(id);
  if (!row) throw new Refusal(`no event ${id} in this ledger`);
  return { event: asOperatorEvent(row), body: row.body.replace(ORDER_KEY, '$1~(withheld)"') };
}

// Global, because the shop's `metadata` may have a field of this name too.
const ORDER_KEY = /("resume_url":"[^"~]*)~[^"]*"/g;
