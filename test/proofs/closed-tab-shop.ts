/**
 * The shop's backend of the proof `closed-tab`, a process of its own: it completes paid orders in
 * its SQLite database, by webhook and by reconciliation. A part of the webhooks is lost before it.
 */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  EVENTS_TABLE,
  receiveEvents,
  reconcile,
  sqliteStore,
  type HandleEvent,
} from '../../widget/shop/index.js';
import { sleep } from '../suite/support/wait.js';

const RECONCILE_EVERY_MS = 500;
/** Long enough that most kills come in the middle of a transaction. */
const WORK_MS = 4;

const [port = '', file = '', relay = '', lostPercent = ''] = process.argv.slice(2);
const secret_key = process.env.SECRET ?? '';
const database = new DatabaseSync(file);
database.exec(`pragma journal_mode = wal; ${EVENTS_TABLE}
  create table if not exists completed (intent_id text, request_id text);
  create table if not exists stock (taken integer);
  create table if not exists progress (cursor text);
  insert into stock select 0 where not exists (select * from stock);`);
const store = sqliteStore(database);

const note = (what: string, intentId: string): void =>
  appendFileSync(`${file}.notes`, `${what} ${intentId}\n`);

/** Two writes with a pause: a kill between them must leave neither. */
const handle: HandleEvent<typeof database> = async ({ data, type }, { tx }) => {
  if (type !== 'order.succeeded') return;
  note('begun', data.intent_id);
  tx.prepare('insert into completed values (?, ?)').run(data.intent_id, data.request_id);
  await sleep(WORK_MS);
  tx.prepare('update stock set taken = taken + 1').run();
};

/** Chooses the events whose every delivery is lost, so that only a reconciliation finds them. */
const isLost = (id: string): boolean =>
  createHash('sha256').update(id).digest().readUInt16BE() % 100 < Number(lostPercent);

const receive = receiveEvents({ secrets: secret_key, store, handle });
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const id = String(request.headers['webhook-id']);
    if (!isLost(id))
      return void receive
        .parts(Buffer.concat(chunks), request.headers)
        .then(({ status }) => response.writeHead(status).end());
    note('lost', id);
    response.writeHead(200).end();
  });
});
server.listen(Number(port), () => console.log(`shop on http://localhost:${port} is ready`));

const options = {
  relay,
  secret_key,
  store,
  handle,
  cursor: {
    load: async () => {
      const row = database.prepare('select cursor from progress').get();
      return (row as { cursor: string } | undefined)?.cursor;
    },
    save: (cursor: string) =>
      store.transaction(async (tx) => {
        tx.exec('delete from progress');
        tx.prepare('insert into progress values (?)').run(cursor);
      }),
  },
};
for (;;) {
  await reconcile(options).catch((error: unknown) => console.error(String(error)));
  await sleep(RECONCILE_EVERY_MS);
}
