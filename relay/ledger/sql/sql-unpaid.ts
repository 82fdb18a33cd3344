/** Finds the intents that are due for a report as unpaid, and writes the events about them. */
import type { Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Engine } from './engine.js';
import { orderStatements } from './order-statements.js';
import { fromTable } from './order-table.js';
import { settingRow } from './setting-table.js';
import { writeEvents } from './sql-events.js';
import type { Tables } from './tables.js';

export const sqlUnpaid = (
  db: Kysely<Tables>,
  read: Kysely<Tables>,
  engine: Engine,
): Pick<Ledger, 'dueUnpaid' | 'settleUnpaid'> => ({
  dueUnpaid: (now, limit) =>
    read
      .selectFrom('intents')
      .selectAll()
      .where('unpaid_due_at', '<=', now)
      .orderBy('unpaid_due_at')
      .limit(limit)
      .execute(),
  settleUnpaid: (intentId, now, decide) =>
    db.transaction().execute(async (transaction) => {
      const intent = await engine
        .skipLocked(
          transaction
            .selectFrom('intents')
            .selectAll()
            .where('intent_id', '=', intentId)
            // another relay may have settled the intent since it was found
            .where('unpaid_due_at', '<=', now),
        )
        .executeTakeFirst();
      if (!intent) return;
      const { rows } = await orderStatements(engine).selectOrdersOf(transaction, { intentId });
      let postponedTo: number | null = null;
      const epoch = await settingRow(transaction, 'epoch');
      await writeEvents(transaction, { intent, epoch }, engine, (_, position) => {
        const decision = decide(intent, rows.map(fromTable), position);
        if (decision === 'drop') return [];
        if (!('postponeTo' in decision)) return decision;
        postponedTo = decision.postponeTo;
        return [];
      });
      await transaction
        .updateTable('intents')
        .set({ unpaid_due_at: postponedTo })
        .where('intent_id', '=', intentId)
        .execute();
    }),
});
