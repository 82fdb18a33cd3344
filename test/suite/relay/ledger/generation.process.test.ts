/** Opens a new ledger, and ledgers of a generation that this relay does not know. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { GENERATION } from '../../../../relay/ledger/ledger-errors.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { createWorld, openIntent } from '../../support/world.js';
import { ordersOf } from '../../support/ledger-calls.js';

const folder = mkdtempSync(join(tmpdir(), 'generation-'));
after(() => rmSync(folder, { recursive: true }));
let running: Promise<Postgres> | undefined;
after(async () => (await running)?.stop());

/** Tables and rows of a ledger. */
async function dump(address: string): Promise<unknown> {
  const rows: Record<string, unknown> = {};
  if (address.startsWith('sqlite:')) {
    const database = new DatabaseSync(address.slice('sqlite:'.length));
    const tables = database.prepare('select name, sql from sqlite_master order by name').all();
    for (const { name } of database
      .prepare("select name from sqlite_master where type = 'table'")
      .all() as { name: string }[])
      rows[name] = database.prepare(`select * from ${name}`).all();
    database.close();
    return JSON.parse(JSON.stringify({ tables, rows }));
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  for (const { name } of tables) rows[name] = (await client.query(`select * from ${name}`)).rows;
  await client.end();
  return JSON.parse(JSON.stringify(rows));
}

let files = 0;
const unused = {
  sqlite: async () => `sqlite:${join(folder, `${files++}.db`)}`,
  postgres: async () => (await (running ??= startPostgres({ syncs: false }))).database(),
};

for (const [name, create] of Object.entries(unused)) {
  describe(`a ledger on ${name}`, () => {
    it('is refused and not changed when its generation is unknown', async () => {
      for (const other of [String(GENERATION + 1), '4', 'none']) {
        const address = await create();
        const ledger = await openLedger(address);
        await ledger.writeSetting('generation', other);
        await ledger.close();
        const before = await dump(address);
        const message =
          `the ledger has generation ${other}, and this version knows ${GENERATION}: ` +
          'install the version of the relay that last used this ledger, or a newer one';
        for (const schema of ['create', 'check'] as const)
          await assert.rejects(openLedger(address, { schema }), { message });
        // a backup copies a ledger of any generation
        await (await openLedger(address, { schema: 'leave' })).close();
        assert.deepEqual(await dump(address), before);
      }
    });

    it('opens for a command once a relay has used it', async () => {
      const address = await create();
      await (await openLedger(address)).close();
      const opened = await openLedger(address, { schema: 'check' });
      assert.equal(await opened.setting('generation'), String(GENERATION));
      await opened.close();
    });

    it('places no order when a newer relay changed the ledger, and /readyz says so', async () => {
      const ledger = await openLedger(await create());
      const world = createWorld({ ledger });
      const ready = async (): Promise<{ status: number; body: Record<string, unknown> }> => {
        const response = await world.relay.fetch(new Request('https://shop.example/readyz'));
        return {
          status: response.status,
          body: (await response.json()) as Record<string, unknown>,
        };
      };
      const pay = { ...openIntent, attempt: crypto.randomUUID(), option: 'card' };
      const { intent_id, order_key, request_id } = (await world.ask('/v1/pay', pay)).body.order!;
      const replaces = { request_id, order_key };
      assert.equal((await ready()).status, 200);
      await ledger.writeSetting('generation', String(GENERATION + 1));

      for (const refused of [
        { ...pay, attempt: crypto.randomUUID() },
        { ...pay, replaces },
      ]) {
        const { body, status } = await world.ask('/v1/pay', refused);
        const { code } = body.error as { code: string };
        assert.deepEqual([status, code], [503, 'service_unavailable']);
      }
      assert.equal(world.pays().length, 1);
      assert.equal((await ordersOf(ledger, intent_id)).length, 1);

      const { body, status } = await ready();
      assert.deepEqual([status, body.ledger], [503, 'newer_generation']);
      // the existing orders can still be read
      assert.equal((await world.ask('/v1/query', replaces)).status, 200);
      await world.relay.tick();
      assert.equal((await ready()).body.status, 'stopping');
      await world.relay.close();
      await ledger.close();
    });
  });
}

describe('a database without the tables of a relay', () => {
  it('is refused for a command, which never makes the tables', async () => {
    const file = join(folder, 'empty.db');
    const database = new DatabaseSync(file);
    database.exec('create table shop (id text)');
    database.close();
    await assert.rejects(openLedger(`sqlite:${file}`, { schema: 'check' }), {
      message: 'no relay has used this ledger yet: start a relay, which makes its tables',
    });
  });

  it('is refused when it has other tables, and the cause is named', async () => {
    const address = await unused.sqlite();
    const database = new DatabaseSync(address.slice('sqlite:'.length));
    database.exec('create table intents (id text)');
    database.close();
    await assert.rejects(openLedger(address), ({ cause, message }: Error) => {
      assert.match(message, /could not be made/);
      assert.match(String(cause), /intents/);
      return true;
    });
  });
});
