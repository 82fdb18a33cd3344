/** Starts the programs of a database cluster, if their Debian packages are installed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const PROGRAMS = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
  postgres: '/usr/lib/postgresql/15/bin/postgres',
} as const;
export const POSTGRES_FOLDER = dirname(PROGRAMS.postgres);

/** PostgreSQL refuses to run as root; this user exists on every Debian. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const missing = Object.values(PROGRAMS).filter((program) => !existsSync(program));
/** Why a cluster cannot be started, or false. */
export const missingPrograms =
  missing.length > 0 &&
  `${missing.join(', ')} not found: apt-get install etcd-server haproxy patroni postgresql-15`;

/**
 * Below Linux's ephemeral ports (from 32768), so that no outgoing connection takes a machine's port
 * while the machine is down.
 */
const PORTS = { from: 20_000, count: 10_000 };
const taken = new Set<number>();

export async function ownPort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    if (!taken.has(port) && (await isFree(port))) {
      taken.add(port);
      return port;
    }
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** Creates a folder that the programs may write to. */
export function ownFolder(...names: string[]): string {
  const folder = join(tmpdir(), ...names);
  mkdirSync(folder, { mode: 0o700, recursive: true });
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

const atExit = new Set<() => void>();
process.once('exit', () => atExit.forEach((end) => end()));
/** Calls `end` when this process exits, so that no program outlives it. */
export const endAtExit = (end: () => void): void => void atExit.add(end);

/** Starts a program in a process group of its own, which ends with this process. */
export function run(program: string, args: readonly string[], folder: string): ChildProcess {
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: folder },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  endAtExit(() => signalGroup(child, 'SIGKILL'));
  return child;
}

/** Does nothing when the group has ended. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // it has ended
  }
}
