/** How SQLite's errors about locks and full disks become errors of the ledger. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import { asBusy, busy, retryWhileBusy } from '../../../../relay/ledger/sqlite/busy.js';
import { sqliteEngine } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import {
  NO_GUARD,
  Statements,
  type SqliteDatabase,
} from '../../../../relay/ledger/sqlite/statements.js';

const LOCKED = new Error('SQLITE_BUSY: database is locked');
const FULL = new Error('SQLITE_FULL: database or disk is full');
const READ_ONLY = new Error('attempt to write a readonly database');
const OTHER = new Error('UNIQUE constraint failed: orders.request_id');

describe('an error of SQLite', () => {
  it('keeps its cause when it becomes a LedgerBusyError', () => {
    for (const cause of [LOCKED, FULL, READ_ONLY]) {
      const error = asBusy(cause);
      assert.ok(error instanceof LedgerBusyError);
      assert.equal(error.cause, cause);
    }
    assert.equal(busy(LOCKED).cause, LOCKED);
  });

  it('stays as it is when it is about neither a lock nor a disk that takes no writes', async () => {
    assert.equal(asBusy(OTHER), OTHER);
    const failing = retryWhileBusy(performance.now() + 1000, () => {
      throw OTHER;
    });
    await assert.rejects(failing, (error) => error === OTHER);
  });
});

describe('a statement on a locked ledger', () => {
  /** Fails while the database is locked for the first `times` tries. */
  const lockedFor = (times: number): (() => string) => {
    let tries = 0;
    return () => {
      if (tries++ < times) throw LOCKED;
      return 'done';
    };
  };

  it('is repeated until the lock is released', async () => {
    assert.equal(await retryWhileBusy(performance.now() + 1000, lockedFor(2)), 'done');
  });

  it('fails with LedgerBusyError when the lock is still held at the deadline', async () => {
    const late = retryWhileBusy(performance.now() - 1, lockedFor(1));
    await assert.rejects(late, (error) => {
      assert.ok(error instanceof LedgerBusyError);
      return error.cause === LOCKED;
    });
  });
});

describe('a rollback', () => {
  it('succeeds when the database has already rolled back, and reports any other error', () => {
    const database = new DatabaseSync(':memory:');
    const statements = new Statements(database as SqliteDatabase, NO_GUARD);
    statements.rollBack();
    statements.execute('begin');
    statements.rollBack();
    assert.throws(() => statements.execute('rollback'), /no transaction is active/);
    database.close();
    assert.throws(() => statements.rollBack());
  });
});

describe('closing a ledger file', () => {
  /** Closes connections whose checkpoint fails, and returns the names of those it closed. */
  const closed = (checkpoint: Error): { close: () => Promise<void>; names: string[] } => {
    const names: string[] = [];
    const connection = (name: string): SqliteDatabase => ({
      prepare: () => {
        throw new Error('not expected');
      },
      exec: () => {
        throw checkpoint;
      },
      close: () => void names.push(name),
    });
    const { close } = sqliteEngine({
      writer: connection('writer'),
      reader: connection('reader'),
      relaxed: connection('relaxed'),
    });
    return { close, names };
  };

  for (const [what, error] of [
    ['another process keeps the checkpoint from running', LOCKED],
    ['the disk has no room for the checkpoint', FULL],
    ['the disk fails in the checkpoint', new Error('disk I/O error')],
  ] as const)
    it(`closes all connections when ${what}`, async () => {
      const { close, names } = closed(error);
      await close();
      assert.deepEqual(names.sort(), ['reader', 'relaxed', 'writer']);
    });

  it('reports any other error of the checkpoint, and closes all connections', async () => {
    const { close, names } = closed(OTHER);
    await assert.rejects(close, /UNIQUE/);
    assert.deepEqual(names.sort(), ['reader', 'relaxed', 'writer']);
  });
});
