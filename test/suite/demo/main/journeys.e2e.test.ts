/** A customer's journeys through the demo, for every way to pay, in the engine of `ENGINE`. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SandboxOrder } from '../../../../relay/sandbox/orders.js';
import { startDemo, type Demo } from '../../../../demo/start.js';
import { chosenEngine } from '../../../proofs/engines/find.js';
import {
  engines,
  type Engine,
  type Tab,
  type Visitor,
} from '../../../proofs/engines/browser-session.js';
import { buildWidget } from '../../support/built-widget.js';
import {
  choose,
  clickPart,
  element,
  inPhase,
  keepScreenshot,
  part,
  press,
  readQr,
  tabAt,
  waitFor,
} from '../../support/checkout-tab.js';

const name = chosenEngine();
let demo: Demo;
let engine: Engine;
before(async () => {
  buildWidget();
  [demo, engine] = await Promise.all([startDemo(0), engines[name]()]);
});
after(async () => {
  await engine.close();
  await demo.close();
});

const lastOrder = (): SandboxOrder => {
  const order = demo.sandbox.orders.all().at(-1);
  assert.ok(order);
  return order;
};

/** True on the thank-you page when the shop's backend knows of the payment. */
const PAID = `document.querySelector('#result[data-state="paid"]')`;

async function checkOutWith(tab: Tab, sku: string): Promise<void> {
  await waitFor(tab, `document.querySelector('[data-sku="${sku}"]')`);
  await tab.click(`document.querySelector('[data-sku="${sku}"]')`);
  await tab.go(`${demo.url}/checkout.html`);
}

it('leaves no environment behind that would change a later build', () => {
  assert.notEqual(process.env.NODE_ENV, 'development');
});

/** Defines a test that begins on a page of the shop, with a fresh browser profile. */
const itInBrowser = (
  what: string,
  path: string,
  walk: (tab: Tab, visitor: Visitor) => Promise<void>,
): void =>
  void it(what, async () => {
    const visitor = await engine.visitor();
    try {
      const tab = await visitor.tab();
      await tab.go(demo.url + path);
      await walk(tab, visitor);
    } finally {
      await visitor.leave();
    }
  });

describe(`the shop in ${name}`, () => {
  itInBrowser(
    'sells a basket by QR code, and shows the same code after a reload',
    '/',
    async (tab) => {
      await checkOutWith(tab, 'huila');
      await choose(tab, 'sbp_qr');
      const { qrcode_string = '' } = lastOrder().link;
      assert.equal(await readQr(tab), qrcode_string);
      // a link of SBP would lead a phone to a real bank
      assert.ok(qrcode_string.startsWith(`${demo.url}/`), qrcode_string);
      await keepScreenshot(tab, 'qr');
      const { request_id } = lastOrder();
      await tab.go(`${demo.url}/checkout.html`);
      await inPhase(tab, 'awaiting_payment');
      assert.equal(await readQr(tab), lastOrder().link.qrcode_string);
      assert.equal(lastOrder().request_id, request_id);
      demo.sandbox.orders.act(lastOrder(), 'confirm');
      await waitFor(tab, PAID);
    },
  );

  for (const [option, page] of [
    ['bank_qr', '/service/checkout/'],
    ['bank_transfer', '/service/account/'],
    ['sber_pay', '/service/checkout/'],
    ['card', '/service/checkout/'],
    ['usdt', '/service/checkout/'],
  ] as const)
    itInBrowser(
      `goes on to the page of ${option} in the same tab, and comes back to the shop as paid`,
      '/',
      async (tab) => {
        await checkOutWith(tab, 'cup');
        await press(tab, option);
        await waitFor(tab, `location.pathname.startsWith('${page}')`);
        await waitFor(tab, `document.readyState === 'complete'`);
        await tab.click(`document.querySelector('button.main')`);
        await waitFor(tab, PAID);
      },
    );

  for (const [option, page] of [
    ['card', '/service/checkout/'],
    ['sbp_wallet', '/service/wallet/'],
  ] as const)
    itInBrowser(
      `opens the page of ${option} in a new tab, and shows the payment that is made there`,
      '/',
      async (tab, visitor) => {
        await checkOutWith(tab, 'cup');
        await waitFor(tab, element);
        await tab.evaluate(`${element}.setAttribute('open-in', 'new-tab')`);
        await choose(tab, option);
        await clickPart(tab, '[part~="link"]');
        const bank = await tabAt(visitor, page);
        await waitFor(bank, `document.readyState === 'complete'`);
        assert.equal(await bank.evaluate('window.opener === null'), true);
        assert.equal(await bank.evaluate('document.referrer'), '');
        await bank.click(`document.querySelector('button.main')`);
        await waitFor(bank, PAID);
        await tab.bringToFront();
        await waitFor(tab, PAID);
      },
    );

  itInBrowser(
    'opens a popup without an opener and a referrer',
    '/donate.html',
    async (tab, visitor) => {
      await tab.evaluate(`${element}.setAttribute('open-in', 'popup')`);
      await choose(tab, 'card');
      await clickPart(tab, '[part~="link"]');
      const bank = await tabAt(visitor, '/service/checkout/');
      await waitFor(bank, `document.readyState === 'complete'`);
      assert.equal(await bank.evaluate('window.opener === null'), true);
      assert.equal(await bank.evaluate('document.referrer'), '');
      assert.equal(
        await tab.evaluate(`${part('[part~="base"]')}.textContent.includes('did not open')`),
        false,
      );
    },
  );

  itInBrowser('waits for a crypto payment when the order has no link', '/tee.html', async (tab) => {
    demo.sandbox.faults.add({ operation: 'pay', fault: 'no_link' });
    await choose(tab, 'usdt');
    assert.equal(await tab.evaluate(`${part('[part~="link"]')} === null`), true);
    demo.sandbox.orders.act(lastOrder(), 'confirm');
    await inPhase(tab, 'succeeded');
  });

  itInBrowser(
    'shows a deposit address and its tag as QR codes, and confirms a copy',
    '/deposit.html',
    async (tab) => {
      await inPhase(tab, 'showing_deposit_address');
      const [address, tag] = [
        await tab.evaluate(`${part('[part~="address"]')}.dataset.value`),
        await tab.evaluate(`${part('[part~="tag"]')}.dataset.value`),
      ];
      assert.equal(await readQr(tab), `ripple:${String(address)}?dt=${String(tag)}`);
      await clickPart(tab, '.codes summary');
      for (const [code, text] of [
        ['address', address],
        ['tag', tag],
      ]) {
        await clickPart(tab, `[data-code="${String(code)}"]`);
        await waitFor(
          tab,
          `${part(`[data-code="${String(code)}"]`)}.getAttribute('aria-pressed') === 'true'`,
        );
        assert.equal(await readQr(tab), text);
      }
      await keepScreenshot(tab, 'deposit');
      await clickPart(tab, '[part~="copy"]');
      await waitFor(tab, `${part('[part~="copy"]')}.dataset.state`);
    },
  );

  itInBrowser('shows the same order in two tabs', '/donate.html', async (tab, visitor) => {
    await choose(tab, 'card');
    const second = await visitor.tab();
    await second.go(`${demo.url}/donate.html`);
    await inPhase(second, 'awaiting_payment');
    demo.sandbox.orders.act(lastOrder(), 'confirm');
    await inPhase(second, 'succeeded');
    await tab.bringToFront();
    await inPhase(tab, 'succeeded');
  });

  itInBrowser(
    'shows the order on the relay’s page when its link is opened on another device',
    '/donate.html',
    async (tab, visitor) => {
      await choose(tab, 'sbp_qr');
      await tab.evaluate(
        `navigator.clipboard.writeText = async (text) => void (window.copied = text)`,
      );
      const copy = `[...${element}.shadowRoot.querySelectorAll('.more > [part="copy"]')].at(-1)`;
      // clicked by script, because the element ignores a tap right after the screen has changed
      await tab.evaluate(`${part('.more > summary')}.click()`);
      await tab.evaluate(`${copy}.click()`);
      await waitFor(tab, 'window.copied');
      const link = String(await tab.evaluate('window.copied'));
      assert.ok(link.startsWith(`${demo.url}/pay/r#`), link);
      const there = await visitor.tab();
      await there.go(link);
      await inPhase(there, 'awaiting_payment');
      assert.equal(await readQr(there), lastOrder().link.qrcode_string);
      assert.notEqual(await there.evaluate(`getComputedStyle(${part('.base')}).paddingTop`), '0px');
      await keepScreenshot(there, 'link');
      demo.sandbox.orders.act(lastOrder(), 'confirm');
      await inPhase(there, 'succeeded');
      assert.equal(await there.evaluate('location.href'), `${demo.url}/pay/r`);
    },
  );

  itInBrowser('shows success when an expired order is paid late', '/donate.html', async (tab) => {
    await choose(tab, 'card');
    demo.sandbox.orders.act(lastOrder(), 'expire');
    await inPhase(tab, 'expired');
    demo.sandbox.orders.act(lastOrder(), 'pay_late');
    await inPhase(tab, 'succeeded');
  });

  itInBrowser(
    'shows success when the customer goes back from the bank’s page after paying',
    '/donate.html',
    async (tab) => {
      await tab.evaluate(`${element}.setAttribute('open-in', 'same-tab')`);
      await waitFor(tab, part('[data-option="card"]'));
      await clickPart(tab, '[data-option="card"]');
      await waitFor(tab, `${part('[data-option="card"] input')}.checked`);
      await clickPart(tab, '[data-action="pay"]');
      await waitFor(tab, `location.pathname.startsWith('/service/checkout/')`);
      demo.sandbox.orders.act(lastOrder(), 'confirm');
      await tab.back();
      await inPhase(tab, 'succeeded');
    },
  );

  itInBrowser(
    'shows Arabic from right to left',
    '/playground.html?state=awaiting_payment&locale=ar&width=390&bare',
    async (tab) => {
      await inPhase(tab, 'awaiting_payment');
      await waitFor(tab, `getComputedStyle(${part('.base')}).direction === 'rtl'`);
      await waitFor(tab, `/[\\u0600-\\u06ff]/.test(${part('.base')}.textContent)`);
      assert.equal(
        await tab.evaluate(`${part('.base')}.scrollWidth <= ${part('.base')}.clientWidth`),
        true,
      );
      await keepScreenshot(tab, 'arabic');
    },
  );
});
