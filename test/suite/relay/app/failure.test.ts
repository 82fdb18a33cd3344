/** How the relay behaves when its ledger is locked, removed, damaged or unavailable for a time. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { Secret } from '../../../../relay/config/secrets.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { whyLedgerUnusable } from '../../../../relay/node/try-ledger.js';
import { bearer, createWorld, openIntent, stillClock, type World } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { findOrder } from '../../support/ledger-calls.js';

const folder = temporaryFolder('failure');

const pay = (world: World, attempt = crypto.randomUUID()): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' });
const readyz = async (world: World): Promise<[number, unknown]> => {
  const response = await world.relay.fetch(new Request('https://shop.example/readyz'));
  return [response.status, await response.json()];
};

describe('another process that holds the write lock of SQLite', () => {
  it('answers reads, and then refuses pays, while another process holds the lock', async () => {
    const file = join(folder, 'locked.db');
    const ledger = await openLedger(`sqlite:${file}`);
    const world = createWorld({ ledger });
    const { order } = (await pay(world)).body;
    assert.ok(order);
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    let refused = 0;
    const paying = Promise.all(
      Array.from({ length: 12 }, async () => {
        const { status } = await pay(world);
        refused++;
        return status;
      }),
    );

    assert.equal((await readyz(world))[0], 200);
    const { order_key, request_id } = order;
    const read = await world.ask('/v1/query', { request_id, order_key, wait: 0.1 });
    assert.deepEqual([read.status, refused], [200, 0]);

    assert.deepEqual([...new Set(await paying)], [503]);
    assert.equal(world.pays().length, 1);
    other.exec('rollback');
    other.close();
    assert.equal((await pay(world)).status, 200);
    await world.relay.close();
    await ledger.close();
  });
});

describe('a ledger whose file is removed while the relay runs', () => {
  it('places no order when only the write-ahead log is removed', async () => {
    const file = join(folder, 'wal.db');
    const ledger = await openLedger(`sqlite:${file}`);
    const world = createWorld({ ledger, clock: stillClock });
    assert.equal((await pay(world)).status, 200);
    rmSync(`${file}-wal`);
    assert.equal((await pay(world)).status, 503);
    assert.equal(world.pays().length, 1);
    assert.equal((await readyz(world))[0], 503);
    await world.relay.close();
    await ledger.close();
  });

  it('places no order until a removed ledger file is put back', async () => {
    const file = join(folder, 'removed.db');
    const ledger = await openLedger(`sqlite:${file}`);
    const world = createWorld({ ledger, clock: stillClock });
    assert.equal((await pay(world)).status, 200);
    renameSync(file, `${file}.away`);
    const { body, status } = await pay(world);
    assert.deepEqual([status, (body.error as { code: string }).code], [503, 'service_unavailable']);
    assert.equal(world.pays().length, 1);
    assert.equal((await readyz(world))[0], 503);
    renameSync(`${file}.away`, file);
    assert.equal((await pay(world)).status, 200);
    await world.relay.close();
    await ledger.close();
  });

  it('acknowledges no close, link or revocation while the file is removed', async () => {
    const file = join(folder, 'acknowledged.db');
    const ledger = await openLedger(`sqlite:${file}`);
    const world = createWorld({ ledger, clock: stillClock });
    const link = {
      amount: '10.00',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'c-1',
      expires_in: 3600,
    };
    const made = (await world.ask('/v1/pay-links', link, bearer)).body as { pay_link_id?: string };
    const { order } = (await pay(world)).body;
    const row = await findOrder(ledger, order?.request_id ?? '');
    assert.ok(made.pay_link_id && row, JSON.stringify(made));
    renameSync(file, `${file}.away`);
    for (const [path, body] of [
      ['/v1/close', { intent_id: row.intent_id }],
      ['/v1/pay-links', link],
      ['/v1/pay-links/revoke', { pay_link_id: made.pay_link_id }],
    ] as const)
      assert.equal((await world.ask(path, body, bearer)).status, 503, path);
    renameSync(`${file}.away`, file);
    assert.equal((await ledger.intent(row.intent_id))?.closed_at, null);
    await world.relay.close();
    await ledger.close();
  });
});

describe('a ledger that cannot be read for a moment', () => {
  it('loads the keys again after a failed read, and /readyz names the failing part', async () => {
    const inner = memoryLedger();
    let broken = true;
    const ledger: Ledger = {
      ...inner,
      keepSetting: (name, value) =>
        broken ? Promise.reject(new Error('down')) : inner.keepSetting(name, value),
    };
    const world = createWorld({ ledger });
    assert.equal((await pay(world)).status, 500);
    const [status, body] = await readyz(world);
    assert.deepEqual(
      [status, body],
      [503, { status: 'unavailable', ledger: 'ok', keys: 'unavailable', service: 'ok' }],
    );
    broken = false;
    assert.equal((await pay(world)).status, 200);
    assert.equal((await readyz(world))[0], 200);
  });
});

describe('a ledger file', () => {
  /** A complete ledger file: its write-ahead log was written into the file when it was closed. */
  async function wholeFile(name: string): Promise<string> {
    const file = join(folder, name);
    const ledger = await openLedger(`sqlite:${file}`);
    const world = createWorld({ ledger, clock: stillClock });
    for (let orders = 0; orders < 20; orders++) await pay(world);
    await world.relay.close();
    await ledger.close();
    return file;
  }

  it('refuses a truncated ledger file with a clear message, and leaves it unchanged', async () => {
    const file = await wholeFile('cut.db');
    truncateSync(file, Math.floor(statSync(file).size / 2));
    const before = readFileSync(file);
    await assert.rejects(
      openLedger(`sqlite:${file}`),
      /was truncated; the relay did not change it/,
    );
    assert.deepEqual(readFileSync(file), before);
  });

  /** The files that a killed relay leaves: the ledger file, and a log with the last commit. */
  async function killedFile(name: string): Promise<string> {
    const running = join(folder, `running-${name}`);
    const ledger = await openLedger(`sqlite:${running}`);
    const world = createWorld({ ledger, clock: stillClock });
    for (let orders = 0; orders < 20; orders++) await pay(world);
    const checkpoint = new DatabaseSync(running);
    checkpoint.exec('pragma wal_checkpoint(passive)');
    checkpoint.close();
    await pay(world);
    const file = join(folder, name);
    for (const end of ['', '-wal']) copyFileSync(`${running}${end}`, `${file}${end}`);
    await world.relay.close();
    await ledger.close();
    return file;
  }

  it('opens the file and the log that a kill leaves behind', async () => {
    const ledger = await openLedger(`sqlite:${await killedFile('killed.db')}`);
    assert.deepEqual(await ledger.verify(), []);
    await ledger.close();
  });

  for (const part of [0.5, 0.8, 0.9])
    it(`refuses a file cut to ${part} of its size when its log lacks the other pages`, async () => {
      const file = await killedFile(`cut-${part}.db`);
      truncateSync(file, Math.floor(statSync(file).size * part));
      const before = readFileSync(file);
      await assert.rejects(openLedger(`sqlite:${file}`), /was truncated; the relay did not/);
      assert.deepEqual(readFileSync(file), before);
    });

  it('refuses an empty ledger file with a clear message, and leaves it unchanged', async () => {
    const file = join(folder, 'empty.db');
    writeFileSync(file, '');
    // `check` and `leave`: a command must not make it look like a new ledger either
    for (const schema of ['create', 'check', 'leave'] as const)
      await assert.rejects(openLedger(`sqlite:${file}`, { schema }), /is empty/);
    assert.equal(statSync(file).size, 0);
  });

  it('makes no ledger beside the log of a ledger whose file is missing', async () => {
    const file = await killedFile('missing.db');
    const log = readFileSync(`${file}-wal`);
    renameSync(file, `${file}.moved`);
    const why = await whyLedgerUnusable(new Secret(`sqlite:${file}`));
    assert.match(why ?? '', /is missing, but its log .*-wal is there/);
    await assert.rejects(openLedger(`sqlite:${file}`), { message: `ledger: ${why}` });
    assert.deepEqual(readFileSync(`${file}-wal`), log);
    renameSync(`${file}.moved`, file);
    const ledger = await openLedger(`sqlite:${file}`);
    assert.deepEqual(await ledger.verify(), []);
    await ledger.close();
  });

  it('refuses a file of another program, and leaves it unchanged', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'milk, bread');
    await assert.rejects(openLedger(`sqlite:${file}`), /not a SQLite file/);
    assert.equal(readFileSync(file, 'utf8'), 'milk, bread');
  });

  it('sends no further pay after the database has reported damage', async () => {
    const file = await wholeFile('damaged.db');
    const bytes = readFileSync(file);
    // the database opens, because its schema is at the beginning
    writeFileSync(file, bytes.fill(0xff, Math.floor(bytes.length * 0.85)));
    const ledger = await openLedger(`sqlite:${file}`);
    const world = createWorld({ ledger });
    let status = 200;
    for (let pays = 0; pays < 50 && status === 200; pays++) status = (await pay(world)).status;
    assert.notEqual(status, 200);
    const sent = world.pays().length;
    assert.equal((await pay(world)).status, 503);
    assert.equal(world.pays().length, sent);
    assert.equal((await readyz(world))[0], 503);
    await world.relay.close();
    await ledger.close().catch(() => {});
  });

  for (const [what, put] of [
    ['made by ledger backup', async (ledger: Ledger, to: string) => ledger.backup(to)],
    ['copied as a file', async (_: Ledger, to: string, file: string) => copyFileSync(file, to)],
  ] as const)
    it(`refuses a backup ${what} that was put beside the log of a killed relay`, async () => {
      const whole = await wholeFile(`before-${what}.db`);
      const backup = join(folder, `backup-${what}.db`);
      const ledger = await openLedger(`sqlite:${whole}`);
      await put(ledger, backup, whole);
      await ledger.close();
      const file = await killedFile(`restored-${what}.db`);
      copyFileSync(backup, file);
      await assert.rejects(
        openLedger(`sqlite:${file}`, { restored: true }),
        /-wal does not belong to .*Remove .*-wal and .*-shm/,
      );
      const restored = await openLedger(`sqlite:${backup}`, { restored: true });
      assert.deepEqual(await restored.verify(), []);
      await restored.close();
    });

  it('opens a restored ledger again after a kill', async () => {
    const file = await killedFile('restored-killed.db');
    const ledger = await openLedger(`sqlite:${file}`, { restored: true });
    assert.deepEqual(await ledger.verify(), []);
    await ledger.close();
  });

  it('backs a ledger up completely while it is written', async () => {
    const ledger = await openLedger(`sqlite:${join(folder, 'busy.db')}`);
    const world = createWorld({ ledger });
    const copy = join(folder, 'copy.db');
    const paying = Promise.all(Array.from({ length: 20 }, () => pay(world)));
    await ledger.backup(copy);
    await paying;
    const restored = await openLedger(`sqlite:${copy}`);
    assert.deepEqual(await restored.verify(), []);
    await restored.close();
    await world.relay.close();
    await ledger.close();
  });

  it('reports rows of a ledger that contradict each other', async () => {
    const file = await wholeFile('wrong.db');
    const other = new DatabaseSync(file);
    const change = (field: string, value: string, id: number): void =>
      other.exec(
        `update intents set body = json_set(body, '${field}', '${value}') where rowid = ${id}`,
      );
    change('$.orders[0].outcome', 'succeeded', 1);
    change('$.current_request_id', 'nobody', 2);
    other.close();
    const ledger = await openLedger(`sqlite:${file}`);
    const found = await ledger.verify();
    assert.equal(found.length, 2, found.join('\n'));
    for (const problem of [/not paid, with an order that succeeded/, /current order is missing/])
      assert.match(found.join('\n'), problem);
    await ledger.close();
  });
});

describe('/readyz', () => {
  it('checks the ledger once for all who ask at the same time', async () => {
    let pings = 0;
    const ledger = memoryLedger();
    const { ping } = ledger;
    ledger.ping = () => {
      pings++;
      return ping();
    };
    const world = createWorld({ ledger });
    const answers = await Promise.all(Array.from({ length: 50 }, () => readyz(world)));
    assert.deepEqual(new Set(answers.map(([status]) => status)), new Set([200]));
    assert.ok(pings <= 3, `${pings} checks`);
  });
});
