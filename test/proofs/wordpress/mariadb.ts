/** A MariaDB of its own, with its data and its socket in a folder of the proof. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../../suite/support/wait.js';

export type MariaDb = {
  socket: string;
  /** Runs statements as root. @returns the rows, their columns separated by tabs */
  sql(text: string): string;
  stop(): Promise<void>;
};

/** MariaDB refuses to run as root unless it is told so. */
const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];

/** @param folder for the data; it is made by MariaDB */
export async function startMariaDb(folder: string): Promise<MariaDb> {
  const data = join(folder, 'data');
  const socket = join(folder, 'mariadb.sock');
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...asRoot],
    { stdio: 'ignore' },
  );
  const server = spawn(
    'mariadbd',
    ['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, '--skip-networking', ...asRoot],
    { stdio: 'ignore' },
  );
  const sql = (text: string): string =>
    execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '--user=root', '--batch'], {
      input: text,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
      .split('\n')
      .slice(1)
      .join('\n')
      .trim();
  const answers = (): boolean => {
    try {
      return sql('select 1') === '1';
    } catch {
      return false;
    }
  };
  await until(answers, 'MariaDB to answer');
  return {
    socket,
    sql,
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}
