/** Starts PgBouncer in transaction mode before a PostgreSQL, if Debian's package is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';
import { until } from './wait.js';

const PROGRAM = '/usr/sbin/pgbouncer';
/** PgBouncer refuses to run as root; this user exists on every Debian. */
const NOBODY = 65_534;

/** Why PgBouncer cannot be started, or false. */
export const missingPgbouncer =
  spawnSync(PROGRAM, ['--version']).status === 0
    ? false
    : 'PgBouncer is not installed: apt-get install pgbouncer';

export type Pgbouncer = {
  /** @returns the URL of the same database, through PgBouncer */
  through(url: string): string;
  stop(): void;
};

/** @param connections how many connections to PostgreSQL all clients share */
export async function startPgbouncer(server: string, connections: number): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const { hostname, port: serverPort } = new URL(server);
  const port = await freePort();
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
    'max_client_conn = 500',
    'ignore_startup_parameters = extra_float_digits,statement_timeout',
    // as docs/scale.md says: by default it waits 15 s for each of these during a failover
    'server_login_retry = 1',
    'server_connect_timeout = 2',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'));
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(PROGRAM, ['-q', join(folder, 'pgbouncer.ini')], {
    ...identity,
    stdio: 'ignore',
  });
  const through = (url: string): string => {
    const changed = new URL(url);
    changed.port = String(port);
    return changed.href;
  };
  const stop = (): void => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', stop);
  await until(async () => {
    const client = new pg.Client(through(server));
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }, 'PgBouncer');
  return { through, stop };
}
