/** A relay and a shop on the runtime that `RUNTIME` names, and a sandbox in the test's process. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigFile } from '../../../relay/config/schema.js';
import type { Sandbox } from '../../../relay/sandbox/sandbox.js';
import { serveSandbox } from '../../../relay/sandbox/serve.js';
import { freePort } from '../../suite/support/free-port.js';
import { until } from '../../suite/support/wait.js';
import { bearer, ORIGIN, SECRETS, testConfig } from '../../suite/support/world.js';
import { here, runtimes } from './runtimes.js';

const START_MS = 60_000;
const HOST = '127.0.0.1';
const EVENTS_SECRET = 'whsec_c2VjcmV0IG9mIGV2ZW50cyBmb3IgdGVzdHM=';
/** `ORIGIN` is a page of the shop; the relay refuses any other origin. */
export { bearer, ORIGIN };

export type Answer = { status: number; headers: Headers; body: unknown };

export type World = {
  sandbox: Sandbox;
  /** Sends a POST to the relay. */
  ask(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a POST to the shop. */
  shop(path: string, body?: unknown): Promise<Answer>;
  get(path: string): Promise<Response>;
  /** Sends a POST to the relay, and leaves before the answer, as a customer who closes the page. */
  leave(path: string, body: unknown, afterMs: number): Promise<void>;
  /** Starts the runtime again after `kill`, with the same data. */
  start(): Promise<void>;
  /** Ends the runtime as a power cut does. */
  kill(): Promise<void>;
  close(): Promise<void>;
};

export const runtimeName = process.env.RUNTIME ?? 'node';

export async function startWorld(): Promise<World> {
  const runtime = runtimes[runtimeName];
  if (!runtime) throw new Error(`no runtime ${runtimeName}`);
  const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
  const sandbox = await serveSandbox({ port: 0, host: HOST });
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const config: ConfigFile = {
    ...testConfig,
    service: {
      base_url: sandbox.url.replace('localhost', HOST),
      not_found_codes: ['4040'],
      // long, because on a busy machine a short timeout would open the circuit breaker
      timeout_ms: 15_000,
      queries_per_second: 100,
    },
    public_url: `${url}/pay`,
    ledger: `sqlite:${join(folder, 'ledger.db')}`,
    links: { hosts: ['localhost', HOST] },
    limits: { new_intents_per_ip_per_hour: 10_000, per_ip_per_minute: 10_000 },
    shop_events: { url: `${url}/shop/hooks`, secret: { env: 'EVENTS' } },
  };
  const secrets = { ...SECRETS, EVENTS: EVENTS_SECRET };
  const shop = {
    relay: `${url}/pay`,
    secret_key: SECRETS.SECRET,
    token_key: { kid: 'k1', secret: SECRETS.TOKEN },
    events_secret: EVENTS_SECRET,
  };
  const setup = JSON.stringify({ config, folder, port, secrets, shop });
  let child: ChildProcess | null = null;

  const kill = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running?.pid === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    // the whole group: workerd is a child of the process that was started
    process.kill(-running.pid, 'SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    const began = performance.now();
    const [program, ...args] = runtime.command;
    const started = spawn(program, args, {
      cwd: here,
      detached: true,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...secrets, SETUP: setup },
    });
    child = started;
    let output = '';
    const read = (chunk: Buffer): void => void (output += chunk.toString());
    started.stdout.on('data', read);
    started.stderr.on('data', read);
    const isReady = async (): Promise<boolean> => {
      if (started.exitCode !== null) throw new Error(`${program} ended: ${output}`);
      const answer = await fetch(`${url}/pay/readyz`).catch(() => null);
      await answer?.body?.cancel();
      return answer?.ok ?? false;
    };
    await until(isReady, 'the relay to be ready', START_MS).catch(async (error: unknown) => {
      await kill();
      throw new Error(output, { cause: error });
    });
    console.log(`start_ms ${Math.round(performance.now() - began)}`);
  };
  process.once('exit', () => void kill());
  await start();

  const init = (body: unknown, headers: Record<string, string>): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const post = async (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await fetch(url + path, init(body, headers));
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    const { headers: received, status } = answer;
    return { status, headers: received, body: isJson ? JSON.parse(text) : text };
  };
  return {
    sandbox: sandbox.sandbox,
    ask: (path, body, headers) => post(`/pay${path}`, body, headers),
    shop: (path, body = {}) => post(`/shop${path}`, body),
    get: (path) => fetch(url + path),
    leave: async (path, body, afterMs) => {
      const signal = AbortSignal.timeout(afterMs);
      await assert.rejects(fetch(`${url}/pay${path}`, { ...init(body, {}), signal }));
    },
    start,
    kill,
    close: async () => {
      await kill();
      await sandbox.close();
      rmSync(folder, { recursive: true });
    },
  };
}
