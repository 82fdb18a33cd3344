/**
 * Claims the first order of a new intent in one statement, as most pays need it. PostgreSQL then
 * has one request to answer and not five.
 */
import { sql } from 'kysely';
import { GENERATION } from '../ledger.js';
import type { IntentRow } from '../rows.js';
import type { OrderToWrite } from './order-table.js';
import { ofEngine, prepared } from './prepared.js';
import { columnsOf, valuesOf } from './row-parts.js';

type FirstClaim = { intent: IntentRow; order: OrderToWrite };

/**
 * Inserts the intent and its order. The statement inserts nothing and returns no
 * row when the ledger has the intent, or when a newer relay has migrated the ledger.
 */
export const claimFirst = ofEngine((engine) =>
  prepared((db, { intent, order }: FirstClaim) => {
    return {
      compile: () =>
        sql<IntentRow>`
          with opened as (
            insert into intents (${columnsOf(intent)})
            select ${valuesOf(intent)}
            where exists (
              select 1 from settings
              where name = 'generation' and value = ${sql.lit(String(GENERATION))})
            on conflict do nothing
            returning *
          ), placed as (
            insert into order_places (request_id, intent_id, ordinal, intent_created_at)
            select ${order.request_id}, intent_id, ${order.ordinal}, created_at from opened
          ), ordered as (
            insert into orders (${columnsOf(order)}, changed_in, intent_created_at)
            select ${valuesOf(order)}, ${engine.nextOrder}, opened.created_at from opened
          )
          select * from opened`.compile(db),
    };
  }),
);
