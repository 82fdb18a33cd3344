/** Counts the open orders by their outcome, for the operator's gauges. */
import { sql, type Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import { openOutcomes, type OpenOutcome } from '../rows.js';
import { prepared } from './prepared.js';
import type { Tables } from './tables.js';

/** The outcomes are literals, since SQLite does not use a partial index for bound values. */
const selectOpen = prepared((db, _: object) =>
  db
    .selectFrom('orders')
    .select(({ fn, ref }) => [
      sql<OpenOutcome>`${ref('outcome')}`.as('outcome'),
      fn.countAll<number>().as('count'),
      fn.min<number>('created_at').as('oldest'),
    ])
    .where(
      'outcome',
      'in',
      openOutcomes.map((outcome) => sql.lit(outcome)),
    )
    .groupBy('outcome'),
);

export const sqlOpenOrders = (read: Kysely<Tables>): Pick<Ledger, 'openOrders'> => ({
  openOrders: async () => {
    const { rows } = await selectOpen(read, {});
    return rows.map(({ count, oldest, outcome }) => {
      return { outcome, count: Number(count), oldest: Number(oldest) };
    });
  },
});
