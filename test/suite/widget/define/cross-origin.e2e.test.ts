/** A page whose relay is on another origin loads its checkout without a preflight. */
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { startTestCheckout, type TestCheckout } from '../../../../relay/testing/index.js';
import { launchBrowser } from '../../support/browser.js';
import { buildWidget } from '../../support/built-widget.js';
import { choose, inPhase } from '../../support/demo-shop.js';

let browser: Browser;
let checkout: TestCheckout;
let server: Server;
let url = '';
before(async () => {
  buildWidget();
  server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<!doctype html><script src="${checkout.relay}/pay-checkout.js" defer></script>
        <pay-checkout amount="12.50" currency="USD" product-name="A tree"></pay-checkout>`,
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  [checkout, browser] = await Promise.all([
    startTestCheckout({
      origins: [url],
      config: { open_amount: { USD: { min: '1', max: '500' } } },
    }),
    launchBrowser(),
  ]);
});
after(async () => {
  await browser.close();
  await checkout.close();
  server.closeAllConnections();
  server.close();
});

describe('a relay on another origin', () => {
  it('gets the checkout of a page at once, and its pay after a preflight', async () => {
    const preflights: string[] = [];
    // of the relay, which runs in this process
    subscribe('http.server.request.start', (message) => {
      const { request } = message as { request: IncomingMessage };
      if (request.method === 'OPTIONS') preflights.push(request.url ?? '');
    });
    // without a route: Playwright answers preflights itself where it intercepts requests
    const page = await browser.newPage();
    await page.goto(url);
    await inPhase(page, 'choosing');
    assert.deepEqual(preflights, []);
    await choose(page, 'sbp');
    await inPhase(page, 'awaiting_payment');
    assert.equal(preflights[0], '/v1/pay');
  });
});
