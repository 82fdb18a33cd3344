/** The group commit of SQLite: writes that arrive together are committed once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import {
  NO_GUARD,
  Statements,
  type SqliteDatabase,
} from '../../../../relay/ledger/sqlite/statements.js';
import { MAX_WRITE_WAIT_MS } from '../../../../relay/ledger/sqlite/busy.js';
import { createWriter, type Writer } from '../../../../relay/ledger/sqlite/writer.js';
import { all, run } from '../../../../relay/ledger/tables/program.js';
import { until } from '../../support/wait.js';

type World = {
  writer: Writer;
  /** The statements that were executed. */
  seen: string[];
  /**
   * The statements that begin with `text` fail, from the one with the number `from` to that with
   * `to`; with `undo` the database rolls back first.
   */
  failOn: { text: string; from: number; to: number; undo: boolean; error: string };
  names(): string[];
};

function open(elapsed?: () => number): World {
  const database = new DatabaseSync(':memory:');
  database.exec('create table settings (name text primary key, value text)');
  const seen: string[] = [];
  const error = 'SQLITE_FULL: database or disk is full';
  const failOn = { text: 'nothing', from: 1, to: Infinity, undo: false, error };
  let count = 0;
  const guard = (sql: string): void => {
    seen.push(sql);
    if (!sql.startsWith(failOn.text)) return;
    count++;
    if (count < failOn.from || count > failOn.to) return;
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
  const names = (): string[] =>
    database
      .prepare('select name from settings order by name')
      .all()
      .map((row) => (row as { name: string }).name);
  return { writer: createWriter(new Statements(watched, NO_GUARD), elapsed), seen, failOn, names };
}

/** Writes a setting, and fails after the write when `fails` is true. */
const write = ({ writer }: World, name: string, fails = false): Promise<void> =>
  writer.write(function* () {
    yield* run('insert into settings values ($1, $2)', name, '');
    if (fails) throw new Error(`${name} fails`);
  });

const resultsOf = async (work: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(work)).map(({ status }) => status);

const group = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index));

describe('writes that come together', () => {
  it('are committed once, and answered after that', async () => {
    const world = open();
    const answered: string[] = [];
    const note = (name: string) => () => void answered.push(`${name} ${world.seen.at(-1)}`);
    await Promise.all(['a', 'b', 'c'].map((name) => write(world, name).then(note(name))));
    assert.deepEqual(answered, ['a commit', 'b commit', 'c commit']);
    assert.equal(world.seen.filter((sql) => sql === 'commit').length, 1);
    assert.deepEqual(world.names(), ['a', 'b', 'c']);
  });

  for (const bad of ['a', 'j', 't'])
    it(`are written without ${bad}, which alone fails in the middle of its write`, async () => {
      const world = open();
      const results = await resultsOf(group.map((name) => write(world, name, name === bad)));
      assert.deepEqual(
        results,
        group.map((name) => (name === bad ? 'rejected' : 'fulfilled')),
      );
      assert.deepEqual(
        world.names(),
        group.filter((name) => name !== bad),
      );
    });

  it('are written without a write whose row exists', async () => {
    const world = open();
    await write(world, 'j');
    const results = await resultsOf(group.map((name) => write(world, name)));
    assert.deepEqual(
      results,
      group.map((name) => (name === 'j' ? 'rejected' : 'fulfilled')),
    );
    assert.deepEqual(world.names(), group);
  });

  it('all fail when the disk is full, and a later write is accepted', async () => {
    for (const undo of [false, true]) {
      const world = open();
      Object.assign(world.failOn, { text: 'commit', undo });
      const lost = group.map((name) => write(world, name));
      assert.deepEqual(
        await resultsOf(lost),
        group.map(() => 'rejected'),
      );
      await assert.rejects(lost[0] ?? Promise.resolve(), LedgerBusyError);
      world.failOn.text = 'nothing';
      await write(world, 'later');
      assert.deepEqual(world.names(), ['later']);
    }
  });

  for (const [what, fault] of [
    ['the disk is full', { undo: false }],
    ['the disk is full and the database rolls back', { undo: true }],
    ['the file is busy', { error: 'SQLITE_BUSY: database is locked' }],
  ] as const) {
    it(`are each written once when ${what} at the tenth of them, and not again`, async () => {
      const world = open();
      Object.assign(world.failOn, { text: 'insert', from: 10, to: 10, ...fault });
      await Promise.all(group.map((name) => write(world, name)));
      assert.deepEqual(world.names(), group);
    });

    it(`all fail, and none is written, when ${what} from the tenth of them on`, async () => {
      const world = open();
      Object.assign(world.failOn, { text: 'insert', from: 10, ...fault });
      for (const work of await Promise.allSettled(group.map((name) => write(world, name))))
        assert.ok(work.status === 'rejected' && work.reason instanceof LedgerBusyError);
      assert.deepEqual(world.names(), []);
    });
  }

  for (const [undo, status] of [
    [true, 'fulfilled'],
    [false, 'rejected'],
  ] as const)
    it(`are all refused when the rollback fails, and a later write is ${status}`, async () => {
      const world = open();
      Object.assign(world.failOn, { text: 'rollback', undo, error: 'disk I/O error' });
      const results = await resultsOf(group.map((name) => write(world, name, name === 'j')));
      assert.deepEqual(
        results,
        group.map(() => 'rejected'),
      );
      world.failOn.text = 'nothing';
      assert.deepEqual(await resultsOf([write(world, 'later')]), [status]);
    });

  it('fail with LedgerBusyError when another process holds the lock at the commit', async () => {
    const world = open();
    Object.assign(world.failOn, { text: 'commit', error: 'SQLITE_BUSY: database is locked' });
    await assert.rejects(write(world, 'a'), LedgerBusyError);
  });

  it('are all refused at one time when they are more than a group and the lock stays', async () => {
    let now = 0;
    const world = open(() => now);
    Object.assign(world.failOn, { text: 'begin', error: 'SQLITE_BUSY: database is locked' });
    const many = Array.from({ length: 250 }, (_, index) => write(world, `${index}`));
    const late = resultsOf(many);
    await until(() => world.seen.length > 2, 'another try to begin');
    now = MAX_WRITE_WAIT_MS;
    assert.deepEqual(new Set(await late), new Set(['rejected']));
    await assert.rejects(many.at(-1) ?? Promise.resolve(), LedgerBusyError);
    assert.deepEqual(world.names(), []);
  });

  it('wait on after an earlier write has waited for too long', async () => {
    let now = 0;
    const world = open(() => now);
    Object.assign(world.failOn, { text: 'begin', error: 'SQLITE_BUSY: database is locked' });
    const early = write(world, 'early').catch((error: unknown) => error);
    await until(() => world.seen.length > 1, 'a second try to begin');
    now = 1;
    const later = write(world, 'later');
    now = MAX_WRITE_WAIT_MS;
    assert.ok((await early) instanceof LedgerBusyError);
    world.failOn.text = 'nothing';
    await later;
    assert.deepEqual(world.names(), ['later']);
  });

  it('read the rows of each other, and each is answered after the commit', async () => {
    const world = open();
    const first = write(world, 'a');
    const second = world.writer.write(() => all<{ name: string }>('select name from settings'));
    assert.deepEqual(await second, [{ name: 'a' }]);
    assert.equal(world.seen.at(-1), 'commit');
    await first;
  });

  it('are all written before the ledger is closed', async () => {
    const world = open();
    const writes = group.map((name) => write(world, name));
    await world.writer.idle();
    assert.deepEqual(world.names(), group);
    await Promise.all(writes);
  });
});
