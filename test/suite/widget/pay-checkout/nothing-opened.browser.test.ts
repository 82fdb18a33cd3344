/** In the browser of another app a link may open nothing: the customer gets the next road. */
import { expect } from '@open-wc/testing';
import { states, type ShownState } from '../../../../demo/element-states.js';
import { checkoutAnswer, sampleOrder } from '../../../../demo/sample-answers.js';
import type { PayOpenEvent } from '../../../../widget/events.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { timing } from '../../../../widget/timing.js';
import { clear, holdTouchDevice, stageState } from './stage.js';

const CODE_LINK = states['on a phone, the code opens the app']!;
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

/** Apps that drop links in silence: what each puts into the page, or how it names itself. */
const HOSTS: Readonly<Record<string, { object?: string; agent?: string }>> = {
  Telegram: { object: 'TelegramWebviewProxy' },
  'React Native': { object: 'ReactNativeWebView' },
  'an iOS app': { object: 'webkit' },
  'an app without windows': { object: 'open' },
  'an Android app': { agent: 'Linux; Android 16; Pixel 9; wv' },
  Instagram: { agent: 'Instagram 410.0' },
  Facebook: { agent: 'FBAN/FBIOS' },
  WeChat: { agent: 'MicroMessenger/8.0' },
  Line: { agent: 'Line/15.0' },
  'a browser': {},
};
const SCHEME: ShownState = {
  ...WALLET,
  answer: (now) => {
    const next_action = { kind: 'open_wallet', wallet_url: 'sberpay://pay/1' } as const;
    return checkoutAnswer({}, sampleOrder(now, { next_action }));
  },
};

describe('in each app that drops links', () => {
  const { after } = timing;
  const { open } = window;
  const hasFocus = Document.prototype.hasFocus;
  let passTime = (): void => {};
  beforeEach(() => {
    holdTouchDevice({ width: 390, height: 844 });
    timing.after = (ms, run) => {
      if (ms === 1500) passTime = run;
      return ms === 1500 ? () => {} : after(ms, run);
    };
    Document.prototype.hasFocus = () => true;
  });
  afterEach(() => {
    Document.prototype.hasFocus = hasFocus;
    for (const name of ['TelegramWebviewProxy', 'ReactNativeWebView', 'webkit'])
      Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(navigator, 'userAgent');
    window.open = open;
    clear();
  });

  for (const [host, { agent, object }] of Object.entries(HOSTS))
    for (const [link, state] of [
      ['a code', CODE_LINK],
      ['a wallet’s page', WALLET],
      ['a wallet’s scheme', SCHEME],
    ] as const)
      it(`${link} in ${host} is at most two taps from the next road`, async () => {
        if (object === 'open') Reflect.set(window, 'open', undefined);
        else if (object) Reflect.set(window, object, { messageHandlers: {} });
        const userAgent = `Mozilla/5.0 (${agent ?? 'iPhone'}) Mobile`;
        if (agent)
          Object.defineProperty(navigator, 'userAgent', { configurable: true, value: userAgent });
        const element = await stageState(state);
        const openings: string[] = [];
        element.addEventListener('pay-open', ({ kind }) => openings.push(kind));
        element.addEventListener('click', (event) => event.preventDefault());
        find(element, '[part="link"]')!.click();
        passTime();
        await element.updateComplete;
        expect(openings.length).to.equal(1);
        const copy = find(element, '.primary')!;
        expect(copy.getAttribute('part')).to.equal('copy');
        const [browser] = [...element.shadowRoot!.querySelectorAll('a')].filter(
          (each) => each.textContent === 'Open in your browser',
        );
        expect(browser?.closest('details')?.className).to.include('more');
        browser?.click();
        expect(openings).to.deep.equal([openings[0], 'browser']);
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

  it('is absent when the browser does not know it, or the code may not be opened', async () => {
    DOMTokenList.prototype.supports = () => false;
    await stageState(CODE_LINK);
    expect(named()).to.deep.equal([]);
    known();
    await stageState(states['the payee is known']!);
    expect(named()).to.deep.equal([]);
  });
});
