/**
 * `receive_once` of pay-checkout.php handles an event once, on each database that PHP opens here.
 * What this machine lacks is skipped and says so; in CI it fails.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startPostgres, type Postgres } from '../../suite/support/postgres.js';

const library = fileURLToPath(
  new URL('../../../docs/quick-start/php/pay-checkout.php', import.meta.url),
);

/** Prints one line for each word after the database's address. */
const MAIN = `
require $argv[1];
$db = new PDO($argv[2], $argv[3], $argv[4]);
if (str_starts_with($argv[2], 'sqlite')) $db->setAttribute(PDO::ATTR_TIMEOUT, 5);
foreach (array_slice($argv, 5) as $word) {
    if ($word === 'silent') $db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
    if ($word === 'table') $db->exec(PayCheckout\\EVENTS_TABLE . '; create table paid (id text)');
    if ($word === 'paid') echo $db->query('select count(*) from paid')->fetchColumn(), "\\n";
    if (!preg_match('/^(ok|throws|hides|ends|loses):(.+)$/', $word, $of)) continue;
    try {
        $new = PayCheckout\\receive_once($db, $of[2], [], function ($db) use ($of) {
            $db->exec("insert into paid values ('$of[2]')");
            if ($of[1] === 'throws') throw new Exception('the handler failed');
            if ($of[1] === 'ends') $db->rollBack();
            // as after a deadlock on MariaDB, whose next statement begins a transaction
            if ($of[1] === 'loses') {
                $db->exec('rollback');
                $db->exec('begin');
            }
            try {
                if ($of[1] === 'hides') $db->exec('insert into nowhere values (1)');
            } catch (PDOException) {
            }
        });
        echo $new ? "handled\\n" : "known\\n";
    } catch (Throwable $error) {
        echo "refused\\n";
    }
}
`;

type Address = readonly [dsn: string, user: string, password: string];

const folder = mkdtempSync(join(tmpdir(), 'php-once-'));
let postgres: Postgres | undefined;
after(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true });
});

const databases: Record<string, () => Promise<Address>> = {
  pdo_sqlite: async () => [`sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`, '', ''],
  pdo_pgsql: async () => {
    postgres ??= await startPostgres({ syncs: false });
    const { hostname, password, pathname, port, username } = new URL(await postgres.database());
    const dsn = `pgsql:host=${hostname};port=${port};dbname=${pathname.slice(1)}`;
    return [dsn, decodeURIComponent(username), decodeURIComponent(password)];
  },
};

function run(address: Address, ...words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('php', ['-r', MAIN, '--', library, ...address, ...words]);
    let told = '';
    child.stdout.on('data', (part) => (told += String(part)));
    child.stderr.on('data', (part) => (told += String(part)));
    child.on('error', reject);
    child.on('close', () => resolve(told.trim().replaceAll('\n', ' ')));
  });
}

for (const [extension, open] of Object.entries(databases)) {
  const probe = spawnSync('php', ['-r', `exit(extension_loaded("${extension}") ? 0 : 1);`]);
  const isMissing = probe.status !== 0 && process.env.CI !== 'true';
  const skip = isMissing ? `this machine has no PHP with ${extension}` : false;

  describe(`receive_once with ${extension}`, { skip }, () => {
    let address: Address;
    before(async () => {
      address = await open();
      await run(address, 'table');
    });

    it('handles an event that comes again once, also when PDO throws no errors', async () => {
      assert.equal(await run(address, 'ok:evt_1', 'ok:evt_1', 'paid'), 'handled known 1');
      assert.equal(await run(address, 'silent', 'ok:evt_1', 'ok:evt_2', 'paid'), 'known handled 2');
    });

    it('handles an event once when two processes receive it at the same time', async () => {
      const told = await Promise.all([run(address, 'ok:evt_3'), run(address, 'ok:evt_3')]);
      assert.deepEqual(told.sort(), ['handled', 'known']);
      assert.equal(await run(address, 'paid'), '3');
    });

    it('writes nothing when the handler fails, and handles the event at the next try', async () => {
      assert.equal(
        await run(address, 'throws:evt_4', 'ends:evt_4', 'paid', 'ok:evt_4', 'paid'),
        'refused refused 3 handled 4',
      );
    });

    it('never loses an event whose handler hid an error of the database', async () => {
      const told = await run(address, 'hides:evt_5', 'paid');
      // SQLite goes on after a failed statement, and PostgreSQL does not
      assert.equal(told, extension === 'pdo_pgsql' ? 'refused 4' : 'handled 5');
    });

    it('refuses an event whose row was rolled back while it was handled', async () => {
      assert.equal(await run(address, 'loses:evt_6', 'ok:evt_6'), 'refused handled');
    });

    it('refuses an event when its table is missing, also when PDO throws no errors', async () => {
      const empty = await open();
      assert.equal(await run(empty, 'ok:evt_1'), 'refused');
      assert.equal(await run(empty, 'silent', 'ok:evt_1'), 'refused');
    });
  });
}
