/** `check` refuses the ledgers that `start` refuses, and changes none of them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { bindLedger, whyRefused } from '../../../../relay/bind-ledger.js';
import { Secret } from '../../../../relay/config/secrets.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config, ConfigFile } from '../../../../relay/config/schema.js';
import { asNew } from '../../../../relay/ledger/rules.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { whyLedgerUnusable, whyNoHints } from '../../../../relay/node/try-ledger.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { readSecret, testConfig } from '../../support/world.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

const folder = temporaryFolder('try-ledger');
let postgres: Postgres;
before(async () => void (postgres = await startPostgres()));
after(() => postgres.stop());

const KEYS: Record<string, string> = { ONE: 'one'.repeat(11), TWO: 'two'.repeat(11) };
const parsed = (more: Partial<ConfigFile>): Config =>
  parseConfig({ ...testConfig, request_id_key: { env: 'ONE' }, ...more }, (reference) =>
    'env' in reference ? (KEYS[reference.env] ?? readSecret(reference)) : undefined,
  );
const check = (config: Config): Promise<string | null> =>
  whyLedgerUnusable(config.ledger, (settings) => whyRefused(config, settings));

/** Opens a ledger as `start` does, and writes the first order. */
async function openAndUse(url: string): Promise<void> {
  const ledger = await openLedger(url);
  try {
    await ledger.change('i1', () => ({ intent: { ...asNew(freshIntent), orders: [fresh] } }));
  } finally {
    await ledger.close();
  }
}

const OTHERS: [string, Partial<ConfigFile>, RegExp][] = [
  [
    'base_url',
    { service: { base_url: 'https://other.example' } },
    /belongs to "test https:\/\/ser/,
  ],
  [
    'public_url',
    { public_url: 'https://new.example/pay' },
    /belongs to public_url "https:\/\/shop/,
  ],
  ['mode', { mode: 'live' }, /the configuration says "live https:\/\/service\.example"/],
  ['request_id_key', { request_id_key: { env: 'TWO' } }, /used with another key/],
];

describe('a database with a table "settings" of another program', () => {
  for (const columns of ['name text, value text', 'shop text'])
    it(`is refused by check and start: (${columns})`, async () => {
      const url = await postgres.database();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`create table settings (${columns})`);
      await client.query(`insert into settings values ('theme')`);
      await client.end();
      assert.match(
        (await whyLedgerUnusable(new Secret(url), (settings) =>
          whyRefused(parsed({}), settings),
        )) ?? '',
        /"settings" of another program/,
      );
      await assert.rejects(openLedger(url));
    });
});

describe('check on a file that start refuses', () => {
  for (const [what, content] of [
    ['an empty file', () => ''],
    ['a file of another program', () => 'milk, bread'],
    ['a truncated ledger', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
  ] as const)
    it(`says what start says of ${what}`, async () => {
      const name = join(folder, `${what.replaceAll(' ', '-')}.db`);
      const ledger = `sqlite:${name}`;
      await (await openLedger(ledger)).close();
      writeFileSync(name, content(readFileSync(name)));
      const refused = await check(parsed({ ledger }));
      await assert.rejects(openLedger(ledger), { message: `ledger: ${refused}` });
    });
});

describe('check on a SQLite file that commands cannot use', () => {
  for (const [what, columns] of [
    ['other columns', 'theme text'],
    ['our columns', 'name text, value text'],
  ] as const)
    it(`says what start says of a table "settings" of another program with ${what}`, async () => {
      const name = join(folder, `${what.replaceAll(' ', '-')}.db`);
      const other = new DatabaseSync(name);
      other.exec(`create table settings (${columns}); insert into settings (rowid) values (1)`);
      other.close();
      const ledger = `sqlite:${name}`;
      const refused = await check(parsed({ ledger }));
      assert.match(refused ?? '', /"settings" of another program/);
      await assert.rejects(openLedger(ledger), { message: `ledger: ${refused}` });
    });

  it('says that another process has locked the ledger', async () => {
    const name = join(folder, 'locked.db');
    const other = new DatabaseSync(name);
    other.exec('create table settings (name text, value text); begin exclusive');
    const refused = await check(parsed({ ledger: `sqlite:${name}` }));
    assert.match(refused ?? '', /^the ledger is locked by another process/);
    other.close();
  });
});

describe('check on a database that a relay cannot use', () => {
  /** The same database, for a role that owns nothing. */
  async function asClerk(url: string): Promise<{ clerk: string; owner: pg.Client }> {
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    const clerk = new URL(url);
    clerk.username = `clerk ${crypto.randomUUID()}`;
    const role = decodeURIComponent(clerk.username);
    await owner.query(`create role "${role}" login`);
    return { clerk: clerk.href, owner };
  }
  const why = (url: string): Promise<string | null> => whyLedgerUnusable(new Secret(url));

  for (const kind of ['new', 'used'] as const)
    it(`names each right that a role lacks on a ${kind} one, until start accepts it`, async () => {
      const url = await (kind === 'new' ? postgres.database() : postgres.ledger());
      const { clerk, owner } = await asClerk(url);
      let found = await why(clerk);
      assert.match(found ?? '', kind === 'new' ? /may not make tables/ : /may not change the seq/);
      for (let rights = 0; found !== null && rights < 3; rights++) {
        await assert.rejects(openAndUse(clerk));
        await owner.query(found.split('; run: ')[1] ?? '');
        found = await why(clerk);
      }
      assert.equal(found, null);
      await openAndUse(clerk);
      await owner.end();
    });

  it('says whether hints can be sent and received by a database', async () => {
    const url = new URL(await postgres.database());
    assert.equal(await whyNoHints(new Secret(url.href)), null);
    url.port = '9';
    assert.match((await whyNoHints(new Secret(url.href))) ?? '', /cannot be reached: ECONNREFUSED/);
  });

  it('says that a server which answers has no such database or user', async () => {
    const url = new URL(await postgres.database());
    url.pathname = '/no_such_database';
    assert.match(
      (await why(url.href)) ?? '',
      /^the server has no database of this name \(3D000\)$/,
    );
    url.pathname = '/postgres';
    url.username = 'nobody';
    const refused = await why(url.href);
    assert.match(refused ?? '', /^the database refuses this user \(28000\)$/);
  });

  it('says that a read-only database and a standby take no writes', async () => {
    const url = await postgres.ledger();
    const { owner } = await asClerk(url);
    const name = new URL(url).pathname.slice(1);
    await owner.query(`alter database "${name}" set default_transaction_read_only = on`);
    assert.match((await why(url)) ?? '', /takes no writes/);
    await owner.end();
  });
});

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  describe(`check on a ledger of ${engine}`, () => {
    let ledger = '';
    before(async () => {
      ledger =
        engine === 'SQLite' ? `sqlite:${join(folder, 'bound.db')}` : await postgres.database();
      const bound = await openLedger(ledger);
      await bindLedger(parsed({ ledger }), bound);
      await bound.close();
    });

    it(`accepts the ledger that start accepts on ${engine}, and a new one`, async () => {
      assert.equal(await check(parsed({ ledger })), null);
      const fresh =
        engine === 'SQLite' ? `sqlite:${join(folder, 'new.db')}` : await postgres.database();
      assert.equal(await check(parsed({ ledger: fresh })), null);
      assert.ok(!existsSync(join(folder, 'new.db')), 'check made a ledger');
    });

    for (const [what, more, why] of OTHERS)
      it(`refuses a ledger on ${engine} that was used with another ${what}`, async () => {
        const config = parsed({ ledger, ...more });
        const before = engine === 'SQLite' ? readFileSync(join(folder, 'bound.db')) : null;
        const refused = await check(config);
        assert.match(refused ?? '', why);
        assert.ok(!before || before.equals(readFileSync(join(folder, 'bound.db'))));
        const opened = await openLedger(ledger);
        await assert.rejects(bindLedger(config, opened), (error: Error) =>
          error.message.replace(/^ledger: /, '').startsWith((refused ?? '').slice(0, 60)),
        );
        await opened.close();
      });

    it(`refuses a ledger of another generation on ${engine}`, async () => {
      const opened = await openLedger(ledger);
      await opened.writeSetting('generation', '99');
      await opened.close();
      assert.match((await check(parsed({ ledger }))) ?? '', /has generation 99/);
    });
  });
