/** The ledger in PostgreSQL. */
import type { OnDamage } from '../damage.js';
import type { Ledger, SchemaUse } from '../ledger.js';
import type { Engine } from '../tables/engine.js';
import { all, first, type Program, type SqlValue } from '../tables/program.js';
import { checkGeneration, makeTables, tablesOf } from '../tables/schema.js';
import { tablesLedger } from '../tables/tables-ledger.js';
import { createChange, type Run } from './change-intent.js';
import { HELD_BACK, raiseSequences, REACH, SEQUENCES } from './numbers.js';

export type Connection = {
  query(
    text: string,
    values: readonly SqlValue[],
  ): Promise<{ rows: readonly unknown[]; rowCount: number | null }>;
  /** @param broken the connection is in an unknown state, and must not be used again */
  release(broken: boolean): void;
};
export type Pool = { connect(): Promise<Connection>; end(): Promise<void> };

/**
 * Opens the ledger.
 *
 * @throws GenerationError when a relay of another generation has used this ledger
 */
export async function postgresLedger(
  pool: Pool,
  schema: SchemaUse = 'create',
  onDamage?: OnDamage,
): Promise<Ledger> {
  const engine = postgresEngine(pool);
  try {
    if (schema === 'check') await engine.read(() => checkGeneration(isNewLedger));
    // only one relay at a time makes the tables
    if (schema === 'create') await engine.write(useTables);
  } catch (error) {
    await engine.close().catch(() => {});
    throw error;
  }
  return tablesLedger(engine, onDamage);
}

function postgresEngine(pool: Pool): Engine {
  const each: Run = async (program) => {
    const connection = await pool.connect();
    try {
      return await runOn(connection, program());
    } finally {
      connection.release(false);
    }
  };
  const transaction: Run = async (program) => {
    const connection = await pool.connect();
    let isOpen = false;
    try {
      await connection.query('begin', []);
      isOpen = true;
      const result = await runOn(connection, program());
      await connection.query('commit', []);
      isOpen = false;
      return result;
    } catch (error) {
      isOpen &&= !(await connection.query('rollback', []).then(
        () => true,
        () => false,
      ));
      throw error;
    } finally {
      connection.release(isOpen);
    }
  };
  return {
    read: each,
    relaxed: each,
    write: transaction,
    rebuildable: transaction,
    change: createChange(each, transaction),
    reach: REACH,
    heldBack: HELD_BACK,
    now: readClock,
    skipLocked: 'for update skip locked',
    textsIn: (value) => `select json_array_elements_text($${value}::json)`,
    pairsIn: (value) => `select key, value from json_each_text($${value}::json)`,
    // `in` may run a subquery with a limit several times, and so lock more rows than the limit
    isAmong: (column, subquery) => `${column} = any (array(${subquery}))`,
    checkQuery: null,
    keepsNewest: false,
    backup: async () => {
      throw new Error('back up a PostgreSQL ledger with pg_dump or with a base backup');
    },
    checkFile: () => {},
    close: () => pool.end(),
  };
}

function* readClock(): Program<number> {
  const [row] = yield* all<{ now: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
  );
  return row?.now ?? NaN;
}

async function runOn<T>(connection: Connection, program: Program<T>): Promise<T> {
  let step = program.next();
  while (!step.done) {
    const { text, values } = step.value;
    const { rowCount, rows } = await connection.query(text, values);
    step = program.next({ rows, changes: rowCount ?? 0 });
  }
  return step.value;
}

const TABLES = tablesOf({
  // Compared byte by byte: an index in the order of a language finds no beginning of a text, and is
  // wrong after the database has moved to a system that orders this language otherwise.
  text: 'text collate "C"',
  int: 'bigint',
  seq: 'bigint primary key',
  keyed: '',
  // Three tenths of each page stay free for new versions of its rows, so that most changes write no
  // index of a column that did not change.
  changing: ' with (fillfactor = 70)',
});

export const RELATIONS: readonly string[] = [...TABLES, ...SEQUENCES].flatMap(
  (text) => /create (?:table|sequence) (\w+)/.exec(text)?.[1] ?? [],
);

/** The number of the advisory lock under which tables are made. */
const SCHEMA_LOCK = 7_290_413;

function* useTables(): Program<void> {
  yield* first(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
  yield* makeTables(isNewLedger, [...TABLES, ...SEQUENCES]);
  yield* raiseSequences();
}

function* isNewLedger(): Program<boolean> {
  const [found] = yield* all<{ settings: string | null }>(
    "select to_regclass('settings')::text as settings",
  );
  return (found?.settings ?? null) === null;
}
