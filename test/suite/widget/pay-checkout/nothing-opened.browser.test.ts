/** In the browser of another app a link may open nothing: the customer gets the next road. */
import { expect } from '@open-wc/testing';
import { states } from '../../../../demo/element-states.js';
import { checkoutAnswer, instant, sampleOrder } from '../../../../demo/sample-answers.js';
import type { PayOpenEvent } from '../../../../widget/events.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { timing } from '../../../../widget/timing.js';
import { until } from '../../support/world.js';
import { clear, holdTouchDevice, stageState } from './stage.js';

const CODE_LINK = states['on a phone, the code opens the app']!;
const CODE = {
  next_action: { kind: 'scan_qr', qrcode_string: 'https://qr.nspk.ru/AS10003P' },
  code_opens: true,
} as const;
const WALLET = states['awaiting open_wallet']!;

const find = (element: PayCheckout, selector: string): HTMLElement | null =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);
const words = (element: PayCheckout, selector: string): (string | undefined)[] =>
  [...element.shadowRoot!.querySelectorAll(selector)].map((each) => each.textContent?.trim());

describe('a link that opens nothing', () => {
  const after = timing.after;
  const hasFocus = Document.prototype.hasFocus;
  let passTime = (): void => {};
  let focused = true;
  let hidden = false;

  beforeEach(() => {
    holdTouchDevice({ width: 390, height: 844 });
    focused = true;
    hidden = false;
    passTime = () => {};
    timing.after = (ms, run) => {
      if (ms !== 1500) return after(ms, run);
      let isWatching = true;
      passTime = () => isWatching && run();
      return () => (isWatching = false);
    };
    Document.prototype.hasFocus = () => focused;
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (hidden ? 'hidden' : 'visible'),
    });
  });
  afterEach(() => {
    timing.after = after;
    Document.prototype.hasFocus = hasFocus;
    Reflect.deleteProperty(document, 'visibilityState');
    clear();
  });

  /** Taps the link; the app around the page drops what it should open. */
  async function tap(element: PayCheckout, selector = '[part="link"]'): Promise<void> {
    const link = find(element, selector)!;
    link.addEventListener('click', (event) => event.preventDefault(), { once: true });
    link.click();
    await element.updateComplete;
  }
  async function pass(element: PayCheckout): Promise<void> {
    passTime();
    await element.updateComplete;
  }

  for (const [name, state] of [
    ['a code', CODE_LINK],
    ['a wallet', WALLET],
  ] as const)
    it(`offers to copy ${name}, to scan it elsewhere, and to leave the app`, async () => {
      const element = await stageState(state);
      await tap(element);
      expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
      await pass(element);
      expect(find(element, '.primary')?.textContent).to.equal('Copy code');
      expect(find(element, '.hint')?.textContent).to.include('Did nothing open?');
      expect(words(element, 'summary')).to.include('Scan with another phone');
      expect(words(element, 'a')).to.include('Open in your browser');
      expect(element.shadowRoot!.querySelectorAll('.primary').length).to.equal(1);
      const browser = [...element.shadowRoot!.querySelectorAll('a')].at(-1)!;
      expect(browser.target).to.equal('_blank');
      expect(browser.href).to.include('/r#');
    });

  it('offers nothing when the page lost the focus, or was hidden meanwhile', async () => {
    const element = await stageState(CODE_LINK);
    await tap(element);
    focused = false;
    await pass(element);
    expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
    focused = true;
    await tap(element);
    hidden = true;
    dispatchEvent(new Event('visibilitychange'));
    hidden = false;
    await pass(element);
    expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
  });

  it('takes the offer back when the page is hidden', async () => {
    const element = await stageState(CODE_LINK);
    await tap(element);
    await pass(element);
    hidden = true;
    dispatchEvent(new Event('visibilitychange'));
    await element.updateComplete;
    expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
  });

  it('opens nothing by itself, and places no second order', async () => {
    const element = await stageState(CODE_LINK);
    const events: string[] = [];
    for (const type of ['pay-open', 'pay-redirect', 'pay-order'])
      element.addEventListener(type, () => events.push(type));
    await tap(element);
    await pass(element);
    expect(events).to.deep.equal(['pay-redirect', 'pay-open']);
  });

  it('lets the app around the page open the link, and tells it why', async () => {
    const element = await stageState(CODE_LINK);
    const seen: [PayOpenEvent['kind'], PayOpenEvent['reason'], boolean][] = [];
    element.addEventListener('pay-open', (event) => {
      event.preventDefault();
      seen.push([event.kind, event.reason, event.url.startsWith('https://qr.nspk.ru/')]);
    });
    const clicks: boolean[] = [];
    element.addEventListener('click', (event) => clicks.push(event.defaultPrevented));
    find(element, '[part="link"]')!.click();
    await element.updateComplete;
    expect(find(element, '.hint')?.textContent).to.include('do not pay again');
    await pass(element);
    find(element, '[part="link"]')!.click();
    expect(seen[0]).to.deep.equal(['web', 'tap', true]);
    expect(clicks).to.deep.equal([true, true]);
    expect(seen[1]?.[1]).to.equal(seen.length === 2 ? 'nothing_opened' : 'tap');
  });
});

describe('the link to pay with, for the browser’s own wallet', () => {
  const named = (): string[] =>
    [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="facilitated-payment"]')].map(
      ({ href }) => href,
    );
  const supports = DOMTokenList.prototype.supports;
  afterEach(() => {
    DOMTokenList.prototype.supports = supports;
    clear();
  });
  const known = (): void => {
    DOMTokenList.prototype.supports = (token) => token === 'facilitated-payment';
  };

  it('stands in the head while the code is on screen', async () => {
    known();
    const element = await stageState(CODE_LINK);
    await element.updateComplete;
    expect(named()).to.deep.equal(['https://qr.nspk.ru/AS10003P']);
    element.remove();
    await element.updateComplete;
    await Promise.resolve();
    expect(named()).to.deep.equal([]);
  });

  it('leaves the head when the time to pay is over', async () => {
    known();
    const element = await stageState({
      ...CODE_LINK,
      answer: (now) =>
        checkoutAnswer({}, sampleOrder(now, { ...CODE, expires_at: instant(now + 1000) })),
    });
    expect(named().length).to.equal(1);
    await until(() => element.shadowRoot!.textContent.includes('has expired'), 'the end');
    expect(named()).to.deep.equal([]);
  });

  it('is absent while the modal is closed', async () => {
    known();
    const element = await stageState(CODE_LINK, { display: 'modal' });
    expect(named()).to.deep.equal([]);
    element.show();
    await until(() => named().length === 1, 'the link');
    element.close();
    await until(() => named().length === 0, 'no link');
  });

  it('is absent when the browser does not know it, or the code may not be opened', async () => {
    DOMTokenList.prototype.supports = () => false;
    await stageState(CODE_LINK);
    expect(named()).to.deep.equal([]);
    known();
    await stageState(states['the payee is known']!);
    expect(named()).to.deep.equal([]);
  });
});
