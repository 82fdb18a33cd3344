/** SIGKILL throughout, one fifth of all calls faulty, a service that does not deduplicate: nothing is sent twice, nothing is lost. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLedger } from '../../relay/node/open-ledger.js';
import { openIntent, SECRETS, testConfig } from '../world.js';
import type { Result, Sizes } from './prove.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FAULTY = 0.2;
const AT_ONCE = 32;
/** How long after the last order the ledger may take to know everything. */
const QUIET_MS = 60_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Process = { child: ChildProcess; url: string };

function start(script: string, args: string[], printed: RegExp): Promise<Process> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...SECRETS },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (output === 'found') return;
      output += chunk.toString();
      const url = printed.exec(output)?.[1];
      if (url === undefined) return;
      output = 'found';
      resolve({ child, url });
    });
    child.once('exit', () => reject(new Error(`${script} ended: ${output}`)));
  });
}

async function post(url: string, body: object): Promise<Record<string, unknown> | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5000),
    });
    return response.ok ? ((await response.json()) as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export async function kill({ orders, kills, seed }: Sizes): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-kill-'));
  const sandbox = await start('demo/order-service/bin.ts', ['--port', '0'], /sandbox on (http:\S+?),/);
  const ledgerName = `sqlite:${join(folder, 'ledger.db')}`;
  const config = join(folder, 'config.json');
  const service = { base_url: sandbox.url, not_found_codes: ['4040'], timeout_ms: 1000, queries_per_second: 500 };
  writeFileSync(config, JSON.stringify({ ...testConfig, service, links: { hosts: ['localhost'] }, ledger: ledgerName }));
  const startRelay = (): Promise<Process> =>
    start('relay/commands/main.ts', ['relay', '--config', config, '--port', '0'], /"url":"(http:[^"]+)"/);

  let relay = await startRelay();
  await post(`${sandbox.url}/control/chaos`, { rate: FAULTY, seed });
  const attempts = Array.from({ length: orders }, () => crypto.randomUUID());
  let next = 0;
  let answered = 0;
  let killed = 0;
  const customer = async (): Promise<void> => {
    for (let attempt = attempts[next++]; attempt !== undefined; attempt = attempts[next++]) {
      // a customer whose page gets no answer tries again, as the element does
      for (let tries = 0; tries < 60; tries++) {
        if (await post(`${relay.url}/v1/pay`, { ...openIntent, attempt, option: 'card' })) {
          answered++;
          break;
        }
        await sleep(100);
      }
    }
  };
  const killer = async (): Promise<void> => {
    const every = orders / (kills + 1);
    for (let count = 1; count <= kills; count++) {
      while (next < count * every) await sleep(5);
      relay.child.kill('SIGKILL');
      killed++;
      relay = await startRelay();
    }
  };
  await Promise.all([...Array.from({ length: AT_ONCE }, customer), killer()]);
  await post(`${sandbox.url}/control/chaos`, { rate: 0 });

  const there = (await (await fetch(`${sandbox.url}/control/orders`)).json()) as { request_id: string; order_no: string; status: number }[];
  const known = new Set(there.map(({ request_id }) => request_id));
  const ledger = await openLedger(ledgerName);
  const isLost = async (id: string): Promise<boolean> => {
    const row = await ledger.order(id);
    return !row || row.order_no === null || row.status === null;
  };
  let lost = [...known];
  for (const end = Date.now() + QUIET_MS; lost.length > 0 && Date.now() < end; await sleep(1000)) {
    const still: string[] = [];
    for (const id of lost) if (await isLost(id)) still.push(id);
    lost = still;
  }
  const calls = (await (await fetch(`${sandbox.url}/control/calls`)).json()) as { operation: string; body: { request_id: string } }[];
  const pays = calls.filter(({ operation }) => operation === 'pay').map(({ body }) => body.request_id);
  const twice = pays.length - new Set(pays).size;
  await ledger.close();
  relay.child.kill('SIGKILL');
  sandbox.child.kill('SIGKILL');
  rmSync(folder, { recursive: true });

  const reached = pays.length / orders;
  const figures = [
    `answered ${answered}, pays sent ${pays.length} (acceptance ${(100 * reached).toFixed(1)} %)`,
    `at the service ${there.length}, doubled ${there.length - known.size}, request_ids sent twice ${twice}, lost ${lost.length}`,
  ];
  return {
    held: twice === 0 && lost.length === 0 && there.length === known.size && reached >= 0.2 && killed === kills,
    figures: figures.join('; '),
  };
}
