import { readFileSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import {
  EVENTS_TABLE,
  needsRefund,
  receiveEvents,
  reconcile,
  signOrderToken,
  sqliteStore,
  type HandleEvent,
} from 'pay-checkout/shop';

export const relay = 'http://localhost:3000/pay'; // public_url of the relay
const secret = (name: string) => readFileSync(`secrets/${name}`, 'utf8').trim();
const sale = { amount: '19.90', currency: 'USD', product_name: 'T-shirt' };
// write true where goods are delivered: then an order of mode test pays nothing
const livemode = undefined;

function open() {
  const database = new DatabaseSync('shop.db');
  database.exec(`pragma journal_mode = wal; pragma busy_timeout = 5000; ${EVENTS_TABLE}
    create table if not exists orders
      (id text primary key, amount text, currency text, product_name text,
        paid_at text, paid_by text);
    create table if not exists progress (id integer primary key, cursor text);`);
  return sqliteStore(database);
}
declare global {
  var shopStore: ReturnType<typeof open> | undefined;
}
// Next.js loads this file several times, and its transactions must wait for each other
const store = (globalThis.shopStore ??= open());

/** Runs once for each event, in one transaction with the row that remembers the event. */
const handle: HandleEvent<DatabaseSyncInstance> = (event, { tx }) => {
  const { amount, currency, intent_id, request_id } = event.data;
  // the payment that the shop delivers for; a restored relay may call another one the first
  const paidBy = tx.prepare('select paid_by from orders where id = ?').get(intent_id)?.paid_by;
  // a person must pay it back: the order service has no refund
  if (needsRefund(event, paidBy)) return console.error(`pay back ${request_id} of ${intent_id}`);
  if (event.type !== 'order.succeeded' || paidBy) return;
  const { changes } = tx
    .prepare(
      `update orders set paid_at = ?, paid_by = ?
       where id = ? and amount = ? and currency = ?`,
    )
    .run(event.timestamp, request_id, intent_id, amount, currency);
  // a person must look: it is paid, and the shop knows no such order
  if (changes === 0) console.error(`no order ${intent_id} of ${amount} ${currency}`);
};
export const receive = receiveEvents({
  secrets: secret('shop-events-secret'),
  store,
  handle,
  livemode,
});

/** Handles the events that no webhook delivered. */
export const catchUp = () =>
  reconcile({
    relay,
    secret_key: secret('secret-key'),
    store,
    handle,
    livemode,
    cursor: {
      load: () =>
        store.transaction(async (tx) => tx.prepare('select cursor from progress').get()?.cursor),
      save: (cursor) =>
        store.transaction(async (tx) =>
          tx.prepare('insert or replace into progress values (1, ?)').run(cursor),
        ),
    },
  }).catch((error) => console.error(String(error)));

/** Records a new order, before a token of it is sent to a page. */
export async function sell() {
  const id = crypto.randomUUID();
  const { amount, currency, product_name } = sale;
  await store.transaction(async (tx) =>
    tx
      .prepare('insert into orders values (?, ?, ?, ?, null, null)')
      .run(id, amount, currency, product_name),
  );
  return id;
}

/** Each token of one order has the same `jti`, so that a reload finds what was paid. */
export async function tokenOf(id: string) {
  const order = await store.transaction(async (tx) =>
    tx.prepare('select amount, currency, product_name from orders where id = ?').get(id),
  );
  if (order === undefined) return null;
  // the sale may have another price or name since the order was recorded
  const { amount, currency, product_name } = order;
  return signOrderToken(
    { aud: relay, jti: id, customer_ref_id: 'c-42', amount, currency, product_name },
    { kid: 'k1', secret: secret('order-token-key') },
  );
}
