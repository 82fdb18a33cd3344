/** The sheet of an option's wallets: on a phone, the customer opens the order's link by one. */
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { states, type ShownState } from '../../../../demo/element-states.js';
import {
  checkoutAnswer,
  MANY_OPTIONS,
  OPTIONS,
  sampleOrder,
} from '../../../../demo/sample-answers.js';
import type { NextAction } from '../../../../relay/contract/order.js';
import type { Wallet } from '../../../../relay/contract/responses.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { timing } from '../../../../widget/timing.js';
import { until } from '../../support/world.js';
import { clear, holdTouchDevice, stageState } from './stage.js';

const LINK = 'https://qr.nspk.ru/AS10003P?type=02';
const BANKS: Wallet[] = [
  { name: 'Birch Bank', scheme: 'birch', https: 'https://birch.example/sbp' },
  { name: 'Crédit Polaire', scheme: 'polaire' },
  { name: 'Банк Осина', https: 'https://osina.example' },
];
const MANY = Array.from({ length: 200 }, (_, index) => ({ ...BANKS[0], name: `Bank ${index}` }));

/** A code with a link, and an option with these wallets. */
const withWallets = (
  wallets: readonly object[] | null,
  next_action: NextAction = { kind: 'scan_qr', qrcode_string: LINK },
  offered = OPTIONS,
): ShownState => ({
  phase: 'awaiting_payment',
  answer: (now) => {
    const options = offered.map((option) => ({ ...option, wallets: true }));
    const option = options[0]?.id ?? '';
    const order = sampleOrder(now, { next_action, option, code_opens: true });
    return checkoutAnswer({ options, link_schemes: ['birch', 'polaire', 'ms-pay'] }, order);
  },
  wallets: () => (wallets === null ? 'cut' : { status: 200, body: { wallets } }),
});

let files = 0;
/** @param relay another address has another list of wallets, which a page loads once */
async function staged(state: ShownState, attributes: Record<string, string> = {}) {
  const relay = `https://relay.example/${++files}`;
  return stageState(
    {
      ...state,
      wallets: () => {
        asked++;
        return state.wallets!();
      },
    },
    { relay, ...attributes },
  );
}
let asked = 0;

const find = <T extends HTMLElement = HTMLElement>(element: PayCheckout, selector: string): T =>
  element.shadowRoot!.querySelector<T>(selector)!;
const sheet = (element: PayCheckout): HTMLDialogElement | null =>
  element.shadowRoot!.querySelector<HTMLDialogElement>('.sheet');
const rows = (element: PayCheckout): HTMLAnchorElement[] => [
  ...element.shadowRoot!.querySelectorAll<HTMLAnchorElement>('.sheet a'),
];
const names = (element: PayCheckout): (string | undefined)[] =>
  rows(element).map((row) => row.querySelector('bdi')?.textContent ?? undefined);

/** Opens the sheet, and waits until its list has loaded, or cannot be loaded. */
async function open(element: PayCheckout): Promise<void> {
  find(element, '[data-action="wallets"]').click();
  const isFailed = (): boolean => /connection/.test(find(element, '.sheet .hint')?.innerText);
  await until(() => find(element, '.sheet input') !== null || isFailed(), 'the list');
}
async function search(element: PayCheckout, text: string): Promise<void> {
  const field = find<HTMLInputElement>(element, '.sheet input');
  field.value = text;
  field.dispatchEvent(new Event('input'));
  await element.updateComplete;
}
/** Taps a row; the page of the test stays where it is. */
async function tap(element: PayCheckout, index: number): Promise<void> {
  const row = rows(element)[index]!;
  row.addEventListener('click', (event) => event.preventDefault(), { once: true });
  row.click();
  await element.updateComplete;
}
const eventsOf = (element: PayCheckout): string[] => {
  const events: string[] = [];
  for (const type of ['pay-redirect', 'pay-open', 'pay-order'] as const)
    element.addEventListener(type, (event) =>
      events.push(`${type} ${'url' in event ? event.url : ''}`),
    );
  return events;
};

describe('the sheet of wallets', () => {
  beforeEach(() => {
    asked = 0;
    holdTouchDevice({ width: 390, height: 844 });
  });
  afterEach(clear);

  it('is opened by the primary action of a phone, and loads its list only then', async () => {
    const element = await staged(withWallets(BANKS));
    const primary = find(element, '.primary');
    expect(primary.textContent).to.equal('Open in your banking app');
    expect([asked, sheet(element)!.open]).to.deep.equal([0, false]);
    await open(element);
    expect([asked, sheet(element)!.matches(':modal')]).to.deep.equal([1, true]);
    expect(names(element)).to.deep.equal([...BANKS.map(({ name }) => name), 'Another app']);
    expect(rows(element).map(({ href }) => href)).to.deep.equal([
      'birch://qr.nspk.ru/AS10003P?type=02',
      'polaire://qr.nspk.ru/AS10003P?type=02',
      'https://osina.example/AS10003P?type=02',
      LINK,
    ]);
    sheet(element)!.close();
    await open(element);
    expect(asked, 'the list is loaded once').to.equal(1);
  });

  it('has a name, a list, and the focus itself, so that no keyboard covers it', async () => {
    const element = await staged(withWallets(BANKS));
    await open(element);
    expect(sheet(element)!.getAttribute('aria-label')).to.equal('Open in your banking app');
    expect(element.shadowRoot!.activeElement).to.equal(sheet(element));
    expect(find(element, '.sheet ul').children.length).to.equal(3);
    await expect(element).to.be.accessible();
  });

  it('finds a bank without its accents and case, and says how many it found', async () => {
    const element = await staged(withWallets(BANKS));
    await open(element);
    const status = (): string | undefined => find(element, '.sheet [role="status"]').textContent;
    expect(status()).to.equal('Found: 3');
    await search(element, 'credit POL');
    expect(names(element)).to.deep.equal(['Crédit Polaire', 'Another app']);
    expect(status()).to.equal('Found: 1');
    await search(element, 'банк');
    expect(names(element)).to.deep.equal(['Банк Осина', 'Another app']);
    await search(element, 'zzz');
    expect(names(element)).to.deep.equal(['Another app']);
    expect(status()).to.equal('Nothing found. Try another word.');
    sheet(element)!.close();
    await open(element);
    expect(names(element).length, 'opens with the whole list').to.equal(4);
  });

  it('leaves every way to pay in the list after a search', async () => {
    const element = await staged(withWallets(BANKS, undefined, MANY_OPTIONS));
    await open(element);
    await search(element, 'polaire');
    sheet(element)!.close();
    find(element, '[data-action="choose-again"]').click();
    await until(() => find(element, '[part~="options"]') !== null, 'the options');
    const { length } = element.shadowRoot!.querySelectorAll('[part~="option"]');
    expect(length).to.equal(MANY_OPTIONS.length);
  });

  it('shows the wallet first that was opened last, also after a reload', async () => {
    const element = await staged(withWallets(BANKS));
    await open(element);
    await tap(element, 2);
    for (const shown of [element, await staged(withWallets(BANKS))]) {
      await open(shown);
      expect(names(shown)).to.deep.equal([
        'Банк Осина',
        'Birch Bank',
        'Crédit Polaire',
        'Another app',
      ]);
    }
  });

  it('works by the keyboard: Tab, Enter and Escape', async () => {
    const element = await staged(withWallets(BANKS));
    const events = eventsOf(element);
    find(element, '[data-action="wallets"]').focus();
    await sendKeys({ press: 'Enter' });
    await until(() => rows(element).length === 4, 'the list');
    await sendKeys({ press: 'Escape' });
    expect(sheet(element)!.open).to.equal(false);
    expect(element.shadowRoot!.activeElement).to.equal(find(element, '[data-action="wallets"]'));
    await sendKeys({ press: 'Enter' });
    await until(() => rows(element).length === 4 && sheet(element)!.open, 'the list');
    // the button that closes, the field, and the first bank
    for (let press = 0; press < 3; press++) await sendKeys({ press: 'Tab' });
    const [first] = rows(element);
    expect(element.shadowRoot!.activeElement).to.equal(first);
    first!.addEventListener('click', (event) => event.preventDefault());
    await sendKeys({ press: 'Enter' });
    expect(events.length).to.equal(2);
    expect(sheet(element)!.open).to.equal(false);
  });

  it('opens a wallet once by a double tap, and closes', async () => {
    const element = await staged(withWallets(BANKS));
    const events = eventsOf(element);
    await open(element);
    const [first] = rows(element);
    const prevented: boolean[] = [];
    element.addEventListener('click', (event) => {
      prevented.push(event.defaultPrevented);
      event.preventDefault();
    });
    for (const detail of [1, 2])
      first!.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, detail }),
      );
    await element.updateComplete;
    const url = 'birch://qr.nspk.ru/AS10003P?type=02';
    expect(events).to.deep.equal([`pay-redirect ${url}`, `pay-open ${url}`]);
    expect(prevented).to.deep.equal([false, true]);
    expect(sheet(element)!.open).to.equal(false);
    expect(find(element, '.primary').dataset.action).to.equal('check-now');
    expect(find(element, '[data-action="wallets"]').className).to.equal('quiet');
  });

  it('opens nothing when the shop cancels the opening', async () => {
    const element = await staged(withWallets(BANKS));
    element.addEventListener('pay-redirect', (event) => event.preventDefault());
    await open(element);
    let isPrevented = false;
    element.addEventListener('click', (event) => (isPrevented = event.defaultPrevented));
    rows(element)[0]!.click();
    await element.updateComplete;
    expect([isPrevented, sheet(element)!.open]).to.deep.equal([true, false]);
    expect(find(element, '.primary').dataset.action).to.equal('wallets');
  });

  it('leaves out a wallet whose scheme the element never opens', async () => {
    const wallets = [...BANKS, { name: 'Settings', scheme: 'ms-pay' }, { name: 'No way' }];
    const element = await staged(withWallets(wallets));
    await open(element);
    expect(names(element).length).to.equal(4);
    expect(find(element, '.sheet [role="status"]').textContent).to.equal('Found: 3');
  });

  it('searches nothing where the device opens no wallet of the list', async () => {
    const wallets = Array.from({ length: 9 }, () => ({ name: 'Birch', android_package: 'a.b' }));
    const element = await staged(withWallets(wallets));
    find(element, '[data-action="wallets"]').click();
    await until(() => find(element, '.sheet [role="status"]') === null, 'the list');
    expect(find(element, '.sheet input')).to.equal(null);
    expect(names(element)).to.deep.equal(['Another app']);
  });

  for (const [what, wallets] of [
    ['cannot be loaded', null],
    ['is not what the contract says', [{ name: 1 }]],
  ] as const)
    it(`offers another app when its list ${what}, and asks again when opened again`, async () => {
      const element = await staged(withWallets(wallets));
      await open(element);
      expect(names(element)).to.deep.equal(['Another app']);
      expect(find(element, '.sheet .hint').textContent).to.include('Check your connection');
      sheet(element)!.close();
      await open(element);
      // each time once more, past a cache that may keep a wrong list
      await until(() => asked === 4, 'the second request');
    });

  it('shows a letter where a bank has no picture, or one of a foreign host', async () => {
    const pictures = ['https://relay.example/b.svg', 'https://stranger.example/b.svg'];
    const wallets = pictures.map((icon_url, index) => ({ ...BANKS[index], icon_url }));
    const element = await staged(withWallets([...wallets, BANKS[2]!]));
    await open(element);
    const marks = rows(element).map((row) => row.querySelector('.mark')!);
    expect(marks.map((mark) => mark.textContent)).to.deep.equal(['B', 'C', 'Б', '…']);
    expect(marks.map((mark) => mark.querySelector('img')?.src)).to.deep.equal([
      pictures[0],
      undefined,
      undefined,
      undefined,
    ]);
    expect(marks[0]!.querySelector('img')?.loading).to.equal('lazy');
  });

  for (const locale of ['en', 'ar'])
    it(`fits 200 banks into a window of 240 px in ${locale}`, async () => {
      const frame = document.createElement('div');
      frame.style.width = '240px';
      document.body.append(frame);
      const element = await staged(withWallets(MANY), { locale });
      frame.append(element);
      await element.updateComplete;
      await open(element);
      expect(names(element).length).to.equal(201);
      const dialog = sheet(element)!;
      dialog.style.inlineSize = '240px';
      expect(dialog.scrollWidth).to.equal(dialog.clientWidth);
      expect(dialog.scrollHeight).to.equal(dialog.clientHeight);
      expect(dialog.offsetHeight).to.be.at.most(innerHeight);
      const list = find(element, '.sheet ul');
      expect(list.scrollHeight).to.be.above(list.clientHeight);
      const { height } = dialog.getBoundingClientRect();
      const [other] = [...element.shadowRoot!.querySelectorAll('.sheet a')].slice(-1);
      const { bottom } = other!.getBoundingClientRect();
      expect(bottom, 'another app is in sight').to.be.at.most(
        dialog.getBoundingClientRect().bottom,
      );
      await search(element, 'Bank 199');
      expect(names(element).length).to.equal(2);
      expect(dialog.getBoundingClientRect().height, 'stays above the keyboard').to.equal(height);
      frame.remove();
    });

  for (const [where, { agent = '', object = '' }, start] of [
    ['names the app of a wallet to the browser', {}, 'intent://'],
    [
      'does not name it to an app that talks with its page',
      { object: 'androidBridge' },
      'birch://',
    ],
    ['does not name it to an app that names itself', { agent: ' Instagram 410.0' }, 'birch://'],
  ] as const satisfies [string, { agent?: string; object?: string }, string][])
    it(where, async () => {
      const value = `Mozilla/5.0 (Linux; Android 16) Mobile${agent}`;
      Object.defineProperty(navigator, 'userAgent', { configurable: true, value });
      if (object) Reflect.set(window, object, {});
      try {
        const element = await staged(withWallets([{ ...BANKS[0], android_package: 'a.b' }]));
        await open(element);
        expect(rows(element)[0]?.href).to.include(start);
      } finally {
        Reflect.deleteProperty(navigator, 'userAgent');
        Reflect.deleteProperty(window, 'androidBridge');
      }
    });

  it('is accessible in the dark and from right to left', async () => {
    const element = await staged(withWallets(BANKS), { theme: 'dark', locale: 'ar' });
    await open(element);
    await expect(element).to.be.accessible();
    // axe does not measure the words in an empty field
    const { color } = getComputedStyle(find(element, '.sheet input'), '::placeholder');
    const hint = getComputedStyle(find(element, '.field-label, .method')).color;
    expect(color).to.equal(hint);
  });

  it('is there for the link of a wallet too', async () => {
    const action = { kind: 'open_wallet', wallet_url: LINK } as const;
    const element = await staged(withWallets(BANKS, action));
    expect(find(element, '.primary').textContent).to.equal('Open the wallet');
    await open(element);
    expect(rows(element)[0]?.href).to.equal('birch://qr.nspk.ru/AS10003P?type=02');
  });

  it('is absent where the code is no link that may be opened', async () => {
    const action = { kind: 'scan_qr', qrcode_string: 'ftp://qr.nspk.ru/AS1' } as const;
    const element = await staged(withWallets(BANKS, action));
    expect(find(element, '.primary').textContent).to.equal('Copy payment code');
    expect(sheet(element) === null).to.equal(true);
  });

  it('is absent where the option has no wallets', async () => {
    const element = await stageState(states['on a phone, the code opens the app']!);
    expect(find(element, '.primary').getAttribute('part')).to.equal('link');
    expect(sheet(element) === null).to.equal(true);
  });
});

describe('the sheet of wallets on a desktop', () => {
  afterEach(clear);

  it('is absent, because the code is scanned there', async () => {
    const element = await staged(withWallets(BANKS));
    expect(sheet(element) === null).to.equal(true);
    expect(find(element, '[data-action="wallets"]')).to.equal(null);
    expect(find(element, '[part="qr"]')).not.to.equal(null);
  });

  it('is absent beside the link of a wallet too', async () => {
    const action = { kind: 'open_wallet', wallet_url: LINK } as const;
    const element = await staged(withWallets(BANKS, action));
    expect(find<HTMLAnchorElement>(element, '[part="link"]').href).to.equal(LINK);
    expect(sheet(element) === null).to.equal(true);
  });
});

describe('a wallet that opens nothing', () => {
  const { after } = timing;
  const hasFocus = Document.prototype.hasFocus;
  let passTime = (): void => {};
  beforeEach(() => {
    holdTouchDevice({ width: 390, height: 844 });
    Document.prototype.hasFocus = () => true;
    timing.after = (ms, run) => {
      if (ms !== 1500) return after(ms, run);
      passTime = run;
      return () => {};
    };
  });
  afterEach(() => {
    Document.prototype.hasFocus = hasFocus;
    clear();
  });

  it('is followed by the other roads, and then opens by its page', async () => {
    const element = await staged(withWallets(BANKS));
    const events = eventsOf(element);
    await open(element);
    await tap(element, 0);
    passTime();
    await element.updateComplete;
    expect(find(element, '.primary').textContent).to.equal('Open in your banking app');
    expect(find(element, '.secondary > *').textContent).to.equal('Copy code');
    expect(find(element, '.hint').textContent).to.include('Did nothing open?');
    await open(element);
    expect(rows(element).map(({ href }) => href)).to.deep.equal([
      'https://birch.example/sbp/AS10003P?type=02',
      'polaire://qr.nspk.ru/AS10003P?type=02',
      'https://osina.example/AS10003P?type=02',
      LINK,
    ]);
    expect(events.length, 'nothing opened by itself').to.equal(2);
    expect(events.join()).not.to.include('pay-order');
  });
});
