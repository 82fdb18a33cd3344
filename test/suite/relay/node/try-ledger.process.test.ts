/** `check` refuses the ledgers that `start` refuses, and changes none of them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { bindLedger, whyRefused } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config, ConfigFile } from '../../../../relay/config/schema.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { whyLedgerUnusable } from '../../../../relay/node/try-ledger.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { readSecret, testConfig } from '../../support/world.js';

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
