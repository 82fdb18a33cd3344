/** Checks a ledger with the database's own check, and finds rows that contradict each other. */
import { sql, type Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Engine } from './engine.js';
import type { Tables } from './tables.js';

/** Rows reported for each contradiction; there may be millions. */
const MAX_NAMED_ROWS = 10;

type Contradiction = readonly [problem: string, query: string];

/** Each problem, with a query for the ids of its rows. */
const CONTRADICTIONS: readonly Contradiction[] = [
  [
    'intent whose current order is missing',
    `select intent_id as id from intents where current_request_id is not null and not exists
      (select 1 from orders where orders.request_id = intents.current_request_id)`,
  ],
  [
    'intent whose paying order is missing or did not succeed',
    `select intent_id as id from intents where paid_request_id is not null and not exists
      (select 1 from orders where orders.request_id = intents.paid_request_id
        and orders.outcome = 'succeeded')`,
  ],
  [
    'order that succeeded, of an intent that is not paid',
    `select request_id as id from orders where outcome = 'succeeded' and exists
      (select 1 from intents where intents.intent_id = orders.intent_id
        and intents.paid_request_id is null)`,
  ],
];

const WITHOUT_MONTHS: readonly Contradiction[] = [
  [
    'order without its intent',
    `select request_id as id from orders
      where not exists (select 1 from intents where intents.intent_id = orders.intent_id)`,
  ],
];

/** Orders without an intent are right here: their intent is purged, and their month drops soon. */
const WITH_MONTHS: readonly Contradiction[] = [
  [
    'order without its place',
    `select request_id as id from orders
      where exists (select 1 from intents where intents.intent_id = orders.intent_id)
        and not exists
          (select 1 from order_places where order_places.request_id = orders.request_id)`,
  ],
  [
    'order that is not where its place says',
    `select request_id as id from order_places where not exists
      (select 1 from orders where orders.request_id = order_places.request_id
        and orders.intent_created_at = order_places.intent_created_at)`,
  ],
];

export const sqlVerify = (
  read: Kysely<Tables>,
  engine: Engine,
): Pick<Ledger, 'verify' | 'backup'> => ({
  verify: async () => {
    const found: string[] = [];
    if (engine.checkQuery !== null) {
      const { rows } = await sql<{ integrity_check: string }>`${engine.checkQuery}`.execute(read);
      for (const { integrity_check } of rows)
        if (integrity_check !== 'ok') found.push(integrity_check);
    }
    const ofEngine = engine.hasMonths ? WITH_MONTHS : WITHOUT_MONTHS;
    for (const [problem, query] of [...ofEngine, ...CONTRADICTIONS]) {
      const { rows } = await sql<{ id: string }>`${sql.raw(query)} limit ${MAX_NAMED_ROWS}`.execute(
        read,
      );
      found.push(...rows.map(({ id }) => `${problem}: ${id}`));
    }
    return found;
  },
  backup: async (file) => {
    if (engine.backupQuery === null)
      throw new Error('back up a PostgreSQL ledger with pg_dump or with a base backup');
    await sql`${engine.backupQuery(file)}`.execute(read);
  },
});
