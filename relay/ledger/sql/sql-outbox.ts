/** The outbox: events for the shop, each leased on its own. */
import type { Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Engine } from './engine.js';
import type { Tables } from './tables.js';

export const sqlOutbox = (
  db: Kysely<Tables>,
  read: Kysely<Tables>,
  engine: Engine,
): Pick<Ledger, 'leaseDueEvents' | 'recordDelivery' | 'outbox'> => ({
  leaseDueEvents: async (now, until, limit) => {
    // most calls find nothing, and a read without a transaction delays no writer
    const some = await read
      .selectFrom('shop_events')
      .select('seq')
      .where('next_try_at', '<=', now)
      .limit(1)
      .execute();
    if (some.length === 0) return [];
    return db.transaction().execute(async (transaction) => {
      const due = await engine
        .skipLocked(
          transaction
            .selectFrom('shop_events')
            .select('seq')
            .where('next_try_at', '<=', now)
            .orderBy('next_try_at')
            .limit(limit),
        )
        .execute();
      if (due.length === 0) return [];
      const taken = await transaction
        .updateTable('shop_events')
        .set({ next_try_at: until })
        .where(
          'seq',
          'in',
          due.map(({ seq }) => seq),
        )
        .returningAll()
        .execute();
      return taken.sort((a, b) => a.seq - b.seq);
    });
  },
  recordDelivery: async (eventId, outcome) => {
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
    const { waiting, oldest } = await read
      .selectFrom('shop_events')
      .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest')])
      .where('next_try_at', 'is not', null)
      .executeTakeFirstOrThrow();
    return { waiting: Number(waiting), oldest: Number(waiting) === 0 ? null : oldest };
  },
});
