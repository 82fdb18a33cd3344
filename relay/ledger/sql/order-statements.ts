/** The statements that claim, read and write intents and their orders. */
import type { Kysely } from 'kysely';
import type { OrderChange, OrderToWrite } from './order-table.js';
import { createdAtOf, inMonthOfIntent, inMonthOfOrder, insertPlace } from './order-places.js';
import { ofEngine, prepared } from './prepared.js';
import type { Tables } from './tables.js';

/** Records the intent's first payment. */
export const setPaid = prepared((db, value: { requestId: string; intentId: string }) =>
  db
    .updateTable('intents')
    .set({ paid_request_id: value.requestId })
    .where('intent_id', '=', value.intentId)
    .where('paid_request_id', 'is', null),
);

export const orderStatements = ofEngine((engine) => ({
  selectOrder: prepared((db, { requestId }: { requestId: string }) =>
    db
      .selectFrom('orders')
      .selectAll()
      .where('request_id', '=', requestId)
      .$if(engine.hasMonths, (query) => query.where(inMonthOfOrder(requestId))),
  ),
  selectOrdersOf: prepared((db, { intentId }: { intentId: string }) =>
    db
      .selectFrom('orders')
      .selectAll()
      .where('intent_id', '=', intentId)
      .$if(engine.hasMonths, (query) => query.where(inMonthOfIntent(intentId)))
      .orderBy('ordinal'),
  ),
  selectInIntent: prepared((db, { requestId }: { requestId: string }) =>
    db
      .selectFrom('orders')
      .innerJoin('intents', 'intents.intent_id', 'orders.intent_id')
      .selectAll('orders')
      .select(['intents.closed_at', 'intents.paid_request_id'])
      .where('orders.intent_id', '=', (is) =>
        engine.hasMonths
          ? is.selectFrom('order_places').select('intent_id').where('request_id', '=', requestId)
          : is
              .selectFrom('orders as named')
              .select('intent_id')
              .where('request_id', '=', requestId),
      )
      .$if(engine.hasMonths, (query) => query.where(inMonthOfOrder(requestId)))
      .orderBy('orders.ordinal'),
  ),
  insertOrder: prepared((db, { row }: { row: OrderToWrite }) => {
    const values = { ...row, changed_in: engine.nextOrder };
    if (!engine.hasMonths) return db.insertInto('orders').values(values);
    return db
      .with('place', () => insertPlace(db, row))
      .insertInto('orders')
      .values({ ...values, intent_created_at: createdAtOf(row.intent_id) });
  }),
  updateOrder: prepared((db, value: { row: OrderChange; requestId: string; before: number }) =>
    db
      .updateTable('orders')
      .set({ ...value.row, changed_in: engine.nextOrder })
      .where('request_id', '=', value.requestId)
      .where('version', '=', value.before)
      .$if(engine.hasMonths, (query) => query.where(inMonthOfOrder(value.requestId))),
  ),
  lockIntent: prepared((db, { intentId }: { intentId: string }) =>
    engine.lock(db.selectFrom('intents').selectAll().where('intent_id', '=', intentId)),
  ),
}));

type NewCurrent = { intentId: string; content: string; requestId: string };

/** Makes another order the current one of an intent that is neither paid nor closed. */
const setCurrent = (db: Kysely<Tables>, { content, intentId, requestId }: NewCurrent) =>
  db
    .updateTable('intents')
    .set({ current_request_id: requestId })
    .where('intent_id', '=', intentId)
    .where('content', '=', content)
    .where('paid_request_id', 'is', null)
    .where('closed_at', 'is', null)
    .returningAll();

export const setFirst = prepared((db, value: NewCurrent) =>
  setCurrent(db, value).where('current_request_id', 'is', null),
);

export const setNext = prepared((db, value: NewCurrent & { after: string }) =>
  setCurrent(db, value).where('current_request_id', '=', value.after),
);
