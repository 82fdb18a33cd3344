/** The statements of one SQLite connection, over any database with the `node:sqlite` interface. */
import { CompiledQuery, type QueryResult } from 'kysely';

export type SqliteStatement = {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): { changes: number | bigint };
  columns(): readonly { readonly name: string }[];
  /** Makes `all` return each row as an array of its values. */
  setReturnArrays(returnArrays: boolean): void;
};
export type SqliteDatabase = {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
};
/** A check of the database's file, for a database that has one. */
export type FileGuard = {
  /** @throws LedgerGoneError when nothing may be written any more */
  check(): void;
  /** Takes each error of a statement; an error about a damaged file stops all further writes. */
  note(error: unknown): void;
};
export const NO_GUARD: FileGuard = { check: () => {}, note: () => {} };

const isRead = (text: string): boolean =>
  /^\s*(select|pragma|with)\b/i.test(text) || /\breturning\b/i.test(text);

type Row = Record<string, unknown>;
type Prepared = { statement: SqliteStatement; toRow: ((row: unknown) => Row) | null };

/**
 * Prepares the conversion of a statement's rows. Rows come as arrays, because the driver's objects
 * are slow to make and to read. A row is a copy of a template, because V8 makes a copy much faster
 * than an object that gets its columns one by one.
 */
function rowsOf(statement: SqliteStatement): (row: unknown) => Row {
  statement.setReturnArrays(true);
  let names: readonly string[] = [];
  let template: Row = {};
  const readColumns = (): void => {
    names = statement.columns().map(({ name }) => name);
    template = Object.fromEntries(names.map((name) => [name, null]));
  };
  return (row) => {
    const values = row as readonly unknown[];
    // a newer relay may have added a column since the last row
    if (values.length !== names.length) readColumns();
    const object = { ...template };
    names.forEach((name, index) => (object[name] = values[index]));
    return object;
  };
}

/** Executes statements, each of which is prepared once. */
export class Statements {
  readonly #database: SqliteDatabase;
  readonly #guard: FileGuard;
  readonly #prepared = new Map<string, Prepared>();
  constructor(database: SqliteDatabase, guard: FileGuard = NO_GUARD) {
    this.#database = database;
    this.#guard = guard;
  }
  execute<R>(query: CompiledQuery): QueryResult<R> {
    try {
      return this.#execute<R>(query);
    } catch (error) {
      this.#guard.note(error);
      throw error;
    }
  }
  /** Executes a statement that is a transaction of its own. */
  executeAlone<R>(query: CompiledQuery): QueryResult<R> {
    if (query.query.kind !== 'SelectQueryNode') this.#guard.check();
    return this.execute<R>(query);
  }
  #execute<R>({ sql: text, parameters }: CompiledQuery): QueryResult<R> {
    let known = this.#prepared.get(text);
    if (!known) {
      const statement = this.#database.prepare(text);
      known = { statement, toRow: isRead(text) ? rowsOf(statement) : null };
      this.#prepared.set(text, known);
    }
    const { statement, toRow } = known;
    if (toRow) return { rows: statement.all(...parameters).map(toRow) as R[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
  }
  run(text: string): void {
    this.execute(CompiledQuery.raw(text));
  }
  /** Rolls back, unless the database has already rolled back by itself, as on a full disk. */
  rollBack(): void {
    try {
      this.run('rollback');
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }
}
