/** The statements of one SQLite connection, over any database with the `node:sqlite` interface. */
import type { Program, Result, SqlValue } from '../tables/program.js';

type SqliteStatement = {
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

type Row = Record<string, SqlValue>;
type Prepared = { statement: SqliteStatement; toRow: ((row: unknown) => Row) | null };

const returnsRows = (text: string): boolean =>
  /^\s*(select|pragma)\b/i.test(text) || /\breturning\b/i.test(text);

/**
 * Prepares the conversion of a statement's rows. Rows come as arrays, because the driver's objects
 * are slow to make and to read. A row is a copy of a template, because V8 makes a copy much faster
 * than an object that gets its columns one by one.
 */
function rowsOf(statement: SqliteStatement): (row: unknown) => Row {
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const template: Row = Object.fromEntries(names.map((name) => [name, null]));
  return (row) => {
    const values = row as readonly SqlValue[];
    const object = { ...template };
    names.forEach((name, index) => (object[name] = values[index] ?? null));
    return object;
  };
}

/**
 * SQLite reads the value of a bare `limit ?` when it compiles the statement, so it would compile
 * the statement again at each execution, which takes ten times as long.
 */
const asSqlite = (text: string): string =>
  text.replace(/\$(?=\d)/g, '?').replace(/\blimit \?\d+/g, '$& + 0');

/** Executes statements, each of which is prepared once. */
export class Statements {
  readonly #database: SqliteDatabase;
  readonly #guard: FileGuard;
  readonly #prepared = new Map<string, Prepared>();
  constructor(database: SqliteDatabase, guard: FileGuard) {
    this.#database = database;
    this.#guard = guard;
  }
  execute(text: string, ...values: readonly SqlValue[]): Result {
    try {
      return this.#execute(text, values);
    } catch (error) {
      this.#guard.note(error);
      throw error;
    }
  }
  /** @throws LedgerGoneError when nothing may be written any more */
  begin(): void {
    this.#guard.check();
    // `immediate`: a deferred transaction that writes after a read can fail on a lock at once
    this.execute('begin immediate');
  }
  #execute(text: string, values: readonly SqlValue[]): Result {
    let known = this.#prepared.get(text);
    if (!known) {
      const statement = this.#database.prepare(asSqlite(text));
      known = { statement, toRow: returnsRows(text) ? rowsOf(statement) : null };
      this.#prepared.set(text, known);
    }
    const { statement, toRow } = known;
    if (!toRow) return { rows: [], changes: Number(statement.run(...values).changes) };
    const rows = statement.all(...values).map(toRow);
    return { rows, changes: rows.length };
  }
  /** Runs all statements of a program now. */
  run<T>(program: Program<T>): T {
    let step = program.next();
    while (!step.done) {
      const { text, values } = step.value;
      step = program.next(this.execute(text, ...values));
    }
    return step.value;
  }
  /** Rolls back, unless the database has already rolled back by itself, as on a full disk. */
  rollBack(): void {
    try {
      this.execute('rollback');
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }
}
