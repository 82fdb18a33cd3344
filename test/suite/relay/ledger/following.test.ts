/** One ledger file and another process: repairs in batches, and changes between two reads. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { sqliteEngine } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import type { SqliteDatabase } from '../../../../relay/ledger/sqlite/statements.js';
import { openSqlite } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { claimOrder } from '../../support/ledger-calls.js';

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
  const ledger = await openSqlite(sqliteEngine({ writer, reader, relaxed }));
  const order = { ...fresh, created_at: AT, next_check_at: null };
  await claimOrder(ledger, { intent: freshIntent, order, after: null });
  return { ledger, other };
}

/** Writes `count` more intents: copies of the first one, whose answered order is due at `due`. */
function copyIntent(other: DatabaseSyncInstance, count: number, due: string, name = 'copy'): void {
  const id = `'${name}-' || n`;
  const body = `json_set(body, '$.intent_id', ${id}, '$.orders[0].intent_id', ${id},
    '$.orders[0].request_id', ${id}, '$.orders[0].sending', 'answered',
    '$.orders[0].next_check_at', ${due})`;
  other.exec(`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into intents (intent_id, version, body, created_at, due_at, position)
    select ${id}, 1, ${body}, created_at, ${due}, (select max(position) from intents) + n
    from intents, numbers where intents.intent_id = '${freshIntent.intent_id}'`);
}

describe('a repair of more orders than fit into a batch', () => {
  it('makes all orders due, also when two at the end of a batch have the same time', async () => {
    const { ledger, other } = await open();
    // the orders 1000 and 1001
    copyIntent(other, 1003, `${AT} + 100000 + n - (n > 1000)`);
    const longest = { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 };
    const due = (): unknown =>
      other.prepare(`select count(*) as due from intents where due_at = ${AT}`).get()?.due;
    const from = await ledger.repairSchedules(AT, longest, null);
    assert.deepEqual([from, due()], [AT + 101_000, 1001]);
    assert.equal(await ledger.repairSchedules(AT, longest, from), null);
    assert.equal(due(), 1003);
    await ledger.close();
    other.close();
  });

  it('makes all orders due when more than a batch have the same time', async () => {
    const { ledger, other } = await open();
    copyIntent(other, 3000, `${AT} + 100000`);
    const longest = { claimMs: 14_000, retryMs: [], checkMs: () => 10_000 };
    await ledger.repairSchedules(AT, longest, null);
    const late = other.prepare(`select count(*) as late from intents where due_at > ${AT}`);
    assert.equal(late.get()?.late, 0);
    await ledger.close();
    other.close();
  });
});

describe('the changes of a ledger', () => {
  it('reports a change that another process commits between two reads', async () => {
    let write = (): void => {};
    const { ledger, other } = await open((sql) => {
      if (sql.startsWith('select intent_id, version, position')) write();
    });
    const { cursor } = await ledger.changes(null);
    copyIntent(other, 1, 'null');
    write = () => {
      write = () => {};
      copyIntent(other, 1, 'null', 'during');
    };
    const during = await ledger.changes(cursor);
    const later = await ledger.changes(during.cursor);
    const reported = [...during.changed, ...later.changed].map(({ intent_id }) => intent_id);
    assert.deepEqual(reported.sort(), ['copy-1', 'during-1']);
    await ledger.close();
    other.close();
  });

  it('are read without a body, which may be long', async () => {
    const { ledger, other } = await open();
    const { cursor } = await ledger.changes(null);
    copyIntent(other, 2, 'null');
    other.exec("update intents set body = 'unreadable'");
    assert.deepEqual((await ledger.changes(cursor)).changed, [
      { intent_id: 'copy-1', version: 1 },
      { intent_id: 'copy-2', version: 1 },
    ]);
    await ledger.close();
    other.close();
  });
});
