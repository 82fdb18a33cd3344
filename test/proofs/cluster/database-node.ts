/** One machine of a database cluster: Patroni and the PostgreSQL that it governs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { openNetwork } from './network.js';
import {
  endAtExit,
  ownFolder,
  ownPort,
  POSTGRES_FOLDER,
  PROGRAMS,
  run,
  signalGroup,
} from './programs.js';

/**
 * In seconds. A primary that does not renew its lock for `ttl` is replaced, and a relay pays again
 * after about this time. Patroni's default for `ttl` is 30.
 */
const TIMES_S = { ttl: 6, loop_wait: 1, retry_timeout: 2 };

export type DatabaseNode = {
  name: string;
  /** The ports at which the other machines reach its PostgreSQL and its Patroni. */
  port: number;
  statusPort: number;
  /** All its processes end at once, as in a power cut. */
  kill(): void;
  /** Starts it again after `kill`. */
  start(): void;
  /** All its processes stand still, as those of a virtual machine that is moved. */
  freeze(): void;
  thaw(): void;
  /** Nobody reaches it, and it reaches nobody. */
  cutOff(): void;
  reconnect(): void;
  /** What its Patroni logged since `since`, in milliseconds of the clock. */
  logSince(since: number): string[];
  stop(): void;
};

export async function createDatabaseNode(
  name: string,
  folder: string,
  etcdPort: number,
): Promise<DatabaseNode> {
  const own = ownFolder(folder, name);
  const data = join(own, 'data');
  const [postgresPort, patroniPort] = [await ownPort(), await ownPort()];
  const [toEtcd, toPostgres, toPatroni] = [await ownPort(), await ownPort(), await ownPort()];
  const network = openNetwork(own, [
    { port: toEtcd, target: etcdPort },
    { port: toPostgres, target: postgresPort },
    { port: toPatroni, target: patroniPort },
  ]);
  const config = join(own, 'patroni.json');
  writeFileSync(
    config,
    JSON.stringify({
      scope: 'ledger',
      log: { dir: own },
      name,
      restapi: {
        listen: `127.0.0.1:${patroniPort}`,
        connect_address: `127.0.0.1:${toPatroni}`,
      },
      // The Patroni of Debian 12 loses track of the synchronous standby with etcd's version 3.
      // Without `use_proxies` it would ask etcd for its address, and go past the network.
      etcd: { host: `127.0.0.1:${toEtcd}`, use_proxies: true },
      bootstrap: {
        dcs: {
          ...TIMES_S,
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: {
            use_pg_rewind: true,
            parameters: {
              max_connections: 200,
              wal_log_hints: 'on',
              // a standby waits this long before it connects to the new primary, 5 s by default;
              // no order can be written before that
              wal_retrieve_retry_interval: '500ms',
            },
          },
        },
        initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C' }],
      },
      postgresql: {
        listen: `127.0.0.1:${postgresPort}`,
        connect_address: `127.0.0.1:${toPostgres}`,
        data_dir: data,
        bin_dir: POSTGRES_FOLDER,
        pgpass: join(own, 'pgpass'),
        parameters: { unix_socket_directories: own },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'postgres' },
          rewind: { username: 'postgres' },
        },
      },
    }),
  );

  let patroni: ChildProcess;
  const start = (): void => {
    patroni = run(PROGRAMS.patroni, [config], own);
  };
  const signal = (name: NodeJS.Signals): void => {
    // Patroni first: it would start a PostgreSQL that has ended
    signalGroup(patroni, name);
    for (const pid of postgresProcesses(data)) {
      try {
        process.kill(pid, name);
      } catch {
        // it has ended
      }
    }
  };
  endAtExit(() => signal('SIGKILL'));
  start();
  return {
    name,
    port: toPostgres,
    statusPort: toPatroni,
    kill: () => signal('SIGKILL'),
    start,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    cutOff: network.cut,
    reconnect: network.heal,
    logSince: (since) =>
      readFileSync(join(own, 'patroni.log'), 'utf8')
        .split('\n')
        .filter((line) => loggedAt(line) >= since)
        .map((line) => `${name}: ${line}`),
    stop: () => {
      signal('SIGKILL');
      network.close();
    },
  };
}

/** Reads the time of a line, such as "2026-11-26 11:02:29,123"; NaN where a line has none. */
function loggedAt(line: string): number {
  const [, day = '', time = '', ms = ''] = /^([\d-]+) ([\d:]+),(\d+) /.exec(line) ?? [];
  return Date.parse(`${day}T${time}.${ms}`);
}

/** The server's first process and its children, each of which is in a group of its own. */
function postgresProcesses(data: string): number[] {
  let first: number;
  try {
    first = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return [];
  }
  const isOurs = commandOf(first).includes(data);
  return isOurs ? [first, ...processes().filter((pid) => parentOf(pid) === first)] : [];
}

const processes = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

/** Empty when the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const commandOf = (pid: number): string => readProcess(pid, 'cmdline');
/**
 * In /proc/PID/stat the parent's id follows the command name, which is in brackets and may contain
 * spaces.
 */
const parentOf = (pid: number): number =>
  Number(readProcess(pid, 'stat').split(') ').at(-1)?.split(' ')[1]);
