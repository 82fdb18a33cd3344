/**
 * The network connections of one simulated machine, which a proof can cut, as a broken switch does.
 * HAProxy carries them: it is a process of its own, so a busy proof does not slow the cluster down.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS, run, signalGroup } from './programs.js';

/** Bytes to `port` of this computer go to its port `target`, and back. */
export type Link = { port: number; target: number };

export type Network = {
  /** From now on bytes do not arrive, and new connections get no answer and no error. */
  cut(): void;
  /** Repairs the connections. Bytes that were sent while they were cut arrive now. */
  heal(): void;
  close(): void;
};

export function openNetwork(folder: string, links: readonly Link[]): Network {
  const config = join(folder, 'network.cfg');
  writeFileSync(config, haproxyConfig(links));
  const haproxy = run(PROGRAMS.haproxy, ['-f', config], folder);
  return {
    // a stopped process reads nothing, and the kernel still accepts connections for it
    cut: () => signalGroup(haproxy, 'SIGSTOP'),
    heal: () => signalGroup(haproxy, 'SIGCONT'),
    close: () => signalGroup(haproxy, 'SIGKILL'),
  };
}

const haproxyConfig = (links: readonly Link[]): string =>
  [
    'global',
    '  nbthread 1',
    'defaults',
    '  mode tcp',
    '  retries 0',
    '  timeout connect 1s',
    '  timeout client 30m',
    '  timeout server 30m',
    ...links.flatMap(({ port, target }) => [
      `listen to-${target}`,
      `  bind 127.0.0.1:${port}`,
      `  server target 127.0.0.1:${target}`,
    ]),
    '',
  ].join('\n');
