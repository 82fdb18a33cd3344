/** A power cut loses every write that is not synced. Checks which orders survive it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { sqliteEngine } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import { openSqlite } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { openConnections } from '../../../proofs/simulation/machine/connections.js';
import { createDiskFile } from '../../../proofs/simulation/machine/disk-file.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { createWorld, openIntent, stillClock, until, type World } from '../../support/world.js';
import { findOrder } from '../../support/ledger-calls.js';

type Machine = {
  ledger: Ledger;
  /** Also ends the use of `ledger`. */
  powerCut(): Promise<void>;
  close(): Promise<void>;
};

const file = createDiskFile();
let postgres: Postgres;
let database: string;
before(async () => {
  // until then the server does not sync by itself what the relay did not sync
  postgres = await startPostgres({ settings: { wal_writer_delay: '10s' } });
  database = await postgres.ledger();
});
after(async () => {
  file.remove();
  await postgres.stop();
});

const engines: Readonly<Record<string, () => Promise<Machine>>> = {
  SQLite: async () => {
    const connections = await openConnections(file, { full: false, gone: false });
    const close = async (): Promise<void> => {
      for (const each of Object.values(connections)) each.close();
    };
    const powerCut = async (): Promise<void> => {
      await close();
      file.powerCut();
    };
    return { ledger: await openSqlite(sqliteEngine(connections)), powerCut, close };
  },
  PostgreSQL: async () => {
    const ledger = await openLedger(database);
    const powerCut = async (): Promise<void> => {
      await postgres.powerCut();
      await ledger.close();
    };
    return { ledger, powerCut, close: () => ledger.close() };
  },
};

const pay = (world: World): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, option: 'qr', attempt: crypto.randomUUID() });

for (const [name, start] of Object.entries(engines))
  describe(`a power cut of a ledger on ${name}`, () => {
    it('keeps each answered order', async () => {
      for (let cut = 0; cut < 5; cut++) {
        const { ledger: lost, powerCut } = await start();
        const { body, status } = await pay(createWorld({ ledger: lost, clock: stillClock }));
        await powerCut();
        assert.equal(status, 200);
        const { close, ledger } = await start();
        const kept = await findOrder(ledger, body.order?.request_id ?? '');
        assert.deepEqual(kept?.next_action, body.order?.next_action);
        assert.deepEqual([kept?.sending, kept?.status], ['answered', body.order?.status]);
        await close();
      }
    });

    it('keeps all orders that are answered together', async () => {
      const { ledger: lost, powerCut } = await start();
      const world = createWorld({ ledger: lost });
      const pays = await Promise.all(Array.from({ length: 20 }, () => pay(world)));
      await powerCut();
      const { close, ledger } = await start();
      // a slow machine may claim some of them too late, and then places none of those
      const answered = pays.filter(({ status }) => status === 200);
      assert.ok(answered.length > 1, `${answered.length} were answered`);
      for (const { body } of answered)
        assert.equal((await findOrder(ledger, body.order?.request_id ?? ''))?.sending, 'answered');
      await close();
    });

    it('keeps the claim of each pay that the service received', async () => {
      const received: string[] = [];
      const sandbox = createSandbox({ publicUrl: 'https://service.example' });
      const silent: Sandbox = {
        ...sandbox,
        fetch: async (request) => {
          const { request_id } = (await request.json()) as { request_id: string };
          // a relay that gets no answers also asks whether the service is up
          if (request.url.endsWith('/pay')) received.push(request_id);
          return new Promise<Response>(() => {});
        },
      };
      const { ledger: lost, powerCut } = await start();
      const world = createWorld({ ledger: lost, sandbox: silent });
      for (let sent = 0; sent < 5; sent++) void pay(world).catch(() => {});
      await until(() => received.length === 5, 'the service has all pays');
      await powerCut();
      const { close, ledger } = await start();
      for (const request_id of received)
        // on a slow machine the relay has given up waiting before the cut
        assert.match((await findOrder(ledger, request_id))?.sending ?? '', /^(claimed|lost)$/);
      await close();
    });
  });

describe('the power cut of PostgreSQL in these tests', () => {
  it('loses a commit that is not synced, and keeps one that is', async () => {
    const url = await postgres.database();
    const withClient = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      return work(client).finally(() => client.end());
    };
    await withClient(async (client) => {
      await client.query('create table commits (name text)');
      await client.query("insert into commits values ('synced')");
      await client.query('set synchronous_commit = off');
      await client.query("insert into commits values ('not synced')");
      await postgres.powerCut();
    });
    const { rows } = await withClient((client) => client.query('select name from commits'));
    assert.deepEqual(rows, [{ name: 'synced' }]);
  });
});
