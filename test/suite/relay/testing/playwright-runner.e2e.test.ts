/** The guide's test with the fixtures, run by Playwright's own runner. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestCheckout, type TestCheckout } from '../../../../relay/testing/index.js';
import { signOrderToken } from '../../../../widget/shop/index.js';
import { codeBlocks } from '../../../tools/docs/code-blocks.js';
import { relayEntries, root } from '../../../tools/packages/manifests.js';
import { findChromium } from '../../support/browser.js';
import { buildWidget } from '../../support/built-widget.js';

const SALE = { amount: '19.90', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c-1' };
const IN_GUIDE = 'http://localhost:9000';

let shop: Server;
let shopUrl: string;
let checkout: TestCheckout;
before(async () => {
  buildWidget();
  shop = createServer((request, response) => {
    if (request.url === '/checkout') void checkoutPage().then((page) => response.end(page));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`;
  checkout = await startTestCheckout({ origins: [shopUrl] });
});
after(async () => {
  await checkout.close();
  shop.closeAllConnections();
  shop.close();
});

async function checkoutPage(): Promise<string> {
  const claims = { aud: checkout.relay, jti: `order-${crypto.randomUUID()}`, ...SALE };
  const token = await signOrderToken(claims, checkout.order_token_key);
  return `<!doctype html><title>Shop</title>
    <script src="${checkout.relay}/pay-checkout.js" defer></script>
    <pay-checkout order-token="${token}"></pay-checkout>`;
}

/** Writes the folder of a shop's tests, with the packages that it has installed. */
function writeTests(folder: string, test: string, executablePath: string, args: string[]): void {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  symlinkSync(`${root}node_modules`, join(folder, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  const paths = Object.entries(relayEntries).map(([subpath, file]) => [
    subpath.replace('.', 'pay-checkout-relay'),
    [`${root}${file}.ts`],
  ]);
  write('tsconfig.json', JSON.stringify({ compilerOptions: { paths: Object.fromEntries(paths) } }));
  const config = {
    tsconfig: './tsconfig.json',
    reporter: 'line',
    // the repository brings its browser
    use: { baseURL: shopUrl, launchOptions: { executablePath, args } },
  };
  write('playwright.config.js', `export default ${JSON.stringify(config)};`);
  write('checkout.spec.ts', test);
}

/** @returns what the runner has printed, and its exit code */
async function runPlaywright(test: string): Promise<{ code: number | null; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'playwright-'));
  const { args, env, executablePath } = await findChromium();
  try {
    writeTests(folder, test, executablePath, args);
    const runner = `${root}node_modules/@playwright/test/cli.js`;
    const child = spawn(process.execPath, [runner, 'test'], { cwd: folder, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, output };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the guide’s test with Playwright', () => {
  it('pays and is confirmed by the phone when Playwright’s own runner runs it', async () => {
    const block = codeBlocks('ts').find(
      ({ code, page }) =>
        page === 'docs/guides/test-your-checkout.md' && code.includes('@playwright/test'),
    );
    assert.ok(block);
    assert.ok(block.code.includes(IN_GUIDE));
    const { code, output } = await runPlaywright(
      block.code.replace(IN_GUIDE, checkout.sandbox_url),
    );
    assert.equal(code, 0, output);
    assert.match(output, /delivers what was paid[^]*1 passed/);
    const { orders } = checkout.sandbox;
    assert.deepEqual(
      orders.all().map(({ status }) => status),
      [orders.statuses.paid],
    );
  });
});
