/** The orders of the first shop, and of the shop in Next.js, without a relay. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { decodeJwt } from 'jose';
import { fakeEvent } from '../../../relay/testing/index.js';
import { freePort } from '../../suite/support/free-port.js';
import { until } from '../../suite/support/wait.js';
import { withSources } from './run-block.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const tsx = ['--import', import.meta.resolve('tsx')];
const programOf = (file: string): string => withSources(readFileSync(`${root}${file}`, 'utf8'));

const SECRET = 'a-secret-of-at-least-32-characters';

/** A folder from which the shop finds its packages, with the secrets that it reads. */
function shopFolder(): string {
  const folder = mkdtempSync(join(root, 'node_modules/.first-shop-'));
  after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'secrets'));
  for (const name of ['order-token-key', 'secret-key', 'shop-events-secret'])
    writeFileSync(join(folder, 'secrets', name), SECRET);
  return folder;
}

const OTHER_SALE = `update orders set
  amount = '29.90', currency = 'EUR', product_name = 'A hat'`;

describe('the first shop', () => {
  const folder = shopFolder();
  let shop: ChildProcess;
  let url = '';
  let errors = '';

  before(() => start());
  after(() => end());

  async function start(isLive = false): Promise<void> {
    const port = String(await freePort());
    url = `http://localhost:${port}`;
    const program = programOf('docs/guides/first-shop/shop.mjs')
      .replaceAll('3000', port)
      .replace('http://localhost:8787', 'http://127.0.0.1:9')
      .replace('busy_timeout = 5000', 'busy_timeout = 0')
      .replace('livemode = undefined', `livemode = ${isLive || undefined}`);
    writeFileSync(join(folder, 'shop.mjs'), program);
    shop = spawn(process.execPath, [...tsx, 'shop.mjs'], { cwd: folder });
    shop.stderr?.on('data', (part) => (errors += String(part)));
    let output = '';
    shop.stdout?.on('data', (part) => (output += String(part)));
    await until(() => output.includes('shop on'), 'the shop to be ready', 30_000);
  }
  async function end(): Promise<void> {
    const ended = once(shop, 'exit');
    shop.kill();
    await ended;
  }

  const termsAt = async (address: string): Promise<unknown[]> => {
    const page = await (await fetch(address)).text();
    const token = /order-token="([^"]+)"/.exec(page)?.[1] ?? assert.fail(page);
    const { amount, currency, product_name } = decodeJwt(token);
    return [amount, currency, product_name];
  };

  it('signs what the order sells, and not the price and name of today', async () => {
    const { url: address } = await fetch(url);
    assert.deepEqual(await termsAt(address), ['19.90', 'USD', 'T-shirt']);
    const database = new DatabaseSync(join(folder, 'shop.db'), { timeout: 5000 });
    database.exec(OTHER_SALE);
    database.close();
    // a payment page may add parameters to the address that it returns to
    assert.deepEqual(await termsAt(`${address}?status=paid`), ['29.90', 'EUR', 'A hat']);
  });

  it('says which payment a person must pay back', async () => {
    for (const type of ['order.duplicate_payment', 'order.late_payment'] as const) {
      const event = await fakeEvent(type, { request_id: type }, { secret: SECRET });
      assert.equal((await fetch(event.request(`${url}/hooks/pay`))).status, 200);
      await until(() => errors.includes(`pay back ${type} of order-10042`), 'the line');
    }
  });

  it('never pays back what it delivers for when the relay calls another one first', async () => {
    const { url: address } = await fetch(url);
    const intent_id = address.split('/').at(-1) ?? '';
    const deliver = async (
      type: 'order.succeeded' | 'order.duplicate_payment',
      request_id: string,
    ): Promise<void> => {
      const data = { intent_id, request_id, amount: '19.90', currency: 'USD' };
      const event = await fakeEvent(type, data, { secret: SECRET });
      assert.equal((await fetch(event.request(`${url}/hooks/pay`))).status, 200);
    };
    await deliver('order.succeeded', 'a');
    await deliver('order.duplicate_payment', 'b');
    // the relay's ledger was restored from a backup in which both orders were open
    await deliver('order.succeeded', 'b');
    await deliver('order.duplicate_payment', 'a');
    await deliver('order.succeeded', 'a');
    // the shop writes the lines in the order of the events, and this one last
    await deliver('order.duplicate_payment', 'c');
    await until(() => errors.includes(`pay back c of ${intent_id}`), 'the line');
    const lines = errors.split('\n').filter((line) => line.includes(intent_id));
    assert.deepEqual(
      lines,
      ['b', 'b', 'c'].map((request_id) => `pay back ${request_id} of ${intent_id}`),
    );
  });

  it('answers 500 while its database is locked, and sells again afterwards', async () => {
    const database = new DatabaseSync(join(folder, 'shop.db'), { timeout: 5000 });
    database.exec('begin immediate');
    assert.equal((await fetch(url)).status, 500);
    database.close();
    assert.equal((await fetch(url)).status, 200);
    assert.equal(shop.exitCode, null);
  });

  it('takes no payment of mode test where it is live', async () => {
    await end();
    await start(true);
    const { url: address } = await fetch(url);
    const data = { intent_id: address.split('/').at(-1) ?? '', amount: '19.90', currency: 'USD' };
    for (const livemode of [false, true]) {
      const event = await fakeEvent('order.succeeded', { ...data, livemode }, { secret: SECRET });
      assert.equal((await fetch(event.request(`${url}/hooks/pay`))).status, 200);
      assert.equal(/Paid/.test(await (await fetch(address)).text()), livemode);
    }
  });
});

describe('the shop in Next.js', () => {
  it('signs what the order sells, and not the price and name of today', () => {
    const folder = shopFolder();
    writeFileSync(
      join(folder, 'shop.mts'),
      programOf('test/proofs/frameworks/apps/next/app/shop.ts'),
    );
    const main = `import { DatabaseSync } from '@photostructure/sqlite';
      import { sell, tokenOf } from './shop.mts';
      const id = await sell();
      new DatabaseSync('shop.db').exec(${JSON.stringify(OTHER_SALE)});
      console.log(await tokenOf(id));`;
    writeFileSync(join(folder, 'main.mts'), main);
    const { stderr, stdout } = spawnSync(process.execPath, [...tsx, 'main.mts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    const { amount, currency, product_name } = decodeJwt(stdout.trim());
    assert.deepEqual([amount, currency, product_name], ['29.90', 'EUR', 'A hat']);
  });
});
