/**
 * A PostgreSQL cluster that survives the loss of a machine: Patroni on three simulated machines
 * with synchronous replication, etcd, and HAProxy, which forwards connections to the primary. All
 * programs run on one real machine, and the connections between the simulated ones can be cut.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { sleep } from '../../suite/support/wait.js';
import { createDatabaseNode, type DatabaseNode } from './database-node.js';
import { ownFolder, ownPort, PROGRAMS, run, signalGroup } from './programs.js';

const NODES = ['one', 'two', 'three'];
/** The first start copies the whole database to two machines. */
const MAX_READY_MS = 180_000;

type Member = { name: string; role: string; state: string; timeline?: number };
/**
 * The cluster must look ready for this long: a returning machine reports "running" for a moment
 * before Patroni rewinds it.
 */
const STABLE_MS = 4000;

export type Cluster = {
  /** The URL of the ledger. HAProxy forwards its connections to the primary. */
  url: string;
  /** Waits for a primary: there is none during a failover, and a busy one may not answer. */
  primary(): Promise<DatabaseNode>;
  /** Ends when a primary and two standbys run, one of them synchronous. */
  ready(): Promise<void>;
  /** What Patroni logged on all machines since `since`, in milliseconds of the clock. */
  logSince(since: number): string[];
  stop(): void;
};

export async function startCluster(): Promise<Cluster> {
  const name = `prove-cluster-${crypto.randomUUID()}`;
  const folder = ownFolder(name);
  const etcdPort = await ownPort();
  const etcd = run(PROGRAMS.etcd, etcdArguments(folder, etcdPort, await ownPort()), folder);
  const nodes = await Promise.all(NODES.map((node) => createDatabaseNode(node, name, etcdPort)));
  const port = await ownPort();
  const config = join(folder, 'haproxy.cfg');
  writeFileSync(config, haproxyConfig(port, nodes));
  const haproxy = run(PROGRAMS.haproxy, ['-f', config], folder);
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

  /** The members of the cluster, as the first machine that answers lists them; else empty. */
  const members = async (): Promise<Member[]> => {
    for (const { statusPort } of nodes) {
      try {
        const signal = AbortSignal.timeout(1000);
        const response = await fetch(`http://127.0.0.1:${statusPort}/cluster`, { signal });
        return ((await response.json()) as { members: Member[] }).members;
      } catch {
        // the next machine may answer
      }
    }
    return [];
  };
  const isReady = async (): Promise<boolean> => {
    const found = await members();
    const roles = found.map(({ role }) => role).sort();
    return (
      roles.join() === 'leader,replica,sync_standby' &&
      found.every(({ state }) => state === 'running' || state === 'streaming') &&
      new Set(found.map(({ timeline }) => timeline)).size === 1
    );
  };
  const ready = async (): Promise<void> => {
    const end = Date.now() + MAX_READY_MS;
    let readySince = Date.now();
    while (Date.now() - readySince < STABLE_MS) {
      if (!(await isReady())) readySince = Date.now();
      if (Date.now() > end) throw new Error(`no cluster: ${JSON.stringify(await members())}`);
      await sleep(500);
    }
  };
  const stop = (): void => {
    for (const node of nodes) node.stop();
    signalGroup(haproxy, 'SIGKILL');
    signalGroup(etcd, 'SIGKILL');
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  };

  await ready();
  for (const end = Date.now() + MAX_READY_MS; ; await sleep(500)) {
    const client = new pg.Client({ connectionString: url('postgres') });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('create database ledger');
      await client.end();
      break;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
  return {
    url: url('ledger'),
    primary: async () => {
      for (const end = Date.now() + MAX_READY_MS; Date.now() < end; await sleep(100)) {
        const leader = (await members()).find(({ role }) => role === 'leader');
        const node = nodes.find((candidate) => candidate.name === leader?.name);
        if (node) return node;
      }
      throw new Error('the cluster has no primary');
    },
    ready,
    logSince: (since) => nodes.flatMap((node) => node.logSince(since)),
    stop,
  };
}

const etcdArguments = (folder: string, port: number, peerPort: number): string[] => [
  `--data-dir=${join(folder, 'etcd')}`,
  `--listen-client-urls=http://127.0.0.1:${port}`,
  `--advertise-client-urls=http://127.0.0.1:${port}`,
  `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
  '--enable-v2=true',
  '--logger=zap',
  '--log-outputs=/dev/null',
];

/** As in Patroni's documentation: only the Patroni of the primary answers 200 to `/primary`. */
const haproxyConfig = (port: number, nodes: readonly DatabaseNode[]): string =>
  [
    'defaults',
    '  mode tcp',
    '  timeout connect 1s',
    '  timeout client 30m',
    '  timeout server 30m',
    '  timeout check 1s',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...nodes.map(
      (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.statusPort}`,
    ),
    '',
  ].join('\n');
