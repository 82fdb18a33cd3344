/** The whole shop of a quick start: its program, the files that `init` writes, and a sandbox. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { customerPhone } from '../../../relay/testing/index.js';
import { serveSandbox } from '../../../relay/sandbox/serve.js';
import { freePort } from '../../suite/support/free-port.js';
import { until } from '../../suite/support/wait.js';
import { codeBlocks } from './code-blocks.js';

/** A command: the program, and what stands before the arguments. */
export type Command = readonly [program: string, ...args: string[]];

export type QuickStart = {
  /** The name of the page. */
  name: string;
  /** Where the shop's folder is made: its packages are found from there. */
  above: string;
  relayCommand: Command;
  /** What runs `shop.mjs`. */
  runner: Command;
  /** Changes what the program imports; by default nothing. */
  withImports?: (program: string) => string;
};

const START_MS = 60_000;
const PORT = '3000';
const CONFIG = z.looseObject({ service: z.looseObject({ base_url: z.string() }) });

/** The program that a page shows. */
function programOf(name: string): string {
  const page = `docs/quick-start/${name}.md`;
  const [block, ...more] = codeBlocks('js').filter((each) => each.page === page);
  assert.ok(block && more.length === 0, `${page} shows one program`);
  return block.code;
}

/** The arguments of the page's `init`. */
function initArguments(name: string): string[] {
  const page = `docs/quick-start/${name}.md`;
  const commands = codeBlocks('sh').find((each) => each.page === page)?.code ?? '';
  const [, line = ''] = /pay-checkout-relay (init .*)/.exec(commands.replace(/\\\n\s*/g, '')) ?? [];
  return line.split(' ');
}

/** The same tests for each shop; they start the shop, stop it, and start it again. */
export function describeQuickStart(quickStart: QuickStart): void {
  const { above, name, relayCommand, runner, withImports = (program) => program } = quickStart;
  void describe(`the shop of the quick start of ${name}`, () => {
    const folder = mkdtempSync(join(above, '.quick-start-'));
    let sandbox: Awaited<ReturnType<typeof serveSandbox>>;
    let shop: ChildProcess | null = null;
    let url = '';

    before(async () => {
      sandbox = await serveSandbox({ port: 0, host: '127.0.0.1' });
      const port = String(await freePort());
      url = `http://localhost:${port}`;
      const [program, ...first] = relayCommand;
      const args = initArguments(name).map((word) => word.replace(PORT, port));
      const { status, stderr } = spawnSync(program, [...first, ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      const config = join(folder, 'relay.config.json');
      const written = CONFIG.parse(JSON.parse(readFileSync(config, 'utf8')));
      written.service.base_url = sandbox.url;
      writeFileSync(config, JSON.stringify(written));
      const shopProgram = withImports(programOf(name)).replaceAll(PORT, port);
      writeFileSync(join(folder, 'shop.mjs'), shopProgram);
      await start();
    });
    after(async () => {
      await kill();
      await sandbox.close();
      rmSync(folder, { recursive: true });
    });

    async function start(): Promise<void> {
      const [program, ...args] = runner;
      const started = spawn(program, [...args, 'shop.mjs'], { cwd: folder });
      shop = started;
      let output = '';
      const read = (chunk: Buffer): void => void (output += chunk.toString());
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      const isReady = (): boolean => {
        assert.equal(started.exitCode, null, output);
        return output.includes('shop on http');
      };
      await until(isReady, 'the shop to be ready', START_MS);
    }
    /** Ends the shop, and the relay in it, as a power cut does. */
    async function kill(): Promise<void> {
      const running = shop;
      shop = null;
      if (running === null || running.exitCode !== null) return;
      const ended = once(running, 'exit');
      running.kill('SIGKILL');
      await ended;
    }

    type Opened = { address: string; page: string; token: string };
    async function open(address = url): Promise<Opened> {
      const response = await fetch(address);
      const page = await response.text();
      const token = /order-token="([^"]+)"/.exec(page)?.[1] ?? assert.fail(page);
      return { address: response.url, page, token };
    }
    /** Places the order that the page's token allows. */
    async function pay({ token }: Opened): Promise<void> {
      const response = await fetch(`${url}/pay/v1/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ order_token: token, attempt: crypto.randomUUID(), option: 'qr' }),
      });
      assert.equal(response.status, 200, await response.text());
    }
    function inDatabase<Result>(read: (database: DatabaseSyncInstance) => Result): Result {
      const database = new DatabaseSync(join(folder, 'shop.db'), { timeout: 5000 });
      try {
        return read(database);
      } finally {
        database.close();
      }
    }
    const isRecorded = (token: string): boolean =>
      inDatabase(
        (database) =>
          database
            .prepare('select 1 from orders where id = ? and paid_at is not null')
            .get(String(decodeJwt(token).jti)) !== undefined,
      );
    const confirm = (): Promise<void> => customerPhone(sandbox.url).confirm();

    void it(`${name}: one order keeps its number when its page is reloaded`, async () => {
      const first = await open();
      const reloaded = await open(first.address);
      assert.equal(decodeJwt(reloaded.token).jti, decodeJwt(first.token).jti);
      assert.notEqual(decodeJwt((await open()).token).jti, decodeJwt(first.token).jti);
      const response = await fetch(first.address);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal((await fetch(`${url}/checkout/unknown`)).status, 404);
    });

    void it(`${name}: an order keeps its price when that of the sale changes`, async () => {
      const { address, token } = await open();
      const id = String(decodeJwt(token).jti);
      inDatabase((database) =>
        database
          .prepare(`update orders set amount = '9.50', currency = 'EUR' where id = ?`)
          .run(id),
      );
      const { amount, currency, jti } = decodeJwt((await open(address)).token);
      assert.deepEqual([jti, amount, currency], [id, '9.50', 'EUR']);
    });

    void it(`${name}: the page says “Paid” when an event has recorded the payment`, async () => {
      const opened = await open();
      await pay(opened);
      assert.doesNotMatch((await open(opened.address)).page, /Paid/);
      await confirm();
      await until(() => isRecorded(opened.token), 'the order to be recorded');
      assert.match((await open(opened.address)).page, /Paid/);
    });

    void it(`${name}: an order is recorded when it was paid while the shop was down`, async () => {
      const opened = await open();
      await pay(opened);
      await kill();
      await confirm();
      await start();
      await until(() => isRecorded(opened.token), 'the order to be recorded');
    });

    void it(`${name}: events that were received and lost are read again at the start`, async () => {
      const { token } = await open();
      await kill();
      const recorded = inDatabase((database) => {
        const rows = database.prepare('select id from orders where paid_at is not null').all();
        database.exec(`update orders set paid_at = null, paid_by = null;
          delete from progress;
          delete from pay_checkout_events`);
        return rows;
      });
      assert.equal(recorded.length, 2);
      await start();
      // the shop says that it is ready when it has read the events
      const found = inDatabase((database) =>
        database.prepare('select id from orders where paid_at is not null').all(),
      );
      assert.deepEqual(found, recorded);
      assert.equal(isRecorded(token), false);
    });

    void it(`${name}: an event without a signature is refused`, async () => {
      const body = '{"type":"order.succeeded","data":{}}';
      assert.equal((await fetch(`${url}/hooks/pay`, { method: 'POST', body })).status, 401);
    });
  });
}
