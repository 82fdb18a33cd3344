/** A page that morphs, translates, nests, frames or listens does not change what the card says. */
import { expect } from '@open-wc/testing';
import { createWorld, until, type World } from '../../support/world.js';
import { printReceipt } from '../../../../widget/browser/receipt.js';
import { timing } from '../../../../widget/timing.js';
import { fetchOf, texts } from './relay-fetch.js';
import { clear, open, stage, stageAwaiting, stageChoosing, type Stage } from './stage.js';

const confirm = (world: World): void =>
  world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'confirm');

/** Replaces every text of the card, as a translator of the browser does. */
function translate(element: HTMLElement): void {
  const texts = document.createTreeWalker(element.shadowRoot!, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) found.push(texts.currentNode as Text);
  for (const text of found.filter(({ data }) => data.trim() !== '')) {
    const font = document.createElement('font');
    font.textContent = `ü${text.data}`;
    text.replaceWith(font);
  }
}

describe('a page around the element', () => {
  afterEach(() => {
    clear();
    document.documentElement.lang = 'en';
  });

  it('cannot take the phase away, nor set it', async () => {
    const world = createWorld();
    const { element, phase } = await stageAwaiting(world, open);
    const both = (): unknown[] => [element.phase, element.getAttribute('phase')];
    for (const rewrite of [
      () => element.removeAttribute('phase'),
      () => element.setAttribute('phase', 'succeeded'),
    ]) {
      rewrite();
      await until(() => element.getAttribute('phase') === 'awaiting_payment', 'the attribute');
      expect(both()).to.deep.equal(['awaiting_payment', 'awaiting_payment']);
    }
    element.removeAttribute('outcome');
    await until(() => element.getAttribute('outcome') === 'pending', 'the outcome');
    confirm(world);
    await phase('succeeded');
  });

  it('gets the default of each attribute that it removes', async () => {
    const set = { display: 'modal', 'open-in': 'popup', theme: 'dark' };
    const { element } = await stageChoosing(createWorld(), { ...open, ...set });
    for (const name of Object.keys(set)) element.removeAttribute(name);
    const { display, openIn, theme } = element;
    expect([display, openIn, theme]).to.deep.equal(['inline', 'auto', 'auto']);
  });

  it('may remove the attribute of the phase each time without an endless loop', async () => {
    const { element } = await stageAwaiting(createWorld(), open);
    const observer = new MutationObserver(() => element.removeAttribute('phase'));
    observer.observe(element, { attributes: true, attributeFilter: ['phase'] });
    element.removeAttribute('phase');
    await new Promise((resolve) => setTimeout(resolve, 50));
    observer.disconnect();
    expect(element.phase).to.equal('awaiting_payment');
  });

  it('gives its language to an element in the shadow root of another component', async () => {
    document.documentElement.lang = ' de\n';
    const other = document.createElement('div');
    const root = other.attachShadow({ mode: 'open' });
    document.body.append(other);
    const { element, text } = stage(createWorld(), open);
    root.append(element);
    await until(() => text().includes('Wie möchten Sie bezahlen'), 'German');
    document.documentElement.lang = 'fr';
    await until(() => text().includes('Comment souhaitez-vous payer'), 'French');
    element.remove();
    other.remove();
  });

  it('gives its language to an element that moves, also when the attribute is empty', async () => {
    document.documentElement.lang = 'de';
    const french = document.createElement('div');
    french.lang = 'fr';
    document.body.append(french);
    const { element, text } = await stageChoosing(createWorld(), { ...open, locale: '' });
    await until(() => text().includes('Wie möchten Sie bezahlen'), 'German');
    french.append(element);
    await until(() => text().includes('Comment souhaitez-vous payer'), 'French');
    const root = french.attachShadow({ mode: 'open' });
    root.append(element);
    french.lang = 'de';
    await until(() => text().includes('Wie möchten Sie bezahlen'), 'German again');
    french.remove();
  });

  it('changes the language of texts and amounts together', async () => {
    document.documentElement.lang = 'de';
    const { element, text } = await stageChoosing(createWorld(), open);
    await until(() => text().includes('12,50'), 'German amounts');
    document.documentElement.lang = 'en';
    await until(() => text().includes('12.50'), 'English amounts');
    expect(text()).to.include('How would you like to pay?');
    expect(element.shadowRoot?.querySelector('.base')?.getAttribute('lang')).to.equal('en');
  });

  it('shows no word while the texts of its language are on their way', async () => {
    const world = createWorld();
    const { element, phase } = stage(world, { ...open, locale: 'sw' });
    element.fetch = (url, init) =>
      url.includes('/locales/') ? new Promise(() => {}) : fetchOf(world)(url, init);
    await phase('choosing');
    await element.updateComplete;
    const card = element.shadowRoot?.querySelector<HTMLElement>('.base > [lang]');
    expect(card?.innerText.trim()).to.equal('');
  });

  describe('without its texts', () => {
    /** An element whose requests for texts fail until they may pass. */
    const stageCut = (locale: string): Stage & { pass(): void } => {
      const staged = stage(world, { ...open, locale });
      const answer = fetchOf(world);
      let isCut = true;
      staged.element.fetch = (url, init) =>
        isCut && url.includes('/locales/') ? Promise.reject(new Error('cut')) : answer(url, init);
      return { ...staged, pass: () => (isCut = false) };
    };
    let world: World;
    beforeEach(() => (world = createWorld()));

    it('says so in English, tells the page, and asks again with a button', async () => {
      const { click, element, events, pass, phase, text } = stageCut('ru');
      await phase('choosing');
      await until(() => text().includes('No connection'), 'the problem');
      expect(element.shadowRoot?.querySelector('.base')?.getAttribute('lang')).to.equal('en');
      expect(text()).not.to.include('12.50');
      await until(() => events.includes('pay-problem'), 'the event');
      expect(element.problem?.code).to.equal('relay_unreachable');
      pass();
      click('[data-action="retry"]');
      await until(() => text().includes('Как вы хотите'), 'Russian');
      expect(text()).to.include('12,50');
      expect(element.problem).to.equal(null);
    });

    it('shows and speaks no names of texts, and asks again by itself', async () => {
      const { element, pass, phase, text } = stageCut('uk');
      await phase('choosing');
      await until(() => text().includes('No connection'), 'the problem');
      dispatchEvent(new Event('offline'));
      await element.updateComplete;
      expect(element.shadowRoot?.querySelector('.note')).to.equal(null);
      expect(element.shadowRoot?.querySelector('[data-spoken]')?.textContent).to.equal('');
      pass();
      await until(() => text().includes('12,50'), 'Ukrainian');
    });

    it('says so while they hang, and shows them when they come', async () => {
      const { after } = timing;
      timing.after = (ms, run) => after(ms === 10_000 ? 0 : ms, run);
      const { element, text } = stage(world, { ...open, locale: 'bg' });
      let arrive = (_: Response): void => {};
      const late = new Promise<Response>((resolve) => (arrive = resolve));
      const answer = fetchOf(world);
      element.fetch = (url, init) => (url.includes('/locales/') ? late : answer(url, init));
      await until(() => text().includes('No connection'), 'the problem');
      arrive(await texts('/locales/bg.json'));
      await until(() => text().includes('12,50'), 'Bulgarian');
    });
  });

  it('prints the receipt of an element in the shadow root of another component', async () => {
    const other = document.createElement('div');
    const root = other.attachShadow({ mode: 'open' });
    const around = document.createElement('section');
    const beside = document.createElement('p');
    beside.textContent = 'Another part of the component';
    root.append(around, beside);
    document.body.append(other);
    const world = createWorld();
    const { element, phase, click } = stage(world, open);
    around.append(element);
    await phase('choosing');
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    confirm(world);
    await phase('succeeded');
    const print = window.print;
    window.print = () => {};
    printReceipt(element.shadowRoot!.querySelector('[data-action="receipt"]')!);
    window.print = print;
    // the rules for printing, as rules for the screen
    const sheets = [document, root].map(({ adoptedStyleSheets }) => adoptedStyleSheets.at(-1));
    for (const sheet of sheets)
      for (const rule of sheet?.cssRules ?? [])
        if (rule instanceof CSSMediaRule) rule.media.mediaText = 'all';
    const isSeen = (node: Element): boolean => node.getClientRects().length > 0;
    expect(isSeen(element.shadowRoot!.querySelector('.base')!), 'the receipt').to.equal(true);
    expect(isSeen(beside), 'the rest').to.equal(false);
    dispatchEvent(new Event('afterprint'));
    expect(isSeen(beside), 'after printing').to.equal(true);
    expect(document.querySelectorAll('[data-pay-receipt]').length).to.equal(0);
    other.remove();
  });

  it('is told that the order is paid when a translator has replaced every text', async () => {
    const world = createWorld();
    const { element, part, phase } = await stageAwaiting(world, open);
    translate(element);
    confirm(world);
    await phase('succeeded');
    expect(part('status')?.textContent?.trim()).to.match(/^Paid \$12\.50$/);
  });

  it('is warned not to pay again when a translator has replaced every text', async () => {
    const world = createWorld();
    const { element, part } = await stageAwaiting(world, { ...open, option: 'card' });
    translate(element);
    const link = part('link')!;
    link.addEventListener('click', (event) => event.preventDefault());
    link.click();
    await element.updateComplete;
    const hint = element.shadowRoot!.querySelector('.hint');
    expect(hint?.textContent).to.include('do not pay again');
  });

  it('is told that it is offline when a translator has replaced a warning', async () => {
    const { click, element, phase } = await stageAwaiting(createWorld(), open);
    click('[data-action="choose-again"]');
    await phase('choosing');
    await element.updateComplete;
    translate(element);
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
    try {
      dispatchEvent(new Event('offline'));
      await element.updateComplete;
      const note = element.shadowRoot!.querySelector('.note')?.textContent ?? '';
      expect(note).to.match(/^You are offline.*Your earlier order can still be paid/s);
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('counts the time down when a translator has replaced the clock', async () => {
    const config = { options: [{ ...qr, expires_after_s: 600 }] };
    const { element } = await stageAwaiting(createWorld({ config }), open);
    const clock = (): HTMLElement => element.shadowRoot!.querySelector('.countdown')!;
    const font = document.createElement('font');
    font.textContent = 'translated';
    clock().replaceChildren(font);
    await until(() => /^\d\d:\d\d$/.test(clock().textContent ?? ''), 'the next second');
  });

  it('pays on a press when the frame blocks the submission of forms', async () => {
    const { element, phase } = await stageChoosing(createWorld(), open);
    // what a sandboxed frame without allow-forms does
    element.shadowRoot!.addEventListener('submit', (event) => event.stopPropagation(), true);
    element.shadowRoot!.querySelector<HTMLElement>('[data-action="pay"]')?.click();
    await phase('awaiting_payment');
  });

  it('does not hear letters that the customer types into a field', async () => {
    const heard: string[] = [];
    const hear = ({ key }: KeyboardEvent): void => void heard.push(key);
    addEventListener('keydown', hear);
    const { element } = await stageChoosing(createWorld(), { ...open, option: 'asks' });
    const field = element.shadowRoot!.querySelector('[name="phone"]')!;
    const radio = element.shadowRoot!.querySelector('[type="radio"]')!;
    for (const [target, key] of [
      [field, 'k'],
      [field, 'Enter'],
      [field, 'Escape'],
      [field, 'Tab'],
      [radio, 'j'],
    ] as const)
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
    removeEventListener('keydown', hear);
    expect(heard).to.deep.equal(['Escape', 'Tab', 'j']);
  });

  it('sends one request when it changes an attribute 280 times', async () => {
    const world = createWorld();
    const { element, phase, text } = await stageChoosing(world, open);
    let requests = 0;
    element.fetch = (url, init) => {
      requests++;
      return fetchOf(world)(url, init);
    };
    for (let step = 1; step <= 280; step++) {
      element.setAttribute('amount', String(20 + step));
      await element.updateComplete;
      expect(element.phase, 'the former amount cannot be paid').to.equal('loading');
    }
    await phase('choosing');
    expect([requests, text().includes('300.00')]).to.deep.equal([1, true]);
  });
});

const qr = {
  id: 'qr',
  label: 'QR',
  payment_method: 'direct',
  payment_type: 'qrcode',
  payment_channel: 'sbp_qr',
} as const;
