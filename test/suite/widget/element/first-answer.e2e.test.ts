/** A page that asks for the checkout, or has its answer, before the element's script has loaded. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { BEGIN_TEXT } from '../../../../relay/contract/begin-text.js';
import {
  askRelay,
  choose,
  inPhase,
  lastOrderOf,
  openShop,
  type Shop,
} from '../../support/demo-shop.js';
import { until } from '../../support/wait.js';

const ELEMENT = '<script src="/pay/pay-checkout.js" defer></script>';
const BEGIN = `<script>${BEGIN_TEXT}</script>`;
const HOSTILE = `<form name="currentScript" data-relay="https://evil.example"></form>
  <script type="text/plain" data-relay="https://evil.example"></script>
  <form name="scripts" data-relay="https://evil.example"></form>
  <form name="querySelectorAll"></form>`;
const SALE = { amount: '12.50', currency: 'USD', product_name: 'A shade tree' };
let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

type Opened = {
  page: Page;
  /** The bodies of the requests to `checkout`. */
  asked: Record<string, unknown>[];
  /** The requests for texts. */
  texts: string[];
  /** Lets the element's script load. */
  release: () => void;
};

/** Opens a page of the shop with this head; the element's script waits until it is released. */
async function open(head: string, child = '', attributes = '', behind = ''): Promise<Opened> {
  const page = await shop.open('/about:blank');
  const asked: Record<string, unknown>[] = [];
  const texts: string[] = [];
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  page.on('request', (request) => {
    if (request.url().includes('/locales/')) texts.push(request.url());
    if (request.method() === 'POST' && request.url().endsWith('/v1/checkout'))
      asked.push({ ...request.postDataJSON(), url: request.url() });
  });
  await page.route('**/pay/pay-checkout.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.route('**/own.html', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><title>Pay</title>${head}
        <pay-checkout amount="12.50" currency="USD" product-name="A shade tree" ${attributes}>${
          child
        }</pay-checkout>${behind}`,
    }),
  );
  await page.goto(`${shop.demo.url}/own.html`, { waitUntil: 'commit' });
  return { page, asked, texts, release };
}

const answerOfRelay = async (): Promise<Record<string, unknown>> =>
  (await (await askRelay(shop, '/v1/checkout', SALE)).json()) as Record<string, unknown>;
const asChild = (text: string): string =>
  `<script type="application/json">${text.replaceAll('<', '\\u003c')}</script>`;
/** A child of the page's own sale, with its fields in another order than the element's. */
const childOf = (answer: object, intent: object = SALE): string =>
  JSON.stringify({ intent: Object.fromEntries(Object.entries(intent).reverse()), answer });
const amountOf = (page: Page): Promise<string | null> =>
  page.locator('pay-checkout [part="amount"]').first().getAttribute('data-amount');

describe('the script behind the tag', () => {
  it('asks while the element’s script is loading, and the element does not ask again', async () => {
    const { asked, page, release } = await open(ELEMENT, '', '', BEGIN);
    await page.waitForResponse(/\/v1\/checkout$/);
    assert.equal(await page.evaluate(() => Boolean(customElements.get('pay-checkout'))), false);
    const orders = shop.demo.sandbox.orders.all().length;
    release();
    await inPhase(page, 'choosing');
    assert.deepEqual(asked, [{ ...SALE, url: `${shop.demo.url}/pay/v1/checkout` }]);
    assert.equal(shop.demo.sandbox.orders.all().length, orders);
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    assert.equal(lastOrderOf(shop.demo).fields.amount, '12.50');
    // on the next visit the attempt may have an order, so only the element asks, with its attempt
    await page.reload();
    await inPhase(page, 'awaiting_payment');
    assert.deepEqual(
      asked.map((body) => 'attempt' in body),
      [false, true],
    );
  });

  it('loads the texts of the language, also for an element with wrong attributes', async () => {
    for (const attributes of ['lang="de-AT"', 'lang="de-AT" sku="tee"']) {
      const { page, release, texts } = await open(ELEMENT, '', attributes, BEGIN);
      await until(() => texts.length > 0, 'the request');
      assert.equal(await page.evaluate(() => Boolean(customElements.get('pay-checkout'))), false);
      release();
      await page
        .locator('pay-checkout')
        .getByText(/Sie|Shop/)
        .first()
        .waitFor();
      assert.deepEqual(texts, [`${shop.demo.url}/pay/locales/de-AT.json`]);
      await page.context().close();
    }
  });

  it('is asked again by the element when the page has changed the amount', async () => {
    const { asked, page, release } = await open(ELEMENT, '', '', BEGIN);
    await page.waitForResponse(/\/v1\/checkout$/);
    await page.evaluate(() => document.querySelector('pay-checkout')?.setAttribute('amount', '13'));
    release();
    await inPhase(page, 'choosing');
    assert.deepEqual(
      asked.map(({ amount }) => amount),
      ['12.50', '13'],
    );
    assert.equal(await amountOf(page), '13');
  });

  it('is asked again by the element when its request failed', async () => {
    for (const refuse of [
      (route: Route) => route.abort(),
      (route: Route) => route.fulfill({ status: 503, body: 'no' }),
      (route: Route) => route.fulfill({ status: 200, body: '{"contract":99}' }),
    ]) {
      const { asked, page, release } = await open(ELEMENT);
      await page.route('**/v1/checkout', refuse, { times: 1 });
      await page.addScriptTag({ content: BEGIN_TEXT });
      release();
      await inPhase(page, 'choosing');
      assert.equal(asked.length, 2);
      await page.context().close();
    }
  });

  it('asks only the relay of the script on a page with hostile markup', async () => {
    const { asked, page, release } = await open(HOSTILE + ELEMENT, '', '', BEGIN);
    release();
    await inPhase(page, 'choosing');
    assert.deepEqual(
      asked.map(({ url }) => url),
      [`${shop.demo.url}/pay/v1/checkout`],
    );
  });

  it('asks only what the element would ask, by its attributes', async () => {
    const token = `${'a'.repeat(8)}.b.c`;
    const silent = [
      'customer-ref-id="c1" return-url="https://shop.example/t"',
      'product-name="A tree"',
      'sku="tee" amount="1"',
      'sku="tee" currency="USD"',
      'sku="tee" quantity="two"',
      'amount="1" currency="USD"',
      'amount="1" product-name="A tree"',
      'deposit="XRP" customer-ref-id="c1"',
    ];
    const asking = [
      `order-token="${token}" return-url=" https://shop.example/t " product-name="A tree"`,
      'sku="tee" quantity="2" remark="red" customer-ref-id="c1" order-token="" deposit=""',
    ];
    const elements = [...silent, ...asking].map((each) => `<pay-checkout ${each}></pay-checkout>`);
    const { asked } = await open(ELEMENT, '', '', elements.join('') + BEGIN);
    // requests leave in the order of the elements
    await until(() => asked.some(({ quantity }) => quantity !== undefined), 'the last request');
    assert.deepEqual(
      asked.map(({ url: _, ...body }) => body),
      [
        SALE,
        { order_token: token, return_url: 'https://shop.example/t' },
        { sku: 'tee', customer_ref_id: 'c1', quantity: 2 },
      ],
    );
  });

  it('asks only with an order token when the customer has been here before', async () => {
    const tokens = ['paylinktoken', 'a.b.c'];
    const elements = tokens.map((token) => `<pay-checkout order-token="${token}"></pay-checkout>`);
    const { asked, page } = await open(ELEMENT, '', '', elements.join(''));
    await page.locator('pay-checkout').nth(2).waitFor({ state: 'attached' });
    await page.evaluate(() => localStorage.setItem('pay-checkout:earlier', '{}'));
    await page.addScriptTag({ content: BEGIN_TEXT });
    await until(() => asked.length > 0, 'a request');
    assert.deepEqual(
      asked.map(({ order_token }) => order_token),
      ['a.b.c'],
    );
  });

  it('asks the relay at the root of the host when its address is empty', async () => {
    for (const [head, attributes] of [
      [ELEMENT, 'relay=""'],
      [ELEMENT.replace('defer', 'defer data-relay=""'), ''],
    ] as const) {
      const { asked, page } = await open(head, '', attributes, BEGIN);
      await until(() => asked.length > 0, 'a request');
      assert.deepEqual(
        asked.map(({ url }) => url),
        [`${shop.demo.url}/v1/checkout`],
      );
      await page.context().close();
    }
  });

  it('shows the element’s own sentence when the relay’s address cannot be parsed', async () => {
    const { asked, page, release } = await open(ELEMENT, '', 'relay="https://["', BEGIN);
    release();
    await inPhase(page, 'problem');
    assert.deepEqual(asked, []);
  });
});

describe('the element’s script', () => {
  it('asks before Lit is evaluated, and asks once', async () => {
    const { asked, page, release } = await open(ELEMENT);
    await page.evaluate(`{
      const ask = window.fetch;
      window.fetch = (url, init) => {
        const isDefined = customElements.get('pay-checkout') || globalThis.litElementVersions;
        window.askedBefore ??= !isDefined;
        return ask(url, init);
      };
    }`);
    release();
    await inPhase(page, 'choosing');
    assert.equal(await page.evaluate('window.askedBefore'), true);
    assert.equal(asked.length, 1);
  });
});

describe('an answer that the page holds', () => {
  it('an answer in the page is shown without a request, and can be paid', async () => {
    const { asked, page, release } = await open(ELEMENT, asChild(childOf(await answerOfRelay())));
    release();
    await inPhase(page, 'choosing');
    assert.deepEqual(asked, []);
    assert.equal(await amountOf(page), '12.50');
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    await page.reload();
    await inPhase(page, 'awaiting_payment');
    assert.equal(asked.length, 1);
  });

  it('a child without an answer, with an order or of another sale is ignored', async () => {
    const answer = await answerOfRelay();
    const order = {
      request_id: 'a'.repeat(26),
      order_key: 'k'.repeat(26),
      outcome: 'pending',
      next_action: { kind: 'scan_qr', qrcode_string: 'pay the thief' },
    };
    for (const text of [
      '',
      '{',
      'null',
      JSON.stringify(answer),
      childOf({ ...answer, contract: 99 }),
      childOf({ ...answer, order }),
      childOf(answer, { ...SALE, amount: '5' }),
    ]) {
      const { asked, page, release } = await open(ELEMENT, asChild(text));
      release();
      await inPhase(page, 'choosing');
      assert.equal(asked.length, 1, text.slice(0, 40));
      await page.context().close();
    }
  });
});
