/** Claims, reads and writes of intents and their orders. */
import type { Kysely, Transaction } from 'kysely';
import { GENERATION, type Ledger } from '../ledger.js';
import { GenerationError } from '../ledger-errors.js';
import { linkOfIntent, mayChangeUse } from '../pay-link-ledger.js';
import type { IntentRow, OrderRow } from '../rows.js';
import type { Engine } from './engine.js';
import { writeAndCount, writeChanged, writeOrder } from './changed-order.js';
import { createEventChanges } from './event-change.js';
import { claimFirst } from './first-claim.js';
import { findIntent, intentRow } from './intent-table.js';
import { orderStatements, setFirst, setNext } from './order-statements.js';
import { createdAtOf, insertPlaceOnce } from './order-places.js';
import { fromTable, toTable } from './order-table.js';
import { firstOf } from './prepared.js';
import { settingRow } from './setting-table.js';
import { insertIntent } from './sql-closing.js';
import { writeCountedEvents } from './sql-events.js';
import { countingUse, LinkClosed } from './sql-pay-links.js';
import type { Tables } from './tables.js';

type Orders = Pick<
  Ledger,
  | 'addLostOrder'
  | 'claimOrder'
  | 'intent'
  | 'order'
  | 'orderInIntent'
  | 'ordersOf'
  | 'reclaimOrder'
  | 'replaceOrder'
>;

/** Thrown to roll back a claim of an order that must not be sent again. */
class NotClaimable extends Error {}

/** @param read for reads outside a transaction */
export function sqlOrders(db: Kysely<Tables>, read: Kysely<Tables>, engine: Engine): Orders {
  const { insertOrder, lockIntent, selectInIntent, selectOrder, selectOrdersOf } =
    orderStatements(engine);
  const eventChanges = createEventChanges(db, engine);
  const order = async (requestId: string): Promise<OrderRow | null> => {
    const row = firstOf(await selectOrder(read, { requestId }));
    return row ? fromTable(row) : null;
  };

  /** @returns false when the ledger has the order */
  const insertLost = async (transaction: Transaction<Tables>, lost: OrderRow): Promise<boolean> => {
    const { hasMonths } = engine;
    if (hasMonths && !(await insertPlaceOnce(transaction, lost))) return false;
    const added = await transaction
      .insertInto('orders')
      .values({
        ...toTable(lost),
        changed_in: engine.nextOrder,
        ...(hasMonths && { intent_created_at: createdAtOf(lost.intent_id) }),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('request_id')
      .executeTakeFirst();
    return added !== undefined;
  };

  return {
    claimOrder: async ({ intent, order: claim, after, payLink }) => {
      // a new intent is inserted with its order's request_id, which saves an update and keeps the
      // index of intents without an order empty
      const isFirst = after === null;
      const first = isFirst ? { ...intent, current_request_id: claim.request_id } : intent;
      const writeClaim = async (transaction: Transaction<Tables>): Promise<IntentRow | null> => {
        const opened = await insertIntent(transaction, first);
        // the insert of a new intent has read the generation
        if (!opened) await checkGeneration(transaction);
        const row =
          opened && isFirst
            ? opened
            : await replaceCurrent(transaction, intent, claim.request_id, after);
        if (!row) return null;
        await insertOrder(transaction, { row: toTable(claim) });
        return row;
      };
      const ofLink = { claim: payLink, intentId: intent.intent_id };
      const hasLink = payLink !== undefined || linkOfIntent(intent.intent_id) !== null;
      if (engine.hasMonths && isFirst && !hasLink) {
        const opened = firstOf(
          await claimFirst(engine)(db, { intent: first, order: toTable(claim) }),
        );
        if (opened) return { claimed: true, intent: opened, order: claim };
      }
      const claimed = await db
        .transaction()
        .execute((transaction) =>
          countingUse(transaction, engine, ofLink, () => writeClaim(transaction)),
        )
        .catch((error: unknown) => {
          if (error instanceof LinkClosed) return 'link_closed' as const;
          throw error;
        });
      if (claimed === 'link_closed')
        return { claimed: false, intent, order: null, refused: claimed };
      if (claimed) return { claimed: true, intent: claimed, order: claim };
      const stored = await intentRow(db, intent.intent_id);
      const current = stored.current_request_id;
      return {
        claimed: false,
        intent: stored,
        order: current === null ? null : await order(current),
      };
    },
    addLostOrder: (lost, closed) =>
      db.transaction().execute((transaction) =>
        countingUse(transaction, engine, { intentId: lost.intent_id }, async () => {
          if (closed) await insertIntent(transaction, closed);
          return insertLost(transaction, lost);
        }),
      ),
    intent: (intentId) => findIntent(read, intentId),
    order,
    orderInIntent: async (requestId) => {
      const { rows } = await selectInIntent(read, { requestId });
      const found = rows.map(({ closed_at, paid_request_id, ...row }) => {
        return { order: fromTable(row), closed_at, paid_request_id };
      });
      const named = found.find(({ order }) => order.request_id === requestId);
      if (!named) return null;
      const others = found.filter((each) => each !== named).map((each) => each.order);
      return { ...named, others };
    },
    ordersOf: async (intentId) => (await selectOrdersOf(read, { intentId })).rows.map(fromTable),
    reclaimOrder: async (row, payLink) => {
      const write = async (transaction: Transaction<Tables>): Promise<void> => {
        await checkGeneration(transaction);
        // locks the order before its intent, as replaceOrder does, so that the two cannot deadlock
        if (!(await writeChanged(transaction, engine, row))) throw new NotClaimable();
        const intent = firstOf(await lockIntent(transaction, { intentId: row.intent_id }));
        const isCurrent = intent?.current_request_id === row.request_id;
        if (!isCurrent || intent.paid_request_id !== null || intent.closed_at !== null)
          throw new NotClaimable();
      };
      const ofLink = { claim: payLink, intentId: row.intent_id };
      const reclaim = db
        .transaction()
        .execute((transaction) =>
          countingUse(transaction, engine, ofLink, () => write(transaction)),
        );
      return reclaim.then(
        () => true,
        (error: unknown) => {
          if (error instanceof LinkClosed) return 'link_closed';
          if (error instanceof NotClaimable) return false;
          throw error;
        },
      );
    },
    replaceOrder: async (row, eventsFor, { before, claimedIn, resolution } = {}) => {
      const isCounting = mayChangeUse(row, before);
      if (engine.hasMonths && !resolution && !isCounting) {
        if (!eventsFor && row.outcome !== 'succeeded') return writeOrder(db, engine, row);
        if (eventsFor && (await eventChanges.write(row, eventsFor, claimedIn))) return true;
      }
      const write = async (transaction: Transaction<Tables>): Promise<boolean> => {
        if (!eventsFor) {
          if (!(await writeChanged(transaction, engine, row))) return false;
        } else {
          const intent = await writeAndCount(transaction, engine, row);
          if (intent === false) return false;
          if (intent) {
            eventChanges.learn(intent.epoch);
            await writeCountedEvents(transaction, intent, engine, eventsFor);
          }
        }
        if (resolution) await transaction.insertInto('resolutions').values(resolution).execute();
        return true;
      };
      const ofLink = { intentId: row.intent_id };
      return db
        .transaction()
        .execute((transaction) =>
          isCounting
            ? countingUse(transaction, engine, ofLink, () => write(transaction))
            : write(transaction),
        );
    },
  };
}

/** Makes another order the current order, if the current order is still `after`. */
async function replaceCurrent(
  transaction: Transaction<Tables>,
  { content, intent_id: intentId }: IntentRow,
  requestId: string,
  after: string | null,
): Promise<IntentRow | undefined> {
  const value = { intentId, content, requestId };
  const set =
    after === null ? setFirst(transaction, value) : setNext(transaction, { ...value, after });
  return firstOf(await set);
}

/**
 * A newer relay may have migrated the ledger while this one ran.
 *
 * @throws GenerationError
 */
async function checkGeneration(transaction: Transaction<Tables>): Promise<void> {
  const found = await settingRow(transaction, 'generation');
  if (found !== String(GENERATION)) throw new GenerationError(found);
}
