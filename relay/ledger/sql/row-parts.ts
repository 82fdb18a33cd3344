/** The parts of a statement that writes a row, for statements that the SQL builder cannot build. */
import { sql, type RawBuilder } from 'kysely';

export const columnsOf = (row: object): RawBuilder<unknown> =>
  sql.join(Object.keys(row).map((name) => sql.ref(name)));

export const valuesOf = (row: object): RawBuilder<unknown> => sql.join(Object.values(row));

/** `column = value` for each column. */
export const changesOf = (row: object): RawBuilder<unknown> =>
  sql.join(Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`));
