/** The group commit: transactions that arrive together are committed once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { SqliteDriver } from '../../../../relay/ledger/sql/sqlite-driver.js';
import type { SqliteDatabase } from '../../../../relay/ledger/sql/sqlite-statements.js';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import type { Tables } from '../../../../relay/ledger/sql/tables.js';

type World = {
  db: Kysely<Tables>;
  driver: SqliteDriver;
  /** The statements that were executed. */
  seen: string[];
  /** A statement that begins with `text` fails; with `undo` the database rolls back first. */
  failOn: { text: string; undo: boolean; error: string };
  names(): string[];
};

function open(groupsCommits = true): World {
  const database = new DatabaseSync(':memory:');
  database.exec('create table settings (name text primary key, value text)');
  const seen: string[] = [];
  const failOn = { text: 'nothing', undo: false, error: 'SQLITE_FULL: database or disk is full' };
  const guard = (sql: string): void => {
    seen.push(sql);
    if (!sql.startsWith(failOn.text)) return;
    if (failOn.undo) database.exec('rollback');
    throw new Error(failOn.error);
  };
  const watched: SqliteDatabase = {
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        all: (...values) => (guard(sql), statement.all(...(values as string[]))),
        run: (...values) => (guard(sql), statement.run(...(values as string[]))),
        columns: () => statement.columns(),
        setReturnArrays: (returnArrays) => statement.setReturnArrays(returnArrays),
      };
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
  const driver = new SqliteDriver(watched, groupsCommits);
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (of) => new SqliteIntrospector(of),
    },
  });
  const names = (): string[] =>
    database
      .prepare('select name from settings order by name')
      .all()
      .map((row) => (row as { name: string }).name);
  return { db, driver, seen, failOn, names };
}

/** Writes a setting in a transaction, which fails after the write when `fails` is true. */
const write = ({ db }: World, name: string, fails = false): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await transaction.insertInto('settings').values({ name, value: '' }).execute();
    if (fails) throw new Error(`${name} fails`);
  });

const resultsOf = async (work: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(work)).map(({ status }) => status);

describe('transactions that come together', () => {
  it('commits once when transactions arrive together, and resolves them after that', async () => {
    const world = open();
    const resolved: string[] = [];
    const note = (name: string) => () => void resolved.push(`${name} ${world.seen.at(-1)}`);
    await Promise.all(['a', 'b', 'c'].map((name) => write(world, name).then(note(name))));
    assert.deepEqual(resolved, ['a commit', 'b commit', 'c commit']);
    assert.equal(world.seen.filter((sql) => sql === 'commit').length, 1);
    assert.deepEqual(world.names(), ['a', 'b', 'c']);
  });

  it('rolls back only the transaction that fails, the first or a later one', async () => {
    for (const bad of ['a', 'b', 'c']) {
      const world = open();
      const all = ['a', 'b', 'c'];
      const results = await resultsOf(all.map((name) => write(world, name, name === bad)));
      assert.deepEqual(
        results,
        all.map((name) => (name === bad ? 'rejected' : 'fulfilled')),
      );
      assert.deepEqual(
        world.names(),
        all.filter((name) => name !== bad),
      );
    }
  });

  it('rejects a whole group when its commit fails, and accepts a later transaction', async () => {
    for (const undo of [false, true]) {
      const world = open();
      world.failOn = Object.assign(world.failOn, { text: 'commit', undo });
      const lost = ['a', 'b', 'c'].map((name) => write(world, name));
      assert.deepEqual(await resultsOf(lost), ['rejected', 'rejected', 'rejected']);
      await assert.rejects(lost[0] ?? Promise.resolve(), /disk full/);
      world.failOn.text = 'nothing';
      await write(world, 'd');
      assert.deepEqual(world.names(), ['d']);
    }
  });

  it('rejects a group when the database rolls back, and accepts a later transaction', async () => {
    const world = open();
    const first = write(world, 'a');
    const second = world.db.transaction().execute(async (transaction) => {
      Object.assign(world.failOn, { text: 'insert', undo: true });
      await transaction.insertInto('settings').values({ name: 'b', value: '' }).execute();
    });
    const third = second.catch(() => {
      world.failOn.text = 'nothing';
      return write(world, 'c');
    });
    assert.deepEqual(await resultsOf([first, second, third]), [
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    await assert.rejects(first, LedgerBusyError);
    assert.deepEqual(world.names(), ['c']);
  });

  it('keeps the next transaction when a lost one is rolled back late', async () => {
    const { driver, failOn, names } = open();
    const insert = CompiledQuery.raw("insert into settings values ('kept', '')");
    const lost = await driver.acquireConnection();
    await driver.beginTransaction(lost);
    failOn.text = 'commit';
    await assert.rejects(driver.commitTransaction(lost), LedgerBusyError);
    failOn.text = 'nothing';
    const next = await driver.acquireConnection();
    await driver.beginTransaction(next);
    await next.executeQuery(insert);
    await driver.rollbackTransaction(lost);
    await driver.releaseConnection(lost);
    await driver.commitTransaction(next);
    assert.deepEqual(names(), ['kept']);
  });

  it('reports a transaction’s error only after the commit of the rows that it read', async () => {
    for (const fails of [false, true]) {
      const world = open();
      const first = write(world, 'a');
      // fails because of the row that the first transaction has written
      const second = world.db.transaction().execute(async (transaction) => {
        const found = await transaction.selectFrom('settings').select('name').execute();
        if (fails) world.failOn.text = 'commit';
        throw new Error(`${found[0]?.name} is taken`);
      });
      const reported = second.catch((error: unknown) => `${String(error)}, ${world.seen.at(-1)}`);
      const results = await resultsOf([first, second]);
      assert.deepEqual(results, [fails ? 'rejected' : 'fulfilled', 'rejected']);
      assert.match(await reported, fails ? /disk full/ : /a is taken, commit$/);
    }
  });

  it('rejects with LedgerBusyError when another process holds the lock at the commit', async () => {
    const world = open();
    Object.assign(world.failOn, { text: 'commit', error: 'SQLITE_BUSY: database is locked' });
    await assert.rejects(write(world, 'a'), LedgerBusyError);
  });

  it('rejects a group when the database has rolled back before its next savepoint', async () => {
    const world = open();
    const first = write(world, 'a');
    Object.assign(world.failOn, { text: 'savepoint', undo: true });
    const second = write(world, 'b').catch((error: unknown) => {
      world.failOn.text = 'nothing';
      throw error;
    });
    const third = write(world, 'c');
    assert.deepEqual(await resultsOf([first, second, third]), [
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    assert.deepEqual(world.names(), ['c']);
  });

  it('commits a group before it executes a statement outside of a transaction', async () => {
    const world = open();
    const first = write(world, 'a');
    const single = world.db.insertInto('settings').values({ name: 'b', value: '' }).execute();
    await Promise.all([first, single]);
    const written = world.seen.filter((sql) => /^(insert|commit)/.test(sql));
    assert.deepEqual(
      written.map((sql) => sql.slice(0, 6)),
      ['insert', 'commit', 'insert'],
    );
  });

  it('commits the open group when the ledger is closed', async () => {
    const world = open();
    let closing: Promise<void> | undefined;
    const first = world.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('settings').values({ name: 'a', value: '' }).execute();
      closing = world.db.destroy();
    });
    await first;
    await closing;
    assert.equal(world.seen.at(-1), 'commit');
    assert.deepEqual(world.names(), ['a']);
  });
});

describe('a connection that commits each transaction alone', () => {
  it('rolls back a transaction that fails, and commits the next', async () => {
    const world = open(false);
    const all = [write(world, 'a', true), write(world, 'b'), write(world, 'c')];
    assert.deepEqual(await resultsOf(all), ['rejected', 'fulfilled', 'fulfilled']);
    await assert.rejects(all[0] ?? Promise.resolve(), /a fails/);
    assert.deepEqual(world.names(), ['b', 'c']);
    assert.equal(world.seen.filter((sql) => sql === 'commit').length, 2);
  });
});

describe('a connection that stays in use', () => {
  /** Replaces the timers while `work` runs; `expire` ends all that were set and not cleared. */
  async function withTimers(work: (expire: () => void) => Promise<void>): Promise<void> {
    const { clearTimeout: realClear, setTimeout: realSet } = globalThis;
    const waiting = new Map<unknown, () => void>();
    globalThis.setTimeout = ((call: () => void, ms: number) => {
      assert.equal(ms, 4000);
      waiting.set(waiting.size + 1, call);
      return waiting.size;
    }) as unknown as typeof setTimeout;
    globalThis.clearTimeout = (timer) => void waiting.delete(timer);
    const expire = (): void => {
      for (const [timer, call] of waiting) {
        waiting.delete(timer);
        call();
      }
    };
    try {
      await work(expire);
    } finally {
      Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
    }
  }

  it('refuses its waiting callers after four seconds, and serves the next one', () =>
    withTimers(async (expire) => {
      const { driver } = open();
      const first = await driver.acquireConnection();
      const late = [driver.acquireConnection(), driver.acquireConnection()];
      expire();
      for (const each of late) await assert.rejects(each, LedgerBusyError);
      const next = driver.acquireConnection();
      await driver.releaseConnection(first);
      await driver.releaseConnection(await next);
      await driver.releaseConnection(await driver.acquireConnection());
    }));

  it('keeps serving a caller that got it in time', () =>
    withTimers(async (expire) => {
      const { driver } = open();
      const first = await driver.acquireConnection();
      const second = driver.acquireConnection();
      const third = driver.acquireConnection();
      await driver.releaseConnection(first);
      const held = await second;
      expire();
      await assert.rejects(third, LedgerBusyError);
      await driver.releaseConnection(held);
      await driver.acquireConnection();
    }));
});
