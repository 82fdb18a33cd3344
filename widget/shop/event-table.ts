/**
 * The table of the handled events in the shop's own database, PostgreSQL or SQLite. It also has one
 * row for each intent. Every event updates this row first and thereby locks it, so that two events
 * of one intent cannot be handled at the same time. `sqliteStore` needs no such row, because it
 * runs one transaction at a time.
 */

import type { EventStore } from './receive-events.js';

/** The shop executes this once, where it creates its other tables. */
export const EVENTS_TABLE = `create table if not exists pay_checkout_events (
  event_id text primary key,
  intent_id text not null,
  epoch text not null,
  sequence integer not null
);
create index if not exists pay_checkout_events_by_intent
  on pay_checkout_events (intent_id, epoch, sequence);`;

export const TABLE_NAME = 'pay_checkout_events';

export type EventRow = { event_id: string; intent_id: string; epoch: string; sequence: number };

/** The row that every event of an intent locks. */
export const lockRowOf = (intent_id: string): EventRow => ({
  event_id: `intent ${intent_id}`,
  intent_id,
  epoch: '',
  sequence: 0,
});

type Values = readonly (string | number)[];

/** Runs a statement with a value at each end of a piece but the last, and resolves to its rows. */
type RowsOf<Tx> = (
  tx: Tx,
) => (pieces: TemplateStringsArray, ...values: Values) => Promise<readonly unknown[]>;

/**
 * Writes and reads the table. Each library marks the places of the values in its own way.
 *
 * @param locks false where two transactions cannot run at the same time
 */
export const recordBy = <Tx>(
  rowsOf: RowsOf<Tx>,
  locks = true,
): Required<Omit<EventStore<Tx>, 'transaction'>> => ({
  add: async (tx, row) => {
    const lock = lockRowOf(row.intent_id);
    if (locks)
      await rowsOf(tx)`insert into pay_checkout_events (event_id, intent_id, epoch, sequence)
        values (${lock.event_id}, ${lock.intent_id}, ${lock.epoch}, ${lock.sequence})
        on conflict (event_id) do update set epoch = ''`;
    const added = await rowsOf(tx)`insert into pay_checkout_events
      (event_id, intent_id, epoch, sequence)
      values (${row.event_id}, ${row.intent_id}, ${row.epoch}, ${row.sequence})
      on conflict (event_id) do nothing returning event_id`;
    return added.length > 0;
  },
  lastSequence: async (tx, { epoch, intent_id }) => {
    const [row] = await rowsOf(tx)`select coalesce(max(sequence), 0) as last
      from pay_checkout_events where intent_id = ${intent_id} and epoch = ${epoch}`;
    return Number((row as { last?: unknown } | undefined)?.last ?? 0);
  },
  isAdded: async (tx, event_id) => {
    const found = await rowsOf(tx)`select 1 as found
      from pay_checkout_events where event_id = ${event_id}`;
    return found.length > 0;
  },
});
