/**
 * Programs of statements, written once for both engines. SQLite runs a program in one turn of the
 * event loop, within a transaction; PostgreSQL waits for the answer to each statement.
 *
 * A statement names its columns, and has `$1`, `$2` and so on for its values, in this order. Both
 * engines prepare a statement once, so its text must not depend on values.
 */
export type SqlValue = string | number | null;
type Statement = { readonly text: string; readonly values: readonly SqlValue[] };
export type Result = { readonly rows: readonly unknown[]; readonly changes: number };
export type Program<T> = Generator<Statement, T, Result>;

/** @returns the rows, whose type the caller names */
export function* all<R>(text: string, ...values: readonly SqlValue[]): Program<R[]> {
  const { rows } = yield { text, values };
  return rows as R[];
}

export function* first<R>(text: string, ...values: readonly SqlValue[]): Program<R | null> {
  const [row] = yield* all<R>(text, ...values);
  return row ?? null;
}

/** @returns the number of changed rows */
export function* run(text: string, ...values: readonly SqlValue[]): Program<number> {
  const { changes } = yield { text, values };
  return changes;
}
