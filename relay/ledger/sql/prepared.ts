/**
 * Statements that are built and compiled once, and executed many times with different values.
 * Building and compiling a statement costs several times more than SQLite needs to execute it.
 */
import type { Compilable, CompiledQuery, DialectAdapter, Kysely, QueryResult } from 'kysely';
import type { Engine } from './engine.js';
import type { Tables } from './tables.js';

/**
 * Stands in a statement for which PostgreSQL should keep one plan for all values, although it
 * compares by `<` or has a limit. To plan a statement again costs more the more months there are.
 */
export const ONE_PLAN = '/* one plan */';

/** A placeholder in a statement for a value of each execution. */
class Placeholder {
  readonly name: string;
  /** The column, when the value named `name` is a row. */
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
  /** The parameters of the statement: placeholders and constants. */
  parameters: readonly unknown[];
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
 * @param build builds the statement when an engine executes it for the first time. It gets
 *   placeholders instead of values, so it must not decide anything by a value: all executions share
 *   the statement
 * @returns a function that throws an Error when a row has other columns than at the first execution
 */
export function prepared<Values extends object, Found>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Found>,
): Prepared<Values, Found> {
  /** The compiled statement by the adapter of its engine, since engines differ in their SQL. */
  const known = new WeakMap<DialectAdapter, Compiled<Found>>();
  return (db, values) => {
    const { adapter } = db.getExecutor();
    let compiled = known.get(adapter);
    if (!compiled) known.set(adapter, (compiled = compile(build, db, values)));
    for (const [name, width] of compiled.widths)
      if (Object.keys(Reflect.get(values, name) as Row).length !== width)
        throw new Error(`${name}: another number of columns than in the statement`);
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? valueAt(values, parameter) : parameter,
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
  const placeholderFor = (name: string, value: unknown): unknown => {
    if (!isRow(value)) return new Placeholder(name);
    const columns = Object.keys(value);
    widths.set(name, columns.length);
    return Object.fromEntries(columns.map((column) => [column, new Placeholder(name, column)]));
  };
  const placeholders = Object.entries(values).map(([name, value]) => [
    name,
    placeholderFor(name, value),
  ]);
  const query = build(db, Object.fromEntries(placeholders) as Values).compile();
  return { query, parameters: query.parameters, widths };
}

/** @throws Error when the value is missing, since the statement would write or compare null */
function valueAt(values: object, { column, name }: Placeholder): unknown {
  const value: unknown = Reflect.get(values, name);
  const found = column === undefined ? value : (value as Row)[column];
  const label = column === undefined ? name : `${name}.${column}`;
  if (found === undefined) throw new Error(`${label}: the statement needs a value`);
  return found;
}

/** Makes a statement once for each engine, because its SQL differs between engines. */
export function ofEngine<Made>(make: (engine: Engine) => Made): (engine: Engine) => Made {
  const madeFor = new WeakMap<Engine, Made>();
  return (engine) => {
    let known = madeFor.get(engine);
    if (known === undefined) madeFor.set(engine, (known = make(engine)));
    return known;
  };
}

/** The first row that a statement returned. */
export const firstOf = <Found>({ rows }: QueryResult<Found>): Found | undefined => rows[0];
