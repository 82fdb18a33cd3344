/** Prepared statements: built once, executed many times. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely } from 'kysely';
import { postgresEngine } from '../../../../relay/ledger/sql/postgres-engine.js';
import { prepared } from '../../../../relay/ledger/sql/prepared.js';
import { sqliteEngine } from '../../../../relay/ledger/sql/sqlite-dialect.js';
import type { Tables } from '../../../../relay/ledger/sql/tables.js';

const open = () => new DatabaseSync(':memory:');
const sqlite = (): Kysely<Tables> => {
  const writer = open();
  writer.exec('create table settings (name text primary key, value text)');
  const { dialect } = sqliteEngine({ writer, reader: open(), relaxed: open() });
  return new Kysely<Tables>({ dialect });
};

type Setting = { name: string; value: string };
const insert = prepared((db, { row }: { row: Setting }) => db.insertInto('settings').values(row));

describe('a prepared statement', () => {
  it('builds a statement once, and executes it with the values of each call', async () => {
    let built = 0;
    const select = prepared((database, { name }: { name: string }) => {
      built++;
      return database.selectFrom('settings').select('value').where('name', '=', name);
    });
    const db = sqlite();
    await insert(db, { row: { name: 'a', value: '1' } });
    await insert(db, { row: { value: '2', name: 'b' } });
    assert.deepEqual((await select(db, { name: 'a' })).rows, [{ value: '1' }]);
    assert.deepEqual((await select(db, { name: 'b' })).rows, [{ value: '2' }]);
    assert.equal(built, 1);
  });

  it('returns the number of changed rows when a statement updates', async () => {
    const update = prepared((db, { name, value }: Setting) =>
      db.updateTable('settings').set({ value }).where('name', '=', name),
    );
    const db = sqlite();
    await insert(db, { row: { name: 'a', value: '1' } });
    assert.equal((await update(db, { name: 'a', value: '3' })).numAffectedRows, 1n);
    assert.equal((await update(db, { name: 'b', value: '3' })).numAffectedRows, 0n);
  });

  it('rejects an execution when a row has other columns or a value is missing', async () => {
    const db = sqlite();
    const insertRow = (row: object): Promise<unknown> =>
      (async () => insert(db, { row: row as Setting }))();
    await insertRow({ name: 'a', value: '1' });
    await assert.rejects(insertRow({ name: 'b' }), /columns/);
    await assert.rejects(insertRow({ name: 'b', value: '1', more: 1 }), /columns/);
    await assert.rejects(insertRow({ name: 'b', other: '1' }), /needs a value/);
    await assert.rejects(insertRow({ name: 'b', value: undefined }), /needs a value/);
  });

  it('compiles a statement for each engine that executes it', async () => {
    const select = prepared((db, { name }: { name: string }) =>
      db.selectFrom('settings').select('value').where('name', '=', name),
    );
    const executed: string[] = [];
    const client = {
      query: async (sql: string) => {
        executed.push(sql);
        return { command: 'SELECT' as const, rowCount: 0, rows: [] };
      },
      release: () => {},
    };
    const pool = { connect: async () => client, end: async () => {} };
    const postgres = new Kysely<Tables>({ dialect: postgresEngine(pool as never).dialect });
    await select(sqlite(), { name: 'a' });
    await select(postgres, { name: 'a' });
    assert.match(executed[0] ?? '', /"name" = \$1/);
  });
});
