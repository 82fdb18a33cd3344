/** The outbox half of the SQL ledger: events are taken under a lease, in order per intent. */
import type { Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Tables } from './tables.js';

export const sqlOutbox = (
  db: Kysely<Tables>,
): Pick<Ledger, 'takeEvents' | 'noteTry' | 'outbox'> => ({
  takeEvents: (now, until, limit) =>
    db.transaction().execute(async (transaction) => {
      const due = await transaction
        .selectFrom('shop_events as event')
        .select('event.seq')
        .where('event.next_try_at', '<=', now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('shop_events as earlier')
                .select('earlier.seq')
                .whereRef('earlier.intent_id', '=', 'event.intent_id')
                .whereRef('earlier.seq', '<', 'event.seq')
                .where('earlier.next_try_at', 'is not', null),
            ),
          ),
        )
        .orderBy('event.seq')
        .limit(limit)
        .execute();
      if (due.length === 0) return [];
      return transaction
        .updateTable('shop_events')
        .set({ next_try_at: until })
        .where(
          'seq',
          'in',
          due.map(({ seq }) => seq),
        )
        .where('next_try_at', '<=', now)
        .returningAll()
        .execute();
    }),
  noteTry: async (eventId, outcome) => {
    await db
      .updateTable('shop_events')
      .set(({ eb }) =>
        'deliveredAt' in outcome
          ? { next_try_at: null, delivered_at: outcome.deliveredAt }
          : { next_try_at: outcome.nextTryAt, tries: eb('tries', '+', 1) },
      )
      .where('event_id', '=', eventId)
      .execute();
  },
  outbox: async () => {
    const { waiting, oldest } = await db
      .selectFrom('shop_events')
      .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest')])
      .where('next_try_at', 'is not', null)
      .executeTakeFirstOrThrow();
    return { waiting: Number(waiting), oldest: waiting === 0 ? null : oldest };
  },
});
