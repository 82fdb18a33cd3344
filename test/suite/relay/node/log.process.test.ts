/** A slow or missing reader of the log cannot stop the relay. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { freePort } from '../../support/free-port.js';
import { RELAY_COMMAND } from '../../support/relay-command.js';
import { openIntent, SECRETS, testConfig, until } from '../../support/world.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'log-'));
const children: ChildProcess[] = [];
const descriptors: number[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const descriptor of descriptors) closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

/** Closes the descriptor after the tests. */
const closeLater = (descriptor: number): number => {
  descriptors.push(descriptor);
  return descriptor;
};
/** A pipe that is held open and never read. */
function unreadPipe(name: string): number {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return closeLater(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
}
/** The fixture's arguments are the number of lines and the file of its report. */
const FIXTURE = `
import { writeFileSync } from 'node:fs';
import { droppedLogLines, flushLog, log } from ${JSON.stringify(`${root}relay/node/log.ts`)};
const [lines, report] = process.argv.slice(2);
for (let line = 0; line < Number(lines); line++)
  log(line % 2 ? 'info' : 'error', 'line', { line, padding: 'x'.repeat(200) });
const began = performance.now();
await flushLog();
log('info', 'bad', { get field() { throw new Error('unreadable'); } });
await new Promise((resolve) => setTimeout(resolve, 100));
const figures = { dropped: droppedLogLines(), flushed: performance.now() - began };
writeFileSync(report, JSON.stringify(figures));
process.exit(0);
`;
const fixture = join(folder, 'fixture.mts');
writeFileSync(fixture, FIXTURE);
/** At SIGUSR2 the process logs more than a pipe and the buffer behind it take. */
const FILLER = `
import { log } from ${JSON.stringify(`${root}relay/node/log.ts`)};
process.on('SIGUSR2', () => {
  for (let line = 0; line < 6000; line++) log('info', 'line', { padding: 'x'.repeat(200) });
});
`;
const filler = join(folder, 'filler.mts');
writeFileSync(filler, FILLER);

type Report = { code: number | null; dropped: number; flushed: number };
async function logLines(lines: number, out: StdioOptions & unknown[]): Promise<Report> {
  const report = join(folder, `report-${Math.random()}`);
  const child = spawn(process.execPath, ['--import', 'tsx', fixture, String(lines), report], {
    cwd: root,
    stdio: out,
  });
  children.push(child);
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { code, ...(JSON.parse(readFileSync(report, 'utf8')) as Omit<Report, 'code'>) };
}

describe('the log', { timeout: 300_000 }, () => {
  it('continues when nobody reads the log’s pipes, and counts the dropped lines', async () => {
    const pipes: StdioOptions & unknown[] = ['ignore', unreadPipe('out'), unreadPipe('err')];
    const { code, dropped, flushed } = await logLines(20_000, pipes);
    assert.equal(code, 0);
    // 20,000 lines of about 280 bytes; two buffers of 1 MiB and two pipes of 64 KiB
    assert.ok(dropped > 10_000 && dropped < 14_000, `${dropped} dropped`);
    assert.ok(flushed < 2000, `${flushed} ms`);
  });

  it('drops lines and does not wait when the log is a socket that nobody reads', async () => {
    const report = join(folder, 'socket');
    // for 'pipe' Node gives a child sockets, as systemd does for its journal
    const child = spawn(process.execPath, ['--import', 'tsx', fixture, '20000', report], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0);
    const { dropped, flushed } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    assert.ok(dropped > 10_000 && dropped < 15_000, `${dropped} dropped`);
    assert.ok(flushed < 2000, `${flushed} ms`);
  });

  it('continues when the log’s disk is full', async () => {
    const full = closeLater(openSync('/dev/full', 'w'));
    const { code, dropped } = await logLines(20_000, ['ignore', full, full]);
    assert.equal(code, 0);
    assert.ok(dropped > 10_000, `${dropped} dropped`);
  });

  it('continues when the log’s reader has exited', async () => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fixture, '2000', join(folder, 'gone')],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    children.push(child);
    child.stdout.destroy();
    child.stderr.destroy();
    assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0);
    const { dropped } = JSON.parse(readFileSync(join(folder, 'gone'), 'utf8')) as Report;
    assert.ok(dropped > 0);
  });

  it('keeps every log line complete and in order when it can be written', async () => {
    const file = join(folder, 'file.log');
    const descriptor = closeLater(openSync(file, 'a'));
    const { dropped } = await logLines(5000, ['ignore', descriptor, descriptor]);
    // the fixture's last line has a field that cannot be read
    assert.equal(dropped, 1);
    const written = readFileSync(file, 'utf8').trim().split('\n');
    const numbers = written.map((line) => (JSON.parse(line) as { line: number }).line);
    assert.deepEqual(numbers, [...Array(5000).keys()]);
  });

  it('flushes the log before the process ends when its pipe is read slowly', async () => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fixture, '2000', join(folder, 'slow')],
      { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    children.push(child);
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await new Promise((resolve) => child.on('close', resolve));
    assert.equal(text.trim().split('\n').length, 1000);
    assert.match(text.trim().split('\n').at(-1) ?? '', /"line":1999/);
  });

  for (const [what, streams] of [
    ['a pipe that nobody reads', () => [unreadPipe('relay-out'), unreadPipe('relay-err')]],
    [
      'a full disk',
      () => [closeLater(openSync('/dev/full', 'w')), closeLater(openSync('/dev/full', 'w'))],
    ],
  ] as const)
    it(`answers payments in a flood of refused requests when the log is ${what}`, async () => {
      const port = await freePort();
      const operatorPort = await freePort();
      const sandboxPort = await freePort();
      const sandbox = spawn(
        process.execPath,
        [...RELAY_COMMAND, 'sandbox', '--port', String(sandboxPort)],
        { cwd: root, stdio: 'ignore' },
      );
      const config = join(folder, `${port}.json`);
      writeFileSync(
        config,
        JSON.stringify({
          ...testConfig,
          service: { base_url: `http://127.0.0.1:${sandboxPort}`, timeout_ms: 5000 },
          links: { hosts: ['localhost', '127.0.0.1'] },
          ledger: `sqlite:${join(folder, `${port}.db`)}`,
          operator: { port: operatorPort, key: { env: 'SECRET' } },
        }),
      );
      const [out, err] = streams();
      // from the source, because the filler must write to the same log
      const [tsx, source] = [['--import', 'tsx', '--import', filler], 'relay/commands/main.ts'];
      const relay = spawn(
        process.execPath,
        [...tsx, source, 'relay', '--config', config, '--port', String(port)],
        {
          cwd: root,
          stdio: ['ignore', out, err],
          env: { PATH: process.env.PATH, ...SECRETS },
        },
      );
      children.push(sandbox, relay);
      const url = `http://127.0.0.1:${port}`;
      const healthy = (at: string) => (): Promise<boolean> =>
        fetch(at).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(healthy(`${url}/healthz`), 'the relay listens');
      await until(healthy(`http://127.0.0.1:${sandboxPort}/phone`), 'the sandbox listens');

      // `fetch` costs several times the processor time, and there are many requests
      const pool = new Pool(url, { connections: 50, headersTimeout: 120_000 });
      after(() => pool.destroy());
      /** @returns the status of the answer */
      const post = async (path: string, body: object): Promise<number> => {
        const answer = await pool.request({
          path,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        await answer.body.dump();
        return answer.statusCode;
      };
      const flood = async (times: number, ask: () => Promise<number>): Promise<Set<number>> => {
        const statuses = new Set<number>();
        for (let sent = 0; sent < times; sent += 50)
          for (const status of await Promise.all(Array.from({ length: 50 }, ask)))
            statuses.add(status);
        return statuses;
      };
      assert.deepEqual(await flood(1000, () => post('/nothing', {})), new Set([404]));
      const droppedLines = async (): Promise<number> => {
        const metrics = await fetch(`http://127.0.0.1:${operatorPort}/metrics`, {
          headers: { authorization: `Bearer ${SECRETS.SECRET}` },
        });
        const total = /^pay_checkout_log_lines_dropped_total (\d+)$/m.exec(await metrics.text());
        return Number(total?.[1]);
      };
      assert.equal(await droppedLines(), 0);
      relay.kill('SIGUSR2');
      await until(async () => (await droppedLines()) > 0, 'the pipe and the buffer are full');
      const full = await droppedLines();
      assert.deepEqual(await flood(200, () => post('/v1/checkout', openIntent)), new Set([200]));
      const paid = await post('/v1/pay', {
        ...openIntent,
        attempt: crypto.randomUUID(),
        option: 'card',
      });
      assert.equal(paid, 200);
      assert.ok((await droppedLines()) > full);
      relay.kill('SIGTERM');
      assert.equal(await new Promise((resolve) => relay.on('exit', resolve)), 0);
      if (what === 'a full disk') return;
      const head = Buffer.alloc(65_536);
      const lines = head.toString('utf8', 0, readSync(out ?? 0, head)).split('\n');
      const refused = lines.filter((line) => line.includes('"code":"not_found"'));
      assert.ok(refused.length > 0 && refused.length < 500, `${refused.length} lines of 404`);
    });
});
