/** Starts relay and sandbox as separate processes, as an operator does. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ConfigFile } from '../../relay/config/schema.js';
import { freePort } from '../suite/support/free-port.js';
import {
  BUILT_RELAY,
  buildCommand,
  nodeArguments,
  RELAY_SCRIPT,
} from '../suite/support/relay-command.js';
import { SECRETS, testConfig } from '../suite/support/world.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export type Running = { child: ChildProcess; url: string; output: () => string };

/**
 * @param script a TypeScript file, run from source, or a built JavaScript file
 * @param printed matches the output once the process listens; its first group is the URL
 * @param flags of Node.js
 */
export function start(
  script: string,
  args: string[],
  printed: RegExp,
  flags: readonly string[] = [],
): Promise<Running> {
  const child = spawn(process.execPath, [...flags, ...nodeArguments(script), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...SECRETS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (): void => void child.kill('SIGKILL');
  process.once('exit', stop);
  return new Promise((resolve, reject) => {
    let output = '';
    let found = false;
    const read = (chunk: Buffer): void => {
      if (found) return;
      output += chunk.toString();
      const url = printed.exec(output)?.[1];
      if (url === undefined) return;
      found = true;
      resolve({ child, url, output: () => output });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => {
      process.off('exit', stop);
      reject(new Error(`${script} ended: ${output}`));
    });
  });
}

export const startSandbox = (): Promise<Running> =>
  start(RELAY_SCRIPT, ['sandbox', '--port', '0'], /sandbox on (http:\S+?),/);

export type RelayFolder = {
  folder: string;
  ledger: string;
  /** Starts a relay; a restart of the same `index` listens on the same port. */
  relay(script?: string, index?: number, flags?: readonly string[]): Promise<Running>;
  remove(): void;
};

/** Creates a temporary folder with a configuration and a ledger. */
export async function createRelayFolder(
  serviceUrl: string,
  change: Partial<ConfigFile> = {},
  service: Partial<ConfigFile['service']> = {},
): Promise<RelayFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-'));
  const ledger = `sqlite:${join(folder, 'ledger.db')}`;
  const config = join(folder, 'config.json');
  const file: ConfigFile = {
    ...testConfig,
    service: { base_url: serviceUrl, not_found_codes: ['4040'], ...service },
    links: { hosts: ['localhost', '127.0.0.1'] },
    ledger,
    ...change,
  };
  writeFileSync(config, JSON.stringify(file));
  const ports = [await freePort(), await freePort()];
  return {
    folder,
    ledger,
    relay: (script = RELAY_SCRIPT, index = 0, flags = []) =>
      start(
        script,
        ['relay', '--config', config, '--port', String(ports[index])],
        /"url":"(http:[^"]+)"/,
        flags,
      ),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Builds the relay as it is published.
 *
 * @returns the script to start it with
 */
export function buildRelay(): string {
  buildCommand();
  return BUILT_RELAY;
}

/**
 * The customers' connections. The pool of `fetch` looks through all connections at each request:
 * when thousands of customers waited for a relay, it took the time of the whole proof.
 */
const connections = new Agent({ keepAlive: true });

/** @returns null when no complete answer came, or its status is not a success */
export async function post(
  url: string,
  body: object,
  ms = 5000,
): Promise<Record<string, unknown> | null> {
  try {
    const { status, answer } = await send(url, JSON.stringify(body), AbortSignal.timeout(ms));
    const isSuccess = status >= 200 && status < 300;
    return isSuccess ? (JSON.parse(answer) as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** @throws Error when no complete answer came before the signal */
const send = (
  url: string,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; answer: string }> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const call = request(url, { method: 'POST', agent: connections, headers, signal });
    call.on('error', reject);
    call.on('response', (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, answer }),
        reject,
      );
    });
    call.end(body);
  });

export const getJson = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;
