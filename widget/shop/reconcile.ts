/** Reads the events that no webhook has delivered. */
import { checkMode, readEvent, type ShopEvent } from './event.js';
import { handleOnce, type EventStore, type ReceiveOptions } from './receive-events.js';
import { post, RelayError, type RelayAccess } from './relay-request.js';

export type ReconcileOptions<Tx> = RelayAccess &
  Pick<ReceiveOptions<Tx>, 'store' | 'handle' | 'livemode'> & {
    /** Where the next reconciliation continues; kept in the shop's database. */
    cursor: {
      load(): Promise<string | null | undefined>;
      save(cursor: string): Promise<unknown>;
    };
  };

type Page = { events: unknown[]; cursor: string; more: boolean };

const idOf = (listed: unknown): unknown => ((listed ?? {}) as { id?: unknown }).id;

/** @throws RelayError when the row is not an event, so that the cursor stays before it */
function readListed(listed: unknown): ShopEvent {
  const id = idOf(listed);
  const event = typeof id === 'string' ? readEvent(id, listed) : null;
  if (!event) throw new RelayError('no_answer', 200, '/v1/events: a row of the list is no event');
  return event;
}

/** @throws RelayError when something else than the relay has answered, for example a proxy */
async function listEvents(access: RelayAccess, cursor: string | undefined): Promise<Page> {
  const body = cursor === undefined ? {} : { cursor };
  const page = await post<Page>(access, '/v1/events', body, { field: 'events' });
  const isList = Array.isArray(page.events) && typeof page.cursor === 'string';
  // if the relay repeated the same cursor, `reconcile` would never end
  if (!isList || (page.more && page.cursor === cursor))
    throw new RelayError('no_answer', 200, '/v1/events: the answer is not a list of events');
  return page;
}

/**
 * The rows without the events that were handled before, found in one transaction that writes
 * nothing. One event that fails for days would otherwise cost a transaction for each later event,
 * at every reconciliation. All rows when that transaction fails: on a slow database it may exceed
 * the time limit, and each event is looked up again in its own transaction.
 */
async function withoutHandled<Tx>(
  store: EventStore<Tx>,
  rows: readonly unknown[],
): Promise<readonly unknown[]> {
  if (!store.isAdded || rows.length === 0) return rows;
  const look = async (tx: Tx): Promise<readonly unknown[]> => {
    const left: unknown[] = [];
    for (const row of rows) {
      const id = idOf(row);
      if (typeof id !== 'string' || !(await store.isAdded?.(tx, id))) left.push(row);
    }
    return left;
  };
  return store.transaction(look).catch(() => rows);
}

/**
 * Handles every event after the cursor that no webhook has delivered. An event that cannot be
 * handled delays no other event. The cursor then stays before the page of the failed event, so that
 * the next reconciliation tries the event again.
 *
 * @returns the number of events that were read
 * @throws RelayError; the first error that `handle` threw; TypeError when `livemode` is no boolean
 */
export async function reconcile<Tx>(options: ReconcileOptions<Tx>): Promise<number> {
  checkMode(options.livemode);
  const failures: unknown[] = [];
  let cursor = (await options.cursor.load()) ?? undefined;
  let read = 0;
  let more: boolean;
  do {
    const page = await listEvents(options, cursor);
    read += page.events.length;
    for (const listed of await withoutHandled(options.store, page.events))
      try {
        await handleOnce(options, readListed(listed));
      } catch (error) {
        failures.push(error);
      }
    ({ cursor, more } = page);
    if (failures.length === 0) await options.cursor.save(cursor);
  } while (more);
  if (failures.length > 0) throw failures[0];
  return read;
}
