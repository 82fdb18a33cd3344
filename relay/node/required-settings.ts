/** Settings that the ledger's database on PostgreSQL must have. */
import type { ClientBase } from 'pg';

type RequiredSetting = { name: string; isRight: (value: string) => boolean; right: string };
/** PgBouncer refuses settings at the start of a connection, so the database must have these. */
const REQUIRED_SETTINGS: readonly RequiredSetting[] = [
  {
    // a stricter isolation fails transactions that meet, and the relay would answer pays with 500
    name: 'default_transaction_isolation',
    isRight: (value) => value === 'read committed',
    right: "'read committed'",
  },
  {
    // after a crash, orders that customers were told of would be lost
    name: 'synchronous_commit',
    isRight: (value) => value !== 'off',
    right: 'on',
  },
];

/** @returns what is wrong, and the statement that mends it; null when all settings are right */
export async function wrongSetting(client: Pick<ClientBase, 'query'>): Promise<string | null> {
  const { rows } = await client.query<{ name: string; value: string; database: string }>(
    `select name, current_setting(name) as value, current_database() as database
      from unnest($1::text[]) as names (name)`,
    [REQUIRED_SETTINGS.map(({ name }) => name)],
  );
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  for (const { isRight, name, right } of REQUIRED_SETTINGS) {
    const value = values.get(name) ?? '';
    if (isRight(value)) continue;
    const database = rows[0]?.database;
    return `its ${name} is "${value}"; run: alter database "${database}" set ${name} = ${right}`;
  }
  return null;
}
