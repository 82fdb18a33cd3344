/** One ledger file and another process: repairs in batches, changes between two reads, old rows. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { sqliteEngine } from '../../../../relay/ledger/sql/sqlite-dialect.js';
import type { SqliteDatabase } from '../../../../relay/ledger/sql/sqlite-statements.js';
import { sqlLedger } from '../../../../relay/ledger/sql/sql-ledger.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('following');

let files = 0;
const newFile = (): string => join(folder, `${files++}.db`);
const AT = 1_000_000;

/** Opens a ledger with one order. `beforeRead` is called before each read outside a transaction. */
async function open(beforeRead: (sql: string) => void = () => {}): Promise<{
  ledger: Ledger;
  /** A connection of another process. */
  other: DatabaseSyncInstance;
}> {
  const file = newFile();
  const connect = (): DatabaseSyncInstance => {
    const database = new DatabaseSync(file);
    database.exec('pragma journal_mode = wal; pragma synchronous = off');
    return database;
  };
  const [writer, relaxed, reads, other] = [connect(), connect(), connect(), connect()];
  const reader: SqliteDatabase = {
    prepare: (sql) => {
      const statement = reads.prepare(sql);
      return {
        all: (...values) => (beforeRead(sql), statement.all(...(values as string[]))),
        run: (...values) => statement.run(...(values as string[])),
        columns: () => statement.columns(),
        setReturnArrays: (returnArrays) => statement.setReturnArrays(returnArrays),
      };
    },
    exec: (sql) => reads.exec(sql),
    close: () => reads.close(),
  };
  const ledger = await sqlLedger(sqliteEngine({ writer, reader, relaxed }));
  const order = { ...fresh, created_at: AT, next_check_at: null };
  await ledger.claimOrder({ intent: freshIntent, order, after: null });
  return { ledger, other };
}

/** Writes `count` more orders of the same intent: copies of its order with other values. */
function copyOrder(other: DatabaseSyncInstance, count: number, values: Record<string, string>) {
  const columns = other
    .prepare('select name from pragma_table_info(?)')
    .all('orders')
    .map(({ name }) => String(name));
  const written: Record<string, string> = {
    request_id: "'copy-' || n",
    ordinal: 'n + 1',
    ...values,
  };
  other.exec(`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into orders (${columns.join()})
    select ${columns.map((column) => written[column] ?? column).join()} from orders, numbers`);
}

describe('a repair of more orders than fit into a batch', () => {
  it('makes all orders due, also when two at the end of a batch have the same time', async () => {
    const { ledger, other } = await open();
    // the orders 1000 and 1001
    const next_check_at = `${AT} + 100000 + n - (n > 1000)`;
    copyOrder(other, 1003, { sending: "'answered'", next_check_at });
    const longest = { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 };
    const due = (): unknown =>
      other.prepare(`select count(*) as due from orders where next_check_at = ${AT}`).get()?.due;
    const from = await ledger.repairSchedules(AT, longest, null);
    assert.deepEqual([from, due()], [AT + 101_000, 1001]);
    assert.equal(await ledger.repairSchedules(AT, longest, from), null);
    assert.equal(due(), 1003);
    await ledger.close();
    other.close();
  });

  it('makes all orders of one time due when a statement cannot name them all', async () => {
    const { ledger, other } = await open();
    // a statement of SQLite takes 32,766 values
    copyOrder(other, 33_000, { sending: "'answered'", next_check_at: `${AT} + 100000` });
    const longest = { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 };
    await ledger.repairSchedules(AT, longest, null);
    const late = other.prepare(`select count(*) as late from orders where next_check_at > ${AT}`);
    assert.equal(late.get()?.late, 0);
    await ledger.close();
    other.close();
  });
});

describe('the changes of a ledger', () => {
  it('reports a change that another process commits between two reads', async () => {
    let write = (): void => {};
    const { ledger, other } = await open((sql) => {
      if (sql.includes('changed_in as seq')) write();
    });
    const { cursor } = await ledger.changes(null);
    const number = '(select max(changed_in) + 1 from orders)';
    copyOrder(other, 1, { changed_in: number });
    write = () => {
      write = () => {};
      const names = { request_id: "request_id || '-during'", ordinal: 'ordinal + 2' };
      copyOrder(other, 1, { changed_in: number, ...names });
    };
    const during = await ledger.changes(cursor);
    const later = await ledger.changes(during.cursor);
    const reported = [...during.changed, ...later.changed].map(({ request_id }) => request_id);
    const copies = ['copy-1', 'copy-1-during', `${fresh.request_id}-during`];
    assert.deepEqual(reported.sort(), copies.sort());
    await ledger.close();
    other.close();
  });
});

describe('an intent without an order', () => {
  it('takes an order', async () => {
    const { ledger, other } = await open();
    other.exec('delete from orders; update intents set current_request_id = null');
    const order = { ...fresh, request_id: 'another' };
    const { claimed } = await ledger.claimOrder({ intent: freshIntent, order, after: null });
    assert.equal(claimed, true);
    const intent = await ledger.intent(freshIntent.intent_id);
    assert.equal(intent?.current_request_id, 'another');
    await ledger.close();
    other.close();
  });
});
