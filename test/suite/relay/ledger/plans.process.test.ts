/**
 * No statement of the running relay becomes slow as the ledger grows. The database explains each
 * statement on a filled ledger, and none may read a growing table from end to end.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Dialect } from 'kysely';
import pg from 'pg';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import type { Engine } from '../../../../relay/ledger/sql/engine.js';
import { postgresEngine } from '../../../../relay/ledger/sql/postgres-engine.js';
import { sqlLedger } from '../../../../relay/ledger/sql/sql-ledger.js';
import { prepareSqlite, sqliteEngine } from '../../../../relay/ledger/sql/sqlite-dialect.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { callEverything } from './call-everything.js';
import { fill, type RunSql } from '../../support/filled-ledger.js';
import { observedDialect, type Statement } from '../../support/observed-dialect.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

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
  'order_places',
  'shop_events',
  'resolutions',
  'deposit_addresses',
  'pay_links',
];
/**
 * Indexes that hold only waiting work: watched orders, undelivered events, intents that lost their
 * order. The time to read one from end to end depends on the waiting work, not on the size of the
 * ledger.
 */
const WAITING_WORK_INDEXES = [
  'shop_events_due',
  'orders_due',
  'orders_open',
  'orders_unsent',
  'intents_without_order',
  'intents_unpaid',
];
/** Operators run these by command, so they may read everything. */
const OPERATOR_METHODS = ['verify', 'backup', 'close'];

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
  const watched = (dialect: Dialect | null): Dialect | null =>
    dialect && observedDialect(dialect, see);
  const ledger = await sqlLedger({
    ...engine,
    dialect: observedDialect(engine.dialect, see),
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

const folder = temporaryFolder('plans');

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

/**
 * The table or index to which a partition or its index belongs. The name of a small partition leads
 * to an empty text: PostgreSQL reads it faster without its indexes.
 */
type Parents = ReadonlyMap<string, string>;

const PARENTS = `select part.relname as part,
    case when part.relkind = 'r' and part.reltuples between 0 and 1000 then ''
      else whole.relname end as whole
  from pg_inherits
  join pg_class part on part.oid = inhrelid
  join pg_class whole on whole.oid = inhparent`;

/** A full index is as long as its table, so its scan without a condition counts as a table scan. */
function scannedByPostgres(plan: PostgresPlan, parents: Parents): string[] {
  const whole = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : (parents.get(name) ?? name);
  const index = whole(plan['Index Name']);
  const isWholeIndex =
    index !== undefined &&
    plan['Index Cond'] === undefined &&
    !WAITING_WORK_INDEXES.includes(index);
  const isWholeTable =
    plan['Node Type'] === 'Seq Scan' && GROWING.includes(whole(plan['Relation Name']) ?? '');
  return [
    ...(isWholeIndex || isWholeTable ? [`${plan['Node Type']} ${index ?? ''}`] : []),
    ...(plan.Plans ?? []).flatMap((part) => scannedByPostgres(part, parents)),
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
    running = await startPostgres({ syncs: false });
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
    const explain = async (isGeneric = false): Promise<string[]> => {
      const found: string[] = [];
      const inherited = await run(PARENTS);
      const parents = new Map(inherited.map(({ part, whole }) => [String(part), String(whole)]));
      assert.equal(parents.get('orders_2026_12'), 'orders');
      for (const { parameters, sql } of statements) {
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PostgresPlan }[] }>(
          `explain (format json${isGeneric ? ', generic_plan' : ''}) ${sql}`,
          isGeneric ? [] : [...parameters],
        );
        for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? [])
          found.push(...scannedByPostgres(Plan, parents).map((node) => `${node}: ${sql}`));
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
      // the plans that the relay uses on a direct connection: they are made without the values
      assert.deepEqual(await explain(true), []);
    } finally {
      await client.end();
    }
  });
});
