/**
 * No statement of the running relay becomes slow as the ledger grows. The database explains each
 * statement on a filled ledger, and none may read a growing table from end to end.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { postgresLedger } from '../../../../relay/ledger/postgres/postgres-ledger.js';
import { sqliteLedger } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import { discardSilent } from '../../../../relay/node/open-ledger.js';
import { poolOf, startPostgres, type Postgres } from '../../support/postgres.js';
import { callEverything } from './call-everything.js';
import { fill, type RunSql } from '../../support/filled-ledger.js';
import { observedDatabase, observedPool, type Seen } from '../../support/observed-ledger.js';
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
  'requests',
  'lookups',
  'events',
  'deposit_addresses',
  'pay_links',
  'counted',
  'hour_counts',
];
/**
 * Indexes that hold only waiting work: intents with an open order or none that was sent, and
 * undelivered events. The time to read one from end to end depends on the waiting work, not on the
 * size of the ledger.
 */
const WAITING_WORK_INDEXES = [
  'events_due',
  'events_undelivered',
  'intents_due',
  'intents_open',
  'intents_unpaid',
];
/** After an outage of the shop a million events may be due, and must not be sorted. */
const IS_OF_DUE_EVENTS = /case when next_try_at > created_at then 1 else 0 end\) = \d/;
/** Operators run these by command, so they may read everything. */
const OPERATOR_METHODS = ['verify', 'backup', 'close'];

/**
 * Opens the ledger, fills it and calls every method that the running relay calls.
 *
 * @param open opens the ledger over connections that report their statements
 * @returns the statements of these calls
 */
async function statementsOf(
  open: (see: (statement: Seen) => void) => Promise<Ledger>,
  fillTables: () => Promise<void>,
): Promise<Seen[]> {
  const seen = new Map<string, Seen>();
  let watching = false;
  const ledger = await open((statement) => {
    const isTransaction = /^(begin|commit|rollback)/.test(statement.sql);
    if (watching && !isTransaction) seen.set(statement.sql, statement);
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

/** Whether the plan finds due events by the index's first column, and so in their order. */
const findsDueEvents = (plan: PostgresPlan): boolean =>
  plan['Node Type'] !== 'Sort' &&
  (plan['Index Name'] !== 'events_due' || (plan['Index Cond'] ?? '').includes('CASE')) &&
  (plan.Plans ?? []).every(findsDueEvents);

describe('statements of the running relay', () => {
  it('reads no growing table from end to end on SQLite', async () => {
    const file = join(folder, 'ledger.db');
    const open = () => new DatabaseSync(file, { timeout: 0 });
    const other = open();
    const run: RunSql = async (sql) => other.prepare(sql).all() as Record<string, unknown>[];
    const statements = await statementsOf(
      (see) => {
        const connect = () => observedDatabase(open(), see);
        return sqliteLedger({ writer: connect(), reader: connect(), relaxed: connect() });
      },
      () => fill(run, 'sqlite', { count: ROWS, now: NOW, dueFrom: NOW }),
    );
    other.close();
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
    const client = new pg.Client({ connectionString });
    await client.connect();
    const run: RunSql = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
    const statements = await statementsOf(
      (see) => postgresLedger(observedPool(discardSilent(poolOf({ connectionString })), see)),
      () => fill(run, 'postgres', { count: ROWS, now: NOW, dueFrom: NOW }),
    );
    const plansOf = async (sql: string, parameters: readonly unknown[] | null) => {
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PostgresPlan }[] }>(
        `explain (format json${parameters ? '' : ', generic_plan'}) ${sql}`,
        [...(parameters ?? [])],
      );
      return (rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan);
    };
    const explain = async (isGeneric = false): Promise<string[]> => {
      const found: string[] = [];
      for (const { parameters, sql } of statements)
        for (const plan of await plansOf(sql, isGeneric ? null : parameters))
          found.push(...scannedByPostgres(plan).map((node) => `${node}: ${sql}`));
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
      // with few rows PostgreSQL sorts; only a statement without a fitting order must sort now
      await client.query('set enable_sort = off; set enable_bitmapscan = off');
      const ofDueEvents = statements.filter(({ sql }) => IS_OF_DUE_EVENTS.test(sql));
      assert.equal(ofDueEvents.length, 2);
      for (const { sql } of ofDueEvents)
        for (const plan of await plansOf(sql, null)) assert.ok(findsDueEvents(plan), sql);
    } finally {
      await client.end();
    }
  });
});
