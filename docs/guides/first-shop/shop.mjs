/** A whole shop: a page that sells one thing, and a SQLite database with the paid orders. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { DatabaseSync } from '@photostructure/sqlite'; // from Node 22.13 on: node:sqlite
import {
  EVENTS_TABLE,
  needsRefund,
  receiveEvents,
  reconcile,
  signOrderToken,
  sqliteStore,
} from 'pay-checkout/shop';

const relay = 'http://localhost:8787'; // public_url of the relay
const secret = (name) => readFileSync(`secrets/${name}`, 'utf8').trim();
const sale = { amount: '19.90', currency: 'USD', product_name: 'T-shirt' };
// write true where goods are delivered: then an order of mode test pays nothing
const livemode = undefined;

const database = new DatabaseSync('shop.db');
database.exec(`pragma journal_mode = wal; pragma busy_timeout = 5000; ${EVENTS_TABLE}
  create table if not exists orders
    (id text primary key, amount text, currency text, product_name text,
      paid_at text, paid_by text);
  create table if not exists progress (id integer primary key, cursor text);`);
const store = sqliteStore(database);
/** Runs a statement in a transaction of its own. */
const sql = (text, ...values) => store.transaction(async (tx) => tx.prepare(text).get(...values));
const orderOf = (id) => sql('select * from orders where id = ?', id);

/** Records a new order, before a token of it is sent to a page. */
async function addOrder() {
  const id = crypto.randomUUID();
  const { amount, currency, product_name } = sale;
  await sql(
    'insert into orders values (?, ?, ?, ?, null, null)',
    id,
    amount,
    currency,
    product_name,
  );
  return id;
}

/** Runs once for each event, in one transaction with the row that remembers the event. */
async function handle(event, { tx }) {
  const { amount, currency, intent_id, request_id } = event.data;
  // the payment that the shop delivers for; a restored relay may call another one the first
  const paidBy = tx.prepare('select paid_by from orders where id = ?').get(intent_id)?.paid_by;
  // a person must pay it back: the order service has no refund
  if (needsRefund(event, paidBy)) return console.error(`pay back ${request_id} of ${intent_id}`);
  if (event.type !== 'order.succeeded' || paidBy) return;
  const paid = tx.prepare(`update orders set paid_at = ?, paid_by = ?
    where id = ? and amount = ? and currency = ? returning id`);
  // a person must look: it is paid, and the shop knows no such order
  if (!paid.get(event.timestamp, request_id, intent_id, amount, currency))
    console.error(`no order ${intent_id} of ${amount} ${currency}`);
}
const receive = receiveEvents({ secrets: secret('shop-events-secret'), store, handle, livemode });

/** Handles the events that no webhook delivered; runs at start and every minute. */
const catchUp = () =>
  reconcile({
    relay,
    secret_key: secret('secret-key'),
    store,
    handle,
    livemode,
    cursor: {
      load: async () => (await sql('select cursor from progress'))?.cursor,
      save: (cursor) => sql('insert or replace into progress values (1, ?)', cursor),
    },
  }).catch((error) => console.error(String(error)));
setInterval(catchUp, 60_000);

/** Each token of one order has the same `jti`, so that a reload finds what was paid. */
async function page({ amount, currency, id, paid_at, product_name }) {
  const token = await signOrderToken(
    // the sale may have another price or name since the order was recorded
    { aud: relay, jti: id, customer_ref_id: 'customer-42', amount, currency, product_name },
    { kid: 'k1', secret: secret('order-token-key') },
  );
  const address = `http://localhost:3000/checkout/${id}`;
  return `<!doctype html>
<meta charset="utf-8">
<title>My shop</title>
<script src="${relay}/pay-checkout.js" defer></script>
${paid_at ? '<p>Paid. Your T-shirt is on its way.</p>' : ''}
<pay-checkout order-token="${token}" return-url="${address}"></pay-checkout>
`;
}

async function answer(request, response) {
  // a payment page may add parameters to the address that it returns to
  const { pathname } = new URL(request.url, 'http://localhost:3000');
  if (request.method === 'POST' && pathname === '/hooks/pay') {
    // reads no more of a body than an event can have
    const init = { method: 'POST', body: Readable.toWeb(request), duplex: 'half' };
    const hook = new Request(relay, { ...init, headers: request.headers });
    return response.writeHead((await receive(hook)).status).end();
  }
  // this visit stands for the button Buy; a reload of the order's own address begins no second one
  if (pathname === '/')
    return response.writeHead(303, { location: `/checkout/${await addOrder()}` }).end();
  const order = await orderOf(pathname.replace('/checkout/', ''));
  if (!order) return response.writeHead(404).end();
  // no cache may keep a token
  const headers = { 'content-type': 'text/html', 'cache-control': 'no-store' };
  const html = await page(order);
  response.writeHead(200, headers).end(html);
}
// an error that nobody catches ends the process, for example when the database stays locked
createServer((request, response) =>
  answer(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  }),
).listen(3000, () => console.log('shop on http://localhost:3000'));
catchUp();
