/**
 * No statement of the running relay becomes slow as the ledger grows. The database explains each
 * statement on a filled ledger, and none may read a growing table from end to end.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import type { CompiledQuery, DatabaseConnection, Dialect } from 'kysely';
import pg from 'pg';
import type { Ledger } from '../../../relay/ledger/ledger.js';
import type { Engine } from '../../../relay/ledger/sql/engine.js';
import { postgresEngine } from '../../../relay/ledger/sql/postgres-engine.js';
import { sqlLedger } from '../../../relay/ledger/sql/sql-ledger.js';
import { prepareSqlite, sqliteEngine } from '../../../relay/ledger/sql/sqlite-dialect.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { callEverything } from './call-everything.js';
import { fill, type RunSql } from '../../support/filled-ledger.js';

const ROWS = 5000;
/** The creation time of the youngest filled order. */
const NOW = 1_800_000_000_000;

/**
 * Tables that grow with every order or customer. `settings` and `heartbeats` hold a few rows, and
 * reading all of them costs nothing.
 */
const GROWING = [
  'intents',
  'orders',
  'shop_events',
  'attempts',
  'resolutions',
  'deposit_addresses_by_network',
  'pay_links',
  'pay_link_browsers',
];
/**
 * Indexes that hold only waiting work: watched orders, undelivered events, intents that lost their
 * order. The time to read one from end to end depends on the waiting work, not on the size of the
 * ledger.
 */
const WAITING_WORK_INDEXES = [
  'shop_events_due',
  'orders_due',
  'orders_unsent',
  'intents_without_order',
  'intents_unpaid',
];
/** Operators run these by command, so they may read everything. */
const OPERATOR_METHODS = ['verify', 'backup', 'close'];

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** Wraps a dialect, so that it reports each statement that it executes. */
function observed(dialect: Dialect, see: (statement: Statement) => void): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => {
      const driver = dialect.createDriver();
      const watched = new WeakSet<DatabaseConnection>();
      const acquireConnection = driver.acquireConnection.bind(driver);
      driver.acquireConnection = async (...options) => {
        const connection = await acquireConnection(...options);
        if (watched.has(connection)) return connection;
        watched.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = (query) => {
          see(query);
          return execute(query);
        };
        return connection;
      };
      return driver;
    },
  };
}

/**
 * Opens the ledger, fills it and calls every method that the running relay calls.
 *
 * @returns the statements of these calls
 */
async function statementsOf(engine: Engine, fillTables: () => Promise<void>): Promise<Statement[]> {
  const seen = new Map<string, Statement>();
  let watching = false;
  const see = (statement: Statement): void => {
    const isTransaction = /^(begin|commit|rollback)/.test(statement.sql);
    if (watching && !isTransaction) seen.set(statement.sql, statement);
  };
  const watched = (dialect: Dialect | null): Dialect | null => dialect && observed(dialect, see);
  const ledger = await sqlLedger({
    ...engine,
    dialect: observed(engine.dialect, see),
    reader: watched(engine.reader),
    relaxedDurability: watched(engine.relaxedDurability),
  });
  await fillTables();
  const called = new Set<string>();
  const recorder = new Proxy(ledger, {
    get: (target, name: keyof Ledger) => {
      called.add(name);
      return target[name];
    },
  });
  watching = true;
  await callEverything(recorder, { rows: ROWS, now: NOW });
  watching = false;
  const missed = Object.keys(ledger).filter(
    (name) => !called.has(name) && !OPERATOR_METHODS.includes(name),
  );
  assert.deepEqual(missed, [], 'methods that callEverything does not call');
  await ledger.close();
  return [...seen.values()];
}

const folder = mkdtempSync(join(tmpdir(), 'plans-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * Whether a line of `explain query plan` reads a growing table from end to end. A range that is
 * open on one side counts as a scan when the statement has a second condition: the database may
 * read the whole table before enough rows meet that condition.
 */
function isScan(line: string, sql: string): boolean {
  const [, how = '', table = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(line) ?? [];
  const index = / INDEX (\w+)/.exec(rest)?.[1] ?? '';
  if (!GROWING.includes(table) || WAITING_WORK_INDEXES.includes(index)) return false;
  if (how === 'SCAN') return true;
  const isOpenRange = /\(\w+[<>]\?\)/.test(rest);
  return isOpenRange && / and /.test(sql);
}

type PostgresPlan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PostgresPlan[];
};

/** A full index is as long as its table, so its scan without a condition counts as a table scan. */
function scannedByPostgres(plan: PostgresPlan): string[] {
  const index = plan['Index Name'];
  const isWholeIndex =
    index !== undefined &&
    plan['Index Cond'] === undefined &&
    !WAITING_WORK_INDEXES.includes(index);
  const isWholeTable =
    plan['Node Type'] === 'Seq Scan' && GROWING.includes(plan['Relation Name'] ?? '');
  return [
    ...(isWholeIndex || isWholeTable ? [`${plan['Node Type']} ${index ?? ''}`] : []),
    ...(plan.Plans ?? []).flatMap(scannedByPostgres),
  ];
}

describe('statements of the running relay', () => {
  it('reads no growing table from end to end on SQLite', async () => {
    const file = join(folder, 'ledger.db');
    const open = () => new DatabaseSync(file, { timeout: 0 });
    const connections = { writer: open(), reader: open(), relaxed: open() };
    await prepareSqlite(connections);
    const run: RunSql = async (sql) =>
      connections.writer.prepare(sql).all() as Record<string, unknown>[];
    const statements = await statementsOf(sqliteEngine(connections), () =>
      fill(run, 'sqlite', { count: ROWS, now: NOW, dueFrom: NOW }),
    );
    const database = open();
    const found = statements.flatMap(({ sql }) =>
      (database.prepare(`explain query plan ${sql}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .filter((line) => isScan(line, sql))
        .map((line) => `${line}: ${sql}`),
    );
    database.close();
    assert.deepEqual(found, []);
  });

  let running: Postgres | undefined;
  after(async () => running?.stop());

  it('reads no growing table from end to end on PostgreSQL', async () => {
    running = await startPostgres();
    const connectionString = await running.database();
    const pool = new pg.Pool({
      connectionString,
      types: {
        getTypeParser: (oid: number) =>
          (oid === 20 ? Number : pg.types.getTypeParser(oid)) as (value: string) => unknown,
      },
    });
    const client = new pg.Client({ connectionString });
    await client.connect();
    const run: RunSql = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
    const statements = await statementsOf(postgresEngine(pool), () =>
      fill(run, 'postgres', { count: ROWS, now: NOW, dueFrom: NOW }),
    );
    const explain = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const { parameters, sql } of statements) {
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PostgresPlan }[] }>(
          `explain (format json) ${sql}`,
          [...parameters],
        );
        for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? [])
          found.push(...scannedByPostgres(Plan).map((node) => `${node}: ${sql}`));
      }
      return found;
    };
    try {
      // only a statement without a fitting index scans its table now
      await client.query('set enable_seqscan = off');
      assert.deepEqual(await explain(), []);
      // after `analyze`, PostgreSQL chooses its plans by the statistics of the rows
      await client.query('set enable_seqscan = on; analyze');
      assert.deepEqual(await explain(), []);
    } finally {
      await client.end();
    }
  });
});
