/**
 * The API of better-sqlite3, which Kysely and Knex expect, over another SQLite driver. The real
 * better-sqlite3 would need a compiler or a newer Node.js.
 */
import { createRequire } from 'node:module';
import { DatabaseSync } from '@photostructure/sqlite';
import type knex from 'knex';

type Value = string | number | null;

export class BetterSqlite3 {
  private readonly database: InstanceType<typeof DatabaseSync>;
  constructor(file: string) {
    this.database = new DatabaseSync(file);
  }
  prepare(sql: string) {
    const statement = this.database.prepare(sql);
    const toValues = (values: readonly unknown[]): Value[] => [...values] as Value[];
    return {
      /** Whether the statement returns rows. */
      reader: /^\s*select\b|\breturning\b/i.test(sql),
      all: (values: readonly unknown[]): unknown[] => statement.all(...toValues(values)),
      run: (values: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number } => {
        const { changes, lastInsertRowid } = statement.run(...toValues(values));
        return { changes, lastInsertRowid: Number(lastInsertRowid) };
      },
      iterate: (): never => {
        throw new Error('the stores read no rows one by one');
      },
    };
  }
  exec(sql: string): void {
    this.database.exec(sql);
  }
  close(): void {
    this.database.close();
  }
}

const dialect = createRequire(import.meta.url)(
  'knex/lib/dialects/better-sqlite3/index.js',
) as typeof knex.Client;

/** Knex's own dialect for better-sqlite3, which loads the driver by this method. */
export class BetterSqlite3Client extends dialect {
  _driver(): typeof BetterSqlite3 {
    return BetterSqlite3;
  }
}
