/**
 * The demo, as a customer walks through it, in the engine that `ENGINE` names: every road, read
 * back from the screen.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import type { SandboxOrder } from '../../relay/sandbox/orders.js';
import { startDemo, type Demo } from '../../demo/start.js';
import { engineAsked } from '../engines/find.js';
import { engines, type Engine, type Tab, type Visitor } from '../engines/browser-session.js';

const name = engineAsked();
let demo: Demo;
let engine: Engine;
before(async () => ([demo, engine] = await Promise.all([startDemo(0), engines[name]()])));
after(async () => {
  await engine.close();
  await demo.close();
});

const PATIENCE_MS = 15_000;
const element = `document.querySelector('pay-checkout')`;
const STANDING = `location.href + ' ' + ${element}?.getAttribute('phase') + ': ' + ${element}?.shadowRoot?.textContent`;
const part = (selector: string): string =>
  `${element}?.shadowRoot?.querySelector(${JSON.stringify(selector)})`;
const last = (): SandboxOrder => {
  const order = demo.sandbox.orders.all().at(-1);
  assert.ok(order);
  return order;
};

/**
 * Waits until the expression is true in the page; a page that is just being left has no answer yet.
 */
async function until(tab: Tab, expression: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while ((await tab.ask(`!!(${expression})`).catch(() => false)) !== true) {
    if (Date.now() > end)
      throw new Error(
        `not within ${PATIENCE_MS} ms: ${expression}; ${String(await tab.ask(STANDING))}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
/** The tab that shows a page of this path, once there is one. */
async function tabAt(visitor: Visitor, path: string): Promise<Tab> {
  for (
    const end = Date.now() + PATIENCE_MS;
    Date.now() < end;
    await new Promise((resolve) => setTimeout(resolve, 50))
  )
    for (const tab of await visitor.tabs())
      if (await tab.ask(`location.pathname.startsWith('${path}')`).catch(() => false)) return tab;
  throw new Error(`no tab at ${path} within ${PATIENCE_MS} ms`);
}
const inPhase = (tab: Tab, phase: string): Promise<void> =>
  until(tab, `${element}?.getAttribute('phase') === '${phase}'`);

/** On the page that thanks, once the shop's backend knows. */
const PAID = `document.querySelector('#result[data-state="paid"]')`;

async function fill(tab: Tab, sku: string): Promise<void> {
  await until(tab, `document.querySelector('[data-sku="${sku}"]')`);
  await tab.click(`document.querySelector('[data-sku="${sku}"]')`);
  await tab.go(`${demo.url}/checkout.html`);
}

async function choose(tab: Tab, option: string): Promise<void> {
  await until(tab, part(`[data-option="${option}"]`));
  await tab.click(part(`[data-option="${option}"]`));
  await until(tab, `${part(`[data-option="${option}"] input`)}.checked`);
  await tab.click(part('[data-action="pay"]'));
  await inPhase(tab, 'awaiting_payment');
}

/** What an independent decoder reads from the code on the screen. */
async function readQr(tab: Tab): Promise<string | undefined> {
  await tab.ask(`${part('[part~="qr"]')}.scrollIntoView({ block: 'center', behavior: 'instant' })`);
  await tab.ask(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))',
  );
  const box = (await tab.ask(
    `(() => { const { x, y, width, height } = ${part('[part~="qr"]')}.getBoundingClientRect(); return [x, y, width, height, innerWidth]; })()`,
  )) as [number, number, number, number, number];
  const screen = PNG.sync.read(Buffer.from(await tab.picture()));
  const [x, y, width, height] = box
    .slice(0, 4)
    .map((value) => Math.round((value * screen.width) / box[4])) as [
    number,
    number,
    number,
    number,
  ];
  const code = new PNG({ width, height });
  PNG.bitblt(screen, code, x, y, width, height, 0, 0);
  return jsQR(new Uint8ClampedArray(code.data), width, height)?.data;
}

/** Keeps what is in view where `PICTURES` says. */
async function keep(tab: Tab, what: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}-${what}.png`, await tab.picture());
}

/** A test with a visitor of its own, at a page of the shop. */
const visit = (
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
  visit('sells a basket by QR code, which a reload keeps', '/', async (tab) => {
    await fill(tab, 'huila');
    await choose(tab, 'sbp_qr');
    assert.equal(await readQr(tab), last().link.qrcode_string);
    await keep(tab, 'qr');
    const { request_id } = last();
    await tab.go(`${demo.url}/checkout.html`);
    await inPhase(tab, 'awaiting_payment');
    assert.equal(await readQr(tab), last().link.qrcode_string);
    assert.equal(last().request_id, request_id);
    demo.sandbox.orders.act(last(), 'confirm');
    await until(tab, PAID);
  });

  for (const [option, page] of [
    ['bank_qr', '/service/checkout/'],
    ['bank_transfer', '/service/account/'],
    ['sbp_wallet', '/service/wallet/'],
    ['sber_pay', '/service/checkout/'],
    ['card', '/service/checkout/'],
    ['usdt', '/service/checkout/'],
  ] as const)
    visit(
      `opens the page of ${option} in a tab of its own, and sees the payment made there`,
      '/',
      async (tab, visitor) => {
        await fill(tab, 'cup');
        await choose(tab, option);
        await tab.click(part('[part~="link"]'));
        const bank = await tabAt(visitor, page);
        await until(bank, `document.readyState === 'complete'`);
        assert.equal(await bank.ask('window.opener === null'), true);
        assert.equal(await bank.ask('document.referrer'), '');
        await bank.click(`document.querySelector('button.main')`);
        await until(bank, PAID);
        await tab.front();
        await until(tab, PAID);
      },
    );

  visit(
    'opens a popup that learns neither its opener nor the shop’s address',
    '/donate.html',
    async (tab, visitor) => {
      await tab.ask(`${element}.setAttribute('open-in', 'popup')`);
      await choose(tab, 'card');
      await tab.click(part('[part~="link"]'));
      const bank = await tabAt(visitor, '/service/checkout/');
      await until(bank, `document.readyState === 'complete'`);
      assert.equal(await bank.ask('window.opener === null'), true);
      assert.equal(await bank.ask('document.referrer'), '');
      assert.equal(
        await tab.ask(`${part('[part~="base"]')}.textContent.includes('did not open')`),
        false,
      );
    },
  );

  visit('waits for a payment on the chain that has no link', '/tee.html', async (tab) => {
    await choose(tab, 'btc');
    assert.equal(await tab.ask(`${part('[part~="link"]')} === null`), true);
    demo.sandbox.orders.act(last(), 'confirm');
    await inPhase(tab, 'succeeded');
  });

  visit(
    'shows a deposit address with its tag, each as a code, and says that it was copied',
    '/deposit.html',
    async (tab) => {
      await inPhase(tab, 'showing_deposit_address');
      const [address, tag] = [
        await tab.ask(`${part('[part~="address"]')}.dataset.value`),
        await tab.ask(`${part('[part~="tag"]')}.dataset.value`),
      ];
      assert.equal(await readQr(tab), `ripple:${String(address)}?dt=${String(tag)}`);
      for (const [code, text] of [
        ['address', address],
        ['tag', tag],
      ]) {
        await tab.click(part(`[data-code="${String(code)}"]`));
        await until(
          tab,
          `${part(`[data-code="${String(code)}"]`)}.getAttribute('aria-pressed') === 'true'`,
        );
        assert.equal(await readQr(tab), text);
      }
      await keep(tab, 'deposit');
      await tab.click(part('[part~="copy"]'));
      await until(tab, `/copied/i.test(${part('[part~="status"]')}.textContent)`);
    },
  );

  visit('shows one order in two tabs', '/donate.html', async (tab, visitor) => {
    await choose(tab, 'card');
    const second = await visitor.tab();
    await second.go(`${demo.url}/donate.html`);
    await inPhase(second, 'awaiting_payment');
    demo.sandbox.orders.act(last(), 'confirm');
    await inPhase(second, 'succeeded');
    await tab.front();
    await inPhase(tab, 'succeeded');
  });

  visit(
    'opens the order on another device, on a page of the relay',
    '/donate.html',
    async (tab, visitor) => {
      await choose(tab, 'sbp_qr');
      await tab.ask(`navigator.clipboard.writeText = async (text) => void (window.copied = text)`);
      const copy = `[...${element}.shadowRoot.querySelectorAll('.tools > [part="copy"]')].at(-1)`;
      await tab.click(copy);
      await until(tab, 'window.copied');
      const link = String(await tab.ask('window.copied'));
      assert.ok(link.startsWith(`${demo.url}/pay/r#`), link);
      const there = await visitor.tab();
      await there.go(link);
      await inPhase(there, 'awaiting_payment');
      assert.equal(await readQr(there), last().link.qrcode_string);
      assert.notEqual(await there.ask(`getComputedStyle(${part('.base')}).paddingTop`), '0px');
      await keep(there, 'link');
      demo.sandbox.orders.act(last(), 'confirm');
      await inPhase(there, 'succeeded');
      assert.equal(await there.ask('location.href'), `${demo.url}/pay/r`);
    },
  );

  visit('believes a payment that comes after its time', '/donate.html', async (tab) => {
    await choose(tab, 'card');
    demo.sandbox.orders.act(last(), 'expire');
    await inPhase(tab, 'expired');
    demo.sandbox.orders.act(last(), 'pay_late');
    await inPhase(tab, 'succeeded');
  });

  visit(
    'finds the order paid when the back button leads home from the bank',
    '/donate.html',
    async (tab) => {
      await tab.ask(`${element}.setAttribute('open-in', 'same-tab')`);
      await choose(tab, 'card');
      await tab.click(part('[part~="link"]'));
      await until(tab, `location.pathname.startsWith('/service/checkout/')`);
      demo.sandbox.orders.act(last(), 'confirm');
      await tab.back();
      await inPhase(tab, 'succeeded');
    },
  );

  visit(
    'speaks Arabic from right to left',
    '/playground.html?state=awaiting_payment&locale=ar&width=390',
    async (tab) => {
      await inPhase(tab, 'awaiting_payment');
      await until(
        tab,
        `getComputedStyle(${part('.base')}).direction === 'rtl' && /[\\u0600-\\u06ff]/.test(${part('.base')}.textContent)`,
      );
      assert.equal(
        await tab.ask(`${part('.base')}.scrollWidth <= ${part('.base')}.clientWidth`),
        true,
      );
      await keep(tab, 'arabic');
    },
  );
});
