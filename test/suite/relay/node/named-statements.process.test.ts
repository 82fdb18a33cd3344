/** Which connections to PostgreSQL prepare statements under names. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createQueryOn } from '../../../../relay/node/named-statements.js';
import { missingPgbouncer, startPgbouncer } from '../../support/pgbouncer.js';
import { poolOf, startPostgres, type Postgres } from '../../support/postgres.js';

let postgres: Postgres;
before(async () => void (postgres = await startPostgres({ syncs: false })));
after(() => postgres.stop());

/** @returns the statements that the connection has prepared after each was executed twice */
async function preparedAfter(url: string, ...texts: string[]): Promise<string[]> {
  const pool = poolOf({ connectionString: url, max: 1 });
  const client = await pool.connect();
  const query = await createQueryOn()(client);
  for (const text of [...texts, ...texts]) await query(text, [1]);
  const { rows } = await client.query<{ statement: string }>(
    'select statement from pg_prepared_statements',
  );
  client.release();
  await pool.end();
  return rows.map(({ statement }) => statement);
}

const BY_KEY = 'select 1 as one where 1 = $1::int';
const WITH_KEY = '\n  with one as (select 1 as one where 1 = $1::int) select * from one';

describe('the names of statements', () => {
  it('names each statement that reads or writes rows', async () => {
    const prepared = await preparedAfter(await postgres.database(), BY_KEY, WITH_KEY);
    assert.deepEqual(prepared.sort(), [BY_KEY, WITH_KEY].sort());
  });

  it('plans a named statement once, and not for the values of each execution', async () => {
    const pool = poolOf({ connectionString: await postgres.database(), max: 1 });
    const client = await pool.connect();
    const query = await createQueryOn()(client);
    for (let times = 0; times < 10; times++) await query(BY_KEY, [1]);
    const { rows } = await client.query(
      'select generic_plans::int, custom_plans::int from pg_prepared_statements',
    );
    assert.deepEqual(rows, [{ generic_plans: 10, custom_plans: 0 }]);
    client.release();
    await pool.end();
  });

  it('ends a transaction after ten seconds whose relay does nothing any more', async () => {
    const pool = poolOf({ connectionString: await postgres.database(), max: 1 });
    const client = await pool.connect();
    await createQueryOn()(client);
    const { rows } = await client.query('show idle_in_transaction_session_timeout');
    assert.deepEqual(rows, [{ idle_in_transaction_session_timeout: '10s' }]);
    client.release();
    await pool.end();
  });

  it('names no statement behind a pooler', { skip: missingPgbouncer }, async () => {
    const url = await postgres.database();
    const pgbouncer = await startPgbouncer(url, 2);
    assert.deepEqual(await preparedAfter(pgbouncer.through(url), BY_KEY), []);
    pgbouncer.stop();
  });
});
