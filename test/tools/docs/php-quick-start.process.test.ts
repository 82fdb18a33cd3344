/**
 * The shop of the PHP quick start sells with a relay. Without PHP the tests are skipped and say so;
 * in CI they fail.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { decodeJwt } from 'jose';
import { startTestCheckout, type TestCheckout } from '../../../relay/testing/index.js';
import { signMessage } from '../../../relay/webhooks/sign.js';
import { freePort } from '../../suite/support/free-port.js';
import { until } from '../../suite/support/wait.js';

const files = fileURLToPath(new URL('../../../docs/quick-start/php/', import.meta.url));
const probe = spawnSync('php', ['-r', 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);']);
const isMissing = probe.status !== 0;
type Remembered = { exit: number | null; cursors: unknown[]; handled: unknown[] };
// nobody notices a skipped test in CI
const skip = isMissing && process.env.CI !== 'true' ? 'this machine has no PHP with SQLite' : false;

describe('the shop of the PHP quick start', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'php-shop-'));
  let checkout: TestCheckout;
  let shop: ChildProcess;
  let url: string;

  before(async () => {
    const port = await freePort();
    url = `http://localhost:${port}`;
    checkout = await startTestCheckout({ origins: [url], events_url: `${url}/hooks.php` });
    cpSync(files, folder, { recursive: true });
    const library = join(folder, 'shop.php');
    const text = readFileSync(library, 'utf8');
    const { kid, secret } = checkout.order_token_key;
    writeFileSync(library, text.replace('http://localhost:8787', checkout.relay));
    const page = join(folder, 'public/index.php');
    writeFileSync(page, readFileSync(page, 'utf8').replace("'k1'", `'${kid}'`));
    mkdirSync(join(folder, 'secrets'));
    // init ends each file with a line break
    for (const [name, value] of Object.entries({
      'order-token-key': secret,
      'secret-key': checkout.secret_key,
      'shop-events-secret': checkout.events_secret,
    }))
      writeFileSync(join(folder, 'secrets', name), `${value}\n`);
    await startShop(port);
  });
  after(async () => {
    shop.kill();
    await checkout.close();
    rmSync(folder, { recursive: true });
  });

  async function startShop(port: number | string): Promise<void> {
    // no cache: a test changes a file
    const settings = ['-d', 'display_errors=1', '-d', 'opcache.enable=0'];
    shop = spawn('php', [...settings, '-S', `localhost:${port}`, '-t', 'public'], {
      cwd: folder,
      stdio: 'ignore',
    });
    await until(async () => (await fetch(`${url}/hooks.php`).catch(() => null)) !== null, 'PHP');
  }

  /** @returns the page's own address, and its token */
  async function open(address: string): Promise<{ address: string; token: string }> {
    const response = await fetch(address);
    const page = await response.text();
    const token = /order-token="([^"]+)"/.exec(page)?.[1] ?? assert.fail(page);
    return { address: response.url, token };
  }
  /** Opens the shop's page, and places the order that its token allows. */
  async function order(): Promise<string> {
    const { token } = await open(url);
    const response = await fetch(`${checkout.relay}/v1/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ order_token: token, attempt: crypto.randomUUID(), option: 'sbp' }),
    });
    const body = (await response.json()) as { order?: { intent_id: string } };
    assert.equal(response.status, 200, JSON.stringify(body));
    return body.order?.intent_id ?? '';
  }
  /** @returns one value for each order that is paid in the shop's table */
  function paid(): string[] {
    const database = new DatabaseSync(join(folder, 'shop.db'), { timeout: 5000 });
    const rows = database.prepare('select id from orders where paid_at is not null').all();
    database.close();
    return rows.map((row) => (row as { id: string }).id);
  }
  /** Does not block this process, because the relay runs in it. */
  async function catchUp(): Promise<void> {
    const child = spawn('php', ['catch-up.php'], { cwd: folder, stdio: 'inherit' });
    const [status] = (await once(child, 'exit')) as [number | null];
    assert.equal(status, 0);
  }
  /** Lets another program answer instead of the relay, and returns what the shop remembers. */
  async function catchUpFrom(status: number, answer: unknown): Promise<Remembered> {
    const server = createServer((_request, response) => {
      response.writeHead(status).end(JSON.stringify(answer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const library = join(folder, 'shop.php');
    const text = readFileSync(library, 'utf8');
    const { port } = server.address() as AddressInfo;
    writeFileSync(library, text.replace(checkout.relay, `http://127.0.0.1:${port}`));
    const child = spawn('php', ['catch-up.php'], { cwd: folder, stdio: 'ignore' });
    const [exit] = (await once(child, 'exit')) as [number | null];
    writeFileSync(library, text);
    server.close();
    const database = new DatabaseSync(join(folder, 'shop.db'), { timeout: 5000 });
    const column = (sql: string): unknown[] => database.prepare(sql).all().flatMap(Object.values);
    const cursors = column('select cursor from progress');
    const handled = column('select event_id from pay_checkout_events order by rowid');
    database.close();
    return { exit, cursors, handled };
  }

  it('signs a token of the same order when the page is reloaded', async () => {
    const jti = (token: string): unknown => decodeJwt(token).jti;
    const first = await open(url);
    assert.equal(jti((await open(first.address)).token), jti(first.token));
    assert.notEqual(jti((await open(url)).token), jti(first.token));
    assert.equal((await fetch(`${url}/?order=unknown`)).status, 404);
  });

  it('signs what the order sells, and not the price and name of today', async () => {
    const { address, token } = await open(url);
    const terms = ({ amount, currency, product_name }: Record<string, unknown>) => [
      amount,
      currency,
      product_name,
    ];
    assert.deepEqual(terms(decodeJwt(token)), ['19.90', 'USD', 'T-shirt']);
    const database = new DatabaseSync(join(folder, 'shop.db'), { timeout: 5000 });
    database.exec(`update orders set amount = '9.50', currency = 'EUR', product_name = 'A hat'`);
    database.close();
    assert.deepEqual(terms(decodeJwt((await open(address)).token)), ['9.50', 'EUR', 'A hat']);
  });

  it('records an order that is paid when the relay sends its event', async () => {
    const id = await order();
    await checkout.customerPhone.confirm();
    await until(() => paid().includes(id), 'the order to be paid in the shop');
  });

  it('records an order that was paid while the shop was down, and once only', async () => {
    const id = await order();
    shop.kill();
    await checkout.customerPhone.confirm();
    const access = { authorization: `Bearer ${checkout.secret_key}` };
    const isPaid = async (): Promise<boolean> => {
      const response = await fetch(`${checkout.relay}/v1/query`, {
        method: 'POST',
        headers: { ...access, 'content-type': 'application/json' },
        body: JSON.stringify({ intent_id: id }),
      });
      return /"outcome":"succeeded"/.test(await response.text());
    };
    await until(isPaid, 'the relay to know of the payment');
    assert.equal(paid().includes(id), false);
    await catchUp();
    assert.equal(paid().includes(id), true);
    const before = paid();
    await catchUp();
    assert.deepEqual(paid(), before);
    await startShop(new URL(url).port);
  });

  it('keeps its cursor when the answer is no list of events', async () => {
    const { cursors, handled } = await catchUpFrom(200, { events: [], cursor: 'c1', more: false });
    assert.deepEqual(cursors, ['c1']);
    for (const [status, answer] of [
      [200, { events: null, cursor: null }],
      [200, { events: [], cursor: null, more: false }],
      [200, { events: [], cursor: 'c1', more: true }],
      [503, { events: [], cursor: 'c2', more: false }],
      [302, { events: [], cursor: 'c2', more: false }],
    ] as const)
      assert.deepEqual(await catchUpFrom(status, answer), { exit: 255, cursors, handled });
  });

  it('handles the events after one that it cannot handle, and keeps its cursor', async () => {
    const event = {
      type: 'order.created',
      timestamp: '2026-11-21T10:00:00.000Z',
      data: { intent_id: 'x' },
    };
    const events = [
      { ...event, id: null },
      { ...event, id: 'evt_after' },
    ];
    const answer = { events, cursor: 'c2', more: false };
    const { cursors, exit, handled } = await catchUpFrom(200, answer);
    assert.deepEqual([exit, cursors], [1, ['c1']]);
    assert.equal(handled.at(-1), 'evt_after');
  });

  it('fails, and keeps its cursor, when a handler ends the process', async () => {
    const library = join(folder, 'shop.php');
    const text = readFileSync(library, 'utf8');
    writeFileSync(library, text.replace("$data = $event['data'];", 'exit;'));
    const event = { id: 'evt_ends', type: 'order.created', timestamp: '', data: {} };
    const told = await catchUpFrom(200, { events: [event], cursor: 'c2', more: false });
    writeFileSync(library, text);
    assert.deepEqual([told.exit, told.cursors], [1, ['c1']]);
    assert.ok(!told.handled.includes('evt_ends'));
  });

  it('takes no payment of mode test for one where it is live', async () => {
    const { token } = await open(url);
    const id = String(decodeJwt(token).jti);
    const library = join(folder, 'shop.php');
    const text = readFileSync(library, 'utf8');
    writeFileSync(library, text.replace('IS_LIVE = false', 'IS_LIVE = true'));
    for (const livemode of [false, true]) {
      const data = { intent_id: id, request_id: 'r', amount: '19.90', currency: 'USD', livemode };
      const timestamp = '2026-11-21T10:00:00.000Z';
      const event = { id: `evt_live_${livemode}`, type: 'order.succeeded', timestamp, data };
      await catchUpFrom(200, { events: [event], cursor: 'c1', more: false });
      assert.equal(paid().includes(id), livemode);
    }
    writeFileSync(library, text);
  });

  it('never pays back what it delivers for when the relay calls another one first', async () => {
    const { token } = await open(url);
    const data = { intent_id: decodeJwt(token).jti, amount: '19.90', currency: 'USD' };
    const handled = [
      ['order.succeeded', 'a'],
      ['order.duplicate_payment', 'b'],
      // the relay's ledger was restored from a backup in which both orders were open
      ['order.succeeded', 'b'],
      ['order.duplicate_payment', 'a'],
      ['order.succeeded', 'a'],
    ].map(([type, request_id]) => ({
      type,
      timestamp: '2026-11-21T10:00:00.000Z',
      data: { ...data, request_id },
    }));
    const main = `require 'shop.php';
      foreach (json_decode($argv[1], true) as $number => $event)
        handle(database(), "evt_restored_$number", $event);`;
    const { stderr } = spawnSync('php', ['-r', main, '--', JSON.stringify(handled)], {
      cwd: folder,
      encoding: 'utf8',
    });
    const lines = stderr.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => /pay back \w+/.exec(line)?.[0] ?? line),
      ['pay back b', 'pay back b'],
    );
  });

  it('refuses a forged event, and answers an event that it cannot handle with 500', async () => {
    const post = async (body: string, headers: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/hooks.php`, { method: 'POST', body, headers })).status;
    const at = Math.floor(Date.now() / 1000);
    const signed = (body: string) => signMessage(checkout.events_secret, { id: 'evt_1', at, body });
    const event = '{"type":"order.created","data":{"intent_id":"x"}}';
    assert.equal(await post(event, {}), 401);
    assert.equal(await post(`${event} `, await signed(event)), 401);
    assert.equal(await post('not json', await signed('not json')), 500);
    assert.equal(await post(event, await signed(event)), 204);
    assert.equal(await post(event, await signed(event)), 204);
    const library = join(folder, 'shop.php');
    const text = readFileSync(library, 'utf8');
    writeFileSync(library, `${text}\n}`);
    assert.equal(await post(event, await signed(event)), 500);
    writeFileSync(library, text);
  });
});
