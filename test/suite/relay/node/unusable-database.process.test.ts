/** Database servers that the relay must not wait for, or must not use. */
import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { Secret } from '../../../../relay/config/secrets.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { systemClock } from '../../../../relay/runtime.js';
import { whyLedgerUnusable } from '../../../../relay/node/try-ledger.js';
import { createWorld, openIntent } from '../../support/world.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { findOrder } from '../../support/ledger-calls.js';

let postgres: Postgres;
before(async () => void (postgres = await startPostgres()));
after(() => postgres.stop());

type Wire = { name: string; cut(): void; close(): void };

/** A proxy to the database. After `cut` it forwards nothing and closes nothing. */
async function wireTo(database: string): Promise<Wire> {
  const url = new URL(database);
  const port = Number(url.port);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.port = String((server.address() as AddressInfo).port);
  return {
    name: url.href,
    cut: () => {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('a database that stops answering', () => {
  it('abandons a connection to the database that stops answering', async () => {
    const wire = await wireTo(await postgres.database());
    const ledger: Ledger = await openLedger(wire.name);
    await ledger.ping();
    wire.cut();
    await assert.rejects(ledger.ping(), /timeout/i);
    // a new connection works, so the pool must not use the silent one again
    await ledger.ping();
    await ledger.close();
    wire.close();
  });
});

describe('a database whose connections are lost', () => {
  it('answers ledger_unavailable, and sends nothing, while no connection can be made', async () => {
    const wire = await wireTo(await postgres.database());
    const ledger = await openLedger(wire.name);
    const world = createWorld({ ledger });
    const pay = (attempt: string) =>
      world.ask('/v1/pay', { ...openIntent, attempt, option: 'card' });
    const first = crypto.randomUUID();
    assert.equal((await pay(first)).status, 200);
    wire.close();
    for (const attempt of [first, crypto.randomUUID()]) {
      const { body, status } = await pay(attempt);
      assert.deepEqual(
        [status, (body.error as { code?: string }).code],
        [503, 'ledger_unavailable'],
      );
    }
    assert.equal(world.pays().length, 1);
    await ledger.close();
  });
});

describe('a database that refuses a write', () => {
  for (const [code, what] of [
    ['55P03', 'after lock_timeout'],
    ['40001', 'because it could not be serialized'],
    ['40P01', 'because of a deadlock'],
    ['58030', 'because its disk fails'],
  ])
    it(`answers ledger_unavailable, and sends nothing, while it refuses ${what}`, async () => {
      const name = await postgres.database();
      const ledger = await openLedger(name);
      const world = createWorld({ ledger });
      const client = new pg.Client({ connectionString: name });
      await client.connect();
      await client.query(
        `create function refuse() returns trigger language plpgsql as
          $$ begin raise 'refused' using errcode = '${code}'; end $$;
        create trigger refuses before insert or update on intents
          for each row execute function refuse()`,
      );
      const ask = { ...openIntent, attempt: crypto.randomUUID(), option: 'card' };
      const { body, status } = await world.ask('/v1/pay', ask);
      assert.deepEqual(
        [status, (body.error as { code?: string }).code, world.pays().length],
        [503, 'ledger_unavailable', 0],
      );
      await client.query('drop trigger refuses on intents');
      assert.equal((await world.ask('/v1/pay', ask)).status, 200);
      assert.equal(world.pays().length, 1);
      await client.end();
      await ledger.close();
    });
});

/** Waits for the end of each: a connection that is still ending answers once more. */
const loseConnections = (client: pg.Client) =>
  client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );

describe('a database that takes no writes any more', () => {
  it('is reported on /readyz and in a gauge, because its orders can still be read', async () => {
    const name = await postgres.database();
    const ledger = await openLedger(name);
    let ahead = 0;
    const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + ahead };
    const world = createWorld({ ledger, clock });
    const first = { ...openIntent, attempt: crypto.randomUUID(), option: 'card' };
    assert.equal((await world.ask('/v1/pay', first)).status, 200);
    await world.relay.tick();
    const client = new pg.Client({ connectionString: name });
    await client.connect();
    const database = new URL(name).pathname.slice(1);
    await client.query(`alter database "${database}" set default_transaction_read_only = on`);
    const { rowCount: lost } = await loseConnections(client);
    // the first use of each lost connection fails
    for (let use = 0; use < (lost ?? 0); use++) await ledger.ping().catch(() => {});
    ahead += 5000;
    await world.relay.tick();
    const response = await world.relay.fetch(new Request('https://shop.example/readyz'));
    const body = (await response.json()) as { ledger: string };
    const { ledger_read_only } = await world.relay.gauges();
    assert.deepEqual([response.status, body.ledger, ledger_read_only], [200, 'read_only', 1]);
    await client.end();
    await world.relay.close();
    await ledger.close();
  });
});

describe('a database with a setting that the ledger cannot work with', () => {
  for (const [setting, value] of [
    ['default_transaction_isolation', 'repeatable read'],
    ['synchronous_commit', 'off'],
  ])
    it(`is refused, with the statement that mends it: ${setting} is ${value}`, async () => {
      const name = await postgres.database();
      const client = new pg.Client({ connectionString: name });
      await client.connect();
      const database = new URL(name).pathname.slice(1);
      await client.query(`alter database "${database}" set ${setting} = '${value}'`);
      let mend = '';
      await assert.rejects(openLedger(name), ({ cause }: { cause?: Error }) => {
        const [is = '', statement = ''] = cause?.message.split('; run: ') ?? [];
        assert.equal(is, `its ${setting} is "${value}"`);
        mend = statement;
        return true;
      });
      const found = await whyLedgerUnusable(new Secret(name));
      assert.ok(
        found?.endsWith(`its ${setting} is "${value}"; run: ${mend}`),
        'check finds it too',
      );
      await client.query(mend);
      await client.end();
      await (await openLedger(name)).close();
      assert.equal(await whyLedgerUnusable(new Secret(name)), null);
    });

  it('is refused by each new connection too, as after a failover, until it is mended', async () => {
    const name = await postgres.database();
    const ledger = await openLedger(name);
    const client = new pg.Client({ connectionString: name });
    await client.connect();
    const database = new URL(name).pathname.slice(1);
    await client.query(`alter database "${database}" set synchronous_commit = 'off'`);
    const { rowCount: lost } = await loseConnections(client);
    // the first use of each lost connection fails
    for (let use = 0; use < (lost ?? 0); use++) await findOrder(ledger, 'a').catch(() => {});
    await assert.rejects(findOrder(ledger, 'a'), ({ message, name: type }: Error) => {
      assert.match(message, /^its synchronous_commit is "off"; run: alter database .* = on$/);
      assert.equal(type, 'LedgerLostError');
      return true;
    });
    await client.query(`alter database "${database}" set synchronous_commit = on`);
    assert.equal(await findOrder(ledger, 'a'), null);
    await client.end();
    await ledger.close();
  });
});
