/** In the browser of another app a link may open nothing: the customer gets the next road. */
import { expect } from '@open-wc/testing';
import { states } from '../../../../demo/element-states.js';
import { checkoutAnswer, instant, sampleOrder } from '../../../../demo/sample-answers.js';
import type { PayOpenEvent } from '../../../../widget/events.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { timing } from '../../../../widget/timing.js';
import { openedLink } from '../../../../widget/browser/storage.js';
import { createWorld, until } from '../../support/world.js';
import { clear, holdTouchDevice, open, stageChoosing, stageState } from './stage.js';

const CODE_LINK = states['on a phone, the code opens the app']!;
const CODE = {
  next_action: { kind: 'scan_qr', qrcode_string: 'https://qr.nspk.ru/AS10003P' },
  code_opens: true,
} as const;
const WALLET = states['awaiting open_wallet']!;

const find = (element: PayCheckout, selector: string): HTMLElement | null =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);

/** The actions outside a folded list. */
const inSight = (element: PayCheckout): (string | undefined)[] =>
  [...element.shadowRoot!.querySelectorAll('.actions :is(button, a, summary)')]
    .filter((action) => !action.closest('details > :not(summary), dialog'))
    .map((action) => action.textContent?.trim());

describe('a link that opens nothing', () => {
  const { after, nowMs } = timing;
  let now = 0;
  const hasFocus = Document.prototype.hasFocus;
  let passTime = (): void => {};
  let waitMs = 0;
  let focused = true;
  let hidden = false;

  beforeEach(() => {
    holdTouchDevice({ width: 390, height: 844 });
    focused = true;
    hidden = false;
    passTime = () => {};
    now = 0;
    timing.nowMs = () => now;
    timing.after = (ms, run) => {
      if (ms !== 1500 && ms !== 6000) return after(ms, run);
      waitMs = ms;
      let isWatching = true;
      passTime = () => {
        const isDue = isWatching;
        isWatching = false;
        if (isDue) run();
      };
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
    timing.nowMs = nowMs;
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
    it(`offers to copy ${name}, to scan it elsewhere, to leave the app, and more`, async () => {
      const element = await stageState(state);
      await tap(element);
      expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
      await pass(element);
      expect(find(element, '.primary')?.textContent).to.equal('Copy code');
      expect(find(element, '.hint')?.textContent).to.include('Did nothing open?');
      expect(inSight(element)).to.deep.equal([
        'Copy code',
        'Scan with another phone',
        'Open in your browser',
        'Other ways to pay',
        name === 'a code' ? 'Open in your banking app' : 'Open the wallet',
        'I’ve paid',
        'More',
      ]);
      expect(element.shadowRoot!.querySelectorAll('.primary').length).to.equal(1);
      const browser = find(element, 'a[target="_blank"]') as HTMLAnchorElement;
      expect(browser.target).to.equal('_blank');
      expect(browser.href).to.include('/r#');
    });

  it('offers the next road beside a code on a tablet', async () => {
    holdTouchDevice({ width: 820, height: 1180 });
    const element = await stageState(CODE_LINK);
    await tap(element);
    await pass(element);
    expect(find(element, '.hint')?.textContent).to.include('Did nothing open?');
    expect(inSight(element).slice(0, 3)).to.deep.equal([
      'Copy code',
      'Open in your browser',
      'Other ways to pay',
    ]);
  });

  for (const [openIn, ms] of [
    ['new-tab', 1500],
    // a slow network may take some seconds for the first byte of a page
    ['same-tab', 6000],
  ] as const)
    it(`offers the roads of a payment page that did not open in the ${openIn}`, async () => {
      const element = await stageState(states['awaiting open_page']!, { 'open-in': openIn });
      await tap(element);
      expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
      expect(waitMs).to.equal(ms);
      await pass(element);
      expect(find(element, '.hint')?.textContent).to.include('did not open the payment page');
      expect(inSight(element)).to.deep.equal([
        'Continue to the payment page',
        'Copy a link for another device',
        'Scan with another phone',
        'Open in your browser',
        'Other ways to pay',
        'I’ve paid',
        'More',
      ]);
    });

  for (const [name, state] of [
    ['a code', CODE_LINK],
    ['a wallet', WALLET],
  ] as const)
    it(`is known soon when the link of ${name} opens in the same tab`, async () => {
      const element = await stageState(state, { 'open-in': 'same-tab' });
      await tap(element);
      expect(waitMs).to.equal(1500);
    });

  it('is known soon when the app around the page should have opened a page', async () => {
    const element = await stageState(states['awaiting open_page']!, { 'open-in': 'same-tab' });
    element.addEventListener('pay-open', (event) => event.preventDefault());
    await tap(element);
    expect(waitMs).to.equal(1500);
  });

  for (const [state, sentence] of [
    [WALLET, 'Did nothing open?'],
    [states['awaiting open_page']!, 'did not open the payment page'],
  ] as const)
    it(`is told to a screen reader: “${sentence}”`, async () => {
      const element = await stageState(state, { 'open-in': 'new-tab' });
      await tap(element);
      await pass(element);
      await until(
        () => find(element, '[data-spoken]')?.textContent.includes(sentence) === true,
        'the spoken sentence',
      );
    });

  it('is told to a screen reader once, whatever comes back to the page', async () => {
    const element = await stageState(WALLET);
    await tap(element);
    await pass(element);
    const text = (): string => find(element, '[data-spoken]')?.textContent ?? '';
    await until(() => text() !== '', 'the spoken sentence');
    dispatchEvent(new Event('focus'));
    await pass(element);
    expect(text()).not.to.equal('');
  });

  it('is not told to a screen reader where the code on screen is the next road', async () => {
    holdTouchDevice({ width: 1200, height: 900 });
    const element = await stageState(WALLET);
    const spoken: number[] = [];
    const { after: wait } = timing;
    timing.after = (ms, run) => {
      spoken.push(ms);
      return wait(ms, run);
    };
    await tap(element);
    await pass(element);
    expect(element.shadowRoot!.textContent).not.to.include('Did nothing open?');
    expect(find(element, '.primary')?.textContent).to.equal('Copy code');
    expect(spoken).not.to.include(100);
  });

  for (const key of ['ctrlKey', 'metaKey', 'shiftKey'])
    it(`offers nothing after a click with ${key}, which opens a tab behind the page`, async () => {
      const element = await stageState(states['awaiting open_page']!, { 'open-in': 'new-tab' });
      const link = find(element, '[part="link"]')!;
      link.addEventListener('click', (event) => event.preventDefault(), { once: true });
      link.dispatchEvent(new MouseEvent('click', { [key]: true, cancelable: true }));
      await pass(element);
      expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
    });

  it('waits anew after a question that took the focus, and was answered soon', async () => {
    const element = await stageState(CODE_LINK);
    await tap(element);
    focused = false;
    await pass(element);
    focused = true;
    now += 1000;
    dispatchEvent(new Event('focus'));
    expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
    await pass(element);
    expect(find(element, '.primary')?.textContent).to.equal('Copy code');
  });

  it('waits anew when the page had lost the focus for a moment', async () => {
    const element = await stageState(CODE_LINK);
    await tap(element);
    const first = passTime;
    dispatchEvent(new Event('focus'));
    first();
    await element.updateComplete;
    expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
    await pass(element);
    expect(find(element, '.primary')?.textContent).to.equal('Copy code');
  });

  it('offers nothing to a customer who comes back later from an app beside the page', async () => {
    const element = await stageState(CODE_LINK);
    await tap(element);
    focused = false;
    await pass(element);
    focused = true;
    now += 20_000;
    dispatchEvent(new Event('focus'));
    await pass(element);
    expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
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

  for (const [seconds, isBack] of [
    [59, true],
    [61, false],
  ] as const)
    it(`${isBack ? 'takes' : 'does not take'} the offer back after ${seconds} s`, async () => {
      const element = await stageState(CODE_LINK);
      await tap(element);
      await pass(element);
      now += seconds * 1000;
      hidden = true;
      dispatchEvent(new Event('visibilitychange'));
      await element.updateComplete;
      expect(find(element, '.primary')?.dataset.action === 'check-now').to.equal(isBack);
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

describe('a payment page for which the element leaves after Pay', () => {
  const { after } = timing;
  afterEach(() => {
    timing.after = after;
    clear();
  });

  it('is opened by the app around the page when it cancels pay-open', async () => {
    const world = createWorld();
    const { click, element, phase } = await stageChoosing(world, {
      ...open,
      option: 'card',
      'open-in': 'same-tab',
    });
    const seen: string[] = [];
    for (const type of ['pay-redirect', 'pay-open'] as const)
      element.addEventListener(type, (event) => {
        seen.push(`${type} ${new URL(event.url).protocol}`);
        if (type === 'pay-open') event.preventDefault();
      });
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    await until(() => find(element, '.primary')?.dataset.action === 'check-now', 'the opened link');
    expect(seen).to.deep.equal(['pay-redirect https:', 'pay-open https:']);
    expect(find(element, 'h2')?.textContent).to.include('Waiting for your payment');
    expect(openedLink(element.order!.request_id).read()).to.equal(true);
  });

  it('asks a customer who came back whether it is paid, before it is opened again', async () => {
    const { click, element, phase, text } = await stageChoosing(createWorld(), {
      ...open,
      option: 'card',
      'open-in': 'same-tab',
    });
    // the page of the test stays, as in the cache of the browser
    element.addEventListener('pay-open', () => queueMicrotask(() => stop()));
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    await until(() => openedLink(element.order!.request_id).read(), 'the payment page');
    await until(() => text().includes('Taking you to your bank'), 'leaving');
    dispatchEvent(new Event('pageshow'));
    await element.updateComplete;
    expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
    expect(text()).to.include('Your payment may be under way');
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
