/** The element finds its relay however the shop's tools load its script. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { inPhase, openShop, type Shop } from '../../support/demo-shop.js';

const SCRIPT = '/pay/pay-checkout.js';
const ELEMENT = '<pay-checkout amount="12.50" currency="USD" product-name="Tree"></pay-checkout>';
/** An optimiser loads the script by its text, so the script has no address of its own. */
const byText = (use: string): string =>
  `<script>fetch('${SCRIPT}').then((answer) => answer.text()).then((text) => {${use}})</script>`;

const FORMS = {
  'in a file with other scripts': '<script src="/bundle.js" defer></script>',
  'as text in the page': byText(
    "const script = document.createElement('script'); script.textContent = text;" +
      'document.head.append(script);',
  ),
  'by import()': `<script>import('${SCRIPT}')</script>`,
  'from a blob': byText(
    "const script = document.createElement('script');" +
      "script.src = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));" +
      'document.head.append(script);',
  ),
};
/** The relay stands at /pay, which is where the element looks when nothing names another place. */
const HEADS = {
  'a link that names the relay': '<link rel="pay-checkout" href="/pay">',
  'nothing that names the relay': '',
};

describe('a script that is loaded', () => {
  let shop: Shop;
  before(async () => (shop = await openShop()));
  afterEach(() => shop.closePages());
  after(() => shop.close());

  async function open(body: string): Promise<Page> {
    const page = await shop.open('/about:blank');
    const script = await (await fetch(shop.demo.url + SCRIPT)).text();
    await page.route('**/bundle.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `const before = 1;\n${script}` }),
    );
    await page.route('**/script-form', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: `<!doctype html>${body}` }),
    );
    await page.goto(`${shop.demo.url}/script-form`);
    return page;
  }

  for (const [form, script] of Object.entries(FORMS))
    for (const [what, head] of Object.entries(HEADS))
      it(`${form} shows the ways to pay beside ${what}`, async () => {
        await inPhase(await open(`${head}${script}${ELEMENT}`), 'choosing');
      });

  const filled = ELEMENT.replace('></', '><p>The payment is loading.</p></');
  const withChild = `<script src="${SCRIPT}" defer></script>${filled}`;

  it('takes the place of what stands inside the tag', async () => {
    const page = await open(withChild);
    await inPhase(page, 'choosing');
    assert.equal(await page.getByText('The payment is loading.').isVisible(), false);
  });

  it('leaves what stands inside the tag when it is blocked', async () => {
    const page = await open('');
    await page.route(`**${SCRIPT}`, (route) => route.abort());
    await page.route('**/script-form', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: withChild }),
    );
    await page.reload();
    assert.equal(await page.getByText('The payment is loading.').isVisible(), true);
  });

  it('reads and writes attributes that are on or off, without all of Lit', async () => {
    const page = await open(`<script src="${SCRIPT}" defer></script>${ELEMENT}`);
    await inPhase(page, 'choosing');
    const element = page.locator('pay-checkout');
    const gates = await element.evaluate((each: PayCheckout) =>
      ['', 'false', null].map((value) => {
        if (value === null) each.removeAttribute('tag-gate');
        else each.setAttribute('tag-gate', value);
        return each.tagGate;
      }),
    );
    assert.deepEqual(gates, [true, false, false]);
    await element.evaluate((each: PayCheckout) => (each.required = true));
    await page.locator('pay-checkout[required=""]').waitFor();
    await element.evaluate((each: PayCheckout) => each.setAttribute('required', 'false'));
    assert.equal(await element.evaluate((each: PayCheckout) => each.required), false);
  });

  it('in a frame that blocks forms places an order', async () => {
    const page = await open(
      `<iframe sandbox="allow-scripts allow-same-origin" src="/framed" title="shop"></iframe>`,
    );
    await page.route('**/framed', (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        body: `<!doctype html><script src="${SCRIPT}" defer></script>${ELEMENT}`,
      }),
    );
    await page.reload();
    const frame = page.frameLocator('iframe');
    await frame.locator('pay-checkout[phase="choosing"]').waitFor();
    await frame.locator('[data-action="pay"]').click();
    await frame.locator('pay-checkout[phase="awaiting_payment"]').waitFor();
  });
});
