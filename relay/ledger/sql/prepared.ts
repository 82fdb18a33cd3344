/**
 * Statements that are built and compiled once, and executed many times with other values. Building
 * and compiling one costs several times more than SQLite needs to execute it.
 */
import type { Compilable, CompiledQuery, DialectAdapter, Kysely, QueryResult } from 'kysely';
import type { Engine } from './engine.js';
import type { Tables } from './tables.js';

/** Stands in a statement for a value that each execution gives. */
class Slot {
  readonly name: string;
  /** Of a row among the values. */
  readonly column: string | undefined;
  constructor(name: string, column?: string) {
    this.name = name;
    this.column = column;
  }
}

/** A row, whose columns all become values of the statement. */
type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

type Compiled<Found> = {
  query: CompiledQuery<Found>;
  slots: readonly unknown[];
  /** The number of columns of each row among the values. */
  widths: ReadonlyMap<string, number>;
};

/** Executes the statement; inside a transaction `db` is the transaction. */
export type Prepared<Values, Found> = (
  db: Kysely<Tables>,
  values: Values,
) => Promise<QueryResult<Found>>;

/**
 * Prepares a statement. A value is a text, a number or null, or a row of such values.
 *
 * @param build builds the statement, the first time that a database executes it. It may only put
 *   the values into the statement: they are stand-ins. What else it decides stays decided
 * @throws Error at an execution when a row has other columns than the row of the first execution
 */
export function prepared<Values extends object, Found>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Found>,
): Prepared<Values, Found> {
  /** By database: each has its own spelling of a statement. */
  const known = new WeakMap<DialectAdapter, Compiled<Found>>();
  return (db, values) => {
    const { adapter } = db.getExecutor();
    let compiled = known.get(adapter);
    if (!compiled) known.set(adapter, (compiled = compile(build, db, values)));
    for (const [name, width] of compiled.widths)
      if (Object.keys(Reflect.get(values, name) as Row).length !== width)
        throw new Error(`${name}: another number of columns than in the statement`);
    const parameters = compiled.slots.map((slot) =>
      slot instanceof Slot ? valueAt(values, slot) : slot,
    );
    return db.executeQuery<Found>({ ...compiled.query, parameters });
  };
}

function compile<Values extends object, Found>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Found>,
  db: Kysely<Tables>,
  values: Values,
): Compiled<Found> {
  const widths = new Map<string, number>();
  const standIn = (name: string, value: unknown): unknown => {
    if (!isRow(value)) return new Slot(name);
    const columns = Object.keys(value);
    widths.set(name, columns.length);
    return Object.fromEntries(columns.map((column) => [column, new Slot(name, column)]));
  };
  const standIns = Object.entries(values).map(([name, value]) => [name, standIn(name, value)]);
  const query = build(db, Object.fromEntries(standIns) as Values).compile();
  return { query, slots: query.parameters, widths };
}

/** @throws Error when there is no such value: the statement would write or compare null */
function valueAt(values: object, { column, name }: Slot): unknown {
  const value: unknown = Reflect.get(values, name);
  const found = column === undefined ? value : (value as Row)[column];
  if (found === undefined) throw new Error(`${name} ${column}: the statement needs a value`);
  return found;
}

/** Makes a statement that differs between engines once for each of them. */
export function ofEngine<Made>(make: (engine: Engine) => Made): (engine: Engine) => Made {
  const made = new WeakMap<Engine, Made>();
  return (engine) => {
    let known = made.get(engine);
    if (known === undefined) made.set(engine, (known = make(engine)));
    return known;
  };
}

/** The first row that a statement returned. */
export const firstOf = <Found>({ rows }: QueryResult<Found>): Found | undefined => rows[0];
