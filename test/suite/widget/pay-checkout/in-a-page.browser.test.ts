/** The element as a form field, as a modal, in other languages and with the shop's own texts. */
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { createWorld, until } from '../../support/world.js';
import { fetchOf } from './relay-fetch.js';
import { clear, open, stage, stageChoosing } from './stage.js';

describe('in a form', () => {
  afterEach(() => {
    clear();
    document.querySelector('form')?.remove();
  });

  it('submits the request_id, and is invalid until paid when it is required', async () => {
    const form = document.createElement('form');
    document.body.append(form);
    const world = createWorld();
    const { click, element, phase } = stage(world, { ...open, name: 'payment', required: '' });
    form.append(element);
    await phase('choosing');
    await until(() => !form.checkValidity(), 'invalid');
    const value = (): FormDataEntryValue | null => new FormData(form).get('payment');
    expect(value()).to.equal(null);
    expect(form.reportValidity()).to.equal(false);
    expect(element.shadowRoot?.activeElement?.matches('h2')).to.equal(true);
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    const [order] = world.sandbox.orders.all();
    await until(() => value() === order!.request_id, 'the value');
    expect(form.checkValidity()).to.equal(false);
    world.sandbox.orders.act(order!, 'decline');
    await phase('failed');
    expect(form.checkValidity()).to.equal(false);
    world.sandbox.orders.act(order!, 'pay_late');
    await phase('succeeded');
    await until(() => form.checkValidity(), 'valid');
    expect(value()).to.equal(order!.request_id);
  });

  it('leaves the form valid when the field is not required', async () => {
    const form = document.createElement('form');
    document.body.append(form);
    const { element, phase } = stage(createWorld(), { ...open, name: 'payment' });
    form.append(element);
    await phase('choosing');
    expect(form.checkValidity()).to.equal(true);
  });

  it('takes “false” as the value of an attribute that is on or off', async () => {
    const asked = { deposit: 'XRP', 'customer-ref-id': 'c' };
    const off = { required: 'false', 'tag-gate': 'false' };
    const { element, part, phase } = stage(createWorld(), { ...asked, ...off });
    await phase('showing_deposit_address');
    await element.updateComplete;
    expect([element.required, element.tagGate]).to.deep.equal([false, false]);
    expect(part('address')).not.to.equal(null);
    for (const name of Object.keys(off)) element.setAttribute(name, '');
    await element.updateComplete;
    expect([element.required, element.tagGate]).to.deep.equal([true, true]);
    expect(part('address')).to.equal(null);
    element.required = false;
    await element.updateComplete;
    expect(element.hasAttribute('required')).to.equal(false);
  });
});

describe('as a modal', () => {
  afterEach(clear);

  it('traps focus and locks scrolling while a modal is open, and returns the focus', async () => {
    const opener = document.createElement('button');
    opener.textContent = 'Pay';
    document.body.append(opener);
    const { element, events } = await stageChoosing(createWorld(), { ...open, display: 'modal' });
    opener.focus();
    element.show();
    expect(getComputedStyle(document.documentElement).overflow).to.equal('hidden');
    for (let presses = 0; presses < 12; presses++) {
      await sendKeys({ press: 'Tab' });
      expect(
        document.activeElement === element || document.activeElement === document.body,
      ).to.equal(true);
      expect(document.activeElement).not.to.equal(opener);
    }
    // Firefox goes on to its toolbar; in a window without focus, the next tests would fail
    for (let presses = 0; !document.hasFocus() && presses < 30; presses++)
      await sendKeys({ press: 'Tab' });
    await sendKeys({ press: 'Escape' });
    await until(() => events.includes('pay-close'), 'closed');
    expect(document.activeElement).to.equal(opener);
    expect(getComputedStyle(document.documentElement).overflow).not.to.equal('hidden');
    element.show();
    element.remove();
    expect(getComputedStyle(document.documentElement).overflow).not.to.equal('hidden');
    opener.remove();
  });

  it('stays open when the page moves it, and does not say that it was closed', async () => {
    const { element, events } = await stageChoosing(createWorld(), { ...open, display: 'modal' });
    element.show();
    const place = document.createElement('div');
    document.body.append(place);
    place.append(element);
    const dialog = element.shadowRoot?.querySelector('dialog');
    await until(() => dialog?.matches(':modal') === true, 'the modal is open again');
    expect(getComputedStyle(document.documentElement).overflow).to.equal('hidden');
    await new Promise(requestAnimationFrame);
    expect(events).not.to.include('pay-close');
    element.close();
    await until(() => events.includes('pay-close'), 'closed');
    expect(getComputedStyle(document.documentElement).overflow).not.to.equal('hidden');
    place.remove();
  });

  it('lets the page scroll again when its display changes while the modal is open', async () => {
    const { element } = await stageChoosing(createWorld(), { ...open, display: 'modal' });
    element.show();
    expect(getComputedStyle(document.documentElement).overflow).to.equal('hidden');
    element.display = 'inline';
    await element.updateComplete;
    expect(getComputedStyle(document.documentElement).overflow).not.to.equal('hidden');
  });

  it('moves the focus from the close button to the title when the first screen comes', async () => {
    const world = createWorld();
    const { element, phase } = stage(world, { ...open, display: 'modal' });
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    element.fetch = async (url, init) => {
      await held;
      return fetchOf(world)(url, init);
    };
    await until(() => element.shadowRoot?.querySelector('dialog') != null, 'the dialog');
    element.show();
    const focused = (): Element | null => element.shadowRoot?.activeElement ?? null;
    await until(() => focused()?.matches('.close') === true, 'the close button has the focus');
    answer();
    await phase('choosing');
    await until(() => focused()?.matches('h2') === true, 'the title has the focus');
    element.close();
  });

  it('opens with its first render when it is told to open before that', async () => {
    const { element } = stage(createWorld(), { ...open, display: 'modal' });
    element.show();
    await element.updateComplete;
    expect(element.shadowRoot?.querySelector('dialog')?.open).to.equal(true);
    element.close();
  });

  it('opens in the page when it was told to open before it came there', async () => {
    const element = document.createElement('pay-checkout');
    element.display = 'modal';
    element.close();
    element.show();
    document.body.append(element);
    await element.updateComplete;
    expect(element.shadowRoot?.querySelector('dialog')?.matches(':modal')).to.equal(true);
    element.close();
  });

  for (const [when, left] of [
    ['at once', () => Promise.resolve()],
    // the checkout of an element that is only moved goes on
    ['later', (isOut: () => boolean) => until(isOut, 'out of the page')],
  ] as const)
    it(`opens when it was told to open out of the page and is put back ${when}`, async () => {
      const { element } = await stageChoosing(createWorld(), { ...open, display: 'modal' });
      const dialog = element.shadowRoot!.querySelector('dialog')!;
      element.remove();
      element.show();
      await left(() => !element.isConnected);
      document.body.append(element);
      await until(() => dialog.matches(':modal'), 'the modal');
      element.close();
      element.remove();
      element.show();
      element.close();
      document.body.append(element);
      await element.updateComplete;
      expect(dialog.open).to.equal(false);
    });

  it('has a bar in the language and the direction of the card', async () => {
    const attributes = { ...open, display: 'modal', locale: 'he' };
    const { element } = await stageChoosing(createWorld(), attributes);
    const bar = element.shadowRoot!.querySelector<HTMLElement>('.bar')!;
    await until(() => getComputedStyle(bar).direction === 'rtl', 'right to left');
    expect(bar.matches(':lang(he)')).to.equal(true);
  });

  it('stays closed when it is closed before its first render', async () => {
    const { element } = stage(createWorld(), { ...open, display: 'modal' });
    element.show();
    element.close();
    await element.updateComplete;
    await until(() => element.phase === 'choosing', 'choosing');
    expect(element.shadowRoot?.querySelector('dialog')?.open).to.equal(false);
  });
});

describe('texts and languages', () => {
  afterEach(() => {
    clear();
    document.documentElement.lang = 'en';
  });

  it('shows the language of its locale or of the page, and no English before that', async () => {
    document.documentElement.lang = 'ru-RU';
    const seen = new Set<string>();
    const { element, phase, text } = stage(createWorld(), open);
    const watch = setInterval(() => seen.add(text().replace(/\s+/g, ' ').trim()), 1);
    await phase('choosing');
    await until(() => text().includes('Как'), 'Russian');
    clearInterval(watch);
    expect([...seen].filter((words) => /How would|Preparing|Pay /.test(words))).to.deep.equal([]);
    expect(text()).to.include('Карта');
    element.setAttribute('locale', 'he');
    await until(
      () => element.shadowRoot?.querySelector<HTMLElement>('.base')?.dir === 'rtl',
      'right to left',
    );
    await until(() => /[א-ת]/.test(text()), 'Hebrew');
    element.setAttribute('locale', 'xx-unknown');
    await until(
      () => text().includes('How would you like to pay?'),
      'English for a language that is not there',
    );
  });

  it('asks for the texts again when the customer tries again', async () => {
    const { click, element, phase, text } = stage(createWorld(), { ...open, locale: 'de' });
    const { fetch } = element;
    let isCut = true;
    element.fetch = (url, init) =>
      isCut ? Promise.reject(new TypeError('no network')) : fetch!(url, init);
    await phase('problem');
    await until(() => text().includes('No connection'), 'English');
    isCut = false;
    click('[data-action="retry"]');
    await phase('choosing');
    await until(() => text().includes('Wie möchten Sie bezahlen?'), 'German');
  });

  it('shows the shop’s own texts in the customer’s language, as plain text', async () => {
    const world = createWorld({
      config: {
        texts: {
          choose: { en: '<i>Ways</i> to pay', ru: 'Как платим?' },
          pay: 'Order for {amount}',
        },
      },
    });
    const { click, element, phase, text } = await stageChoosing(world, open);
    expect(text()).to.include('<i>Ways</i> to pay');
    expect(text()).to.include('Order for $12.50');
    element.setAttribute('locale', 'ru');
    await until(() => text().includes('Как платим?'), 'Russian');
    // the shop has no German sentence, so the element's own one stays
    element.setAttribute('locale', 'de');
    await until(() => text().includes('Wie möchten Sie bezahlen?'), 'German');
    click('[data-action="pay"]');
    await phase('awaiting_payment');
  });

  it('shows the shop’s own texts beside a deposit address', async () => {
    const world = createWorld({ config: { texts: { deposit_following: 'We write to you.' } } });
    const { phase, text } = stage(world, { deposit: 'XRP', 'customer-ref-id': 'c1' });
    await phase('showing_deposit_address');
    await until(() => text().includes('We write to you.'), 'the text of the shop');
  });

  it('shows every amount exactly in each language', async () => {
    const world = createWorld();
    const { element, part } = await stageChoosing(world, {
      ...open,
      amount: '499.99',
      locale: 'ar',
    });
    for (const locale of ['ar', 'fa', 'hi', 'de', 'ja']) {
      element.setAttribute('locale', locale);
      await until(() => (part('amount')?.textContent ?? '') !== '', locale);
      expect(part('amount')?.dataset.amount).to.equal('499.99');
    }
  });
});

describe('the options', () => {
  afterEach(clear);

  it('marks the last choice unless the page names an option', async () => {
    const world = createWorld();
    const first = await stageChoosing(world, open);
    first.click('[data-option="card"] input');
    await first.element.updateComplete;
    first.click('[data-action="pay"]');
    await first.phase('awaiting_payment');
    first.element.remove();
    const checked = (set: ReturnType<typeof stage>): string | undefined =>
      set.element.shadowRoot?.querySelector<HTMLInputElement>('.option input:checked')?.value;
    const second = await stageChoosing(world, { sku: 'tee' });
    expect(checked(second)).to.equal('card');
    const third = await stageChoosing(world, { sku: 'tee', option: 'wallet' });
    expect(checked(third)).to.equal('wallet');
  });

  it('keeps the choice when the purchase changes', async () => {
    const { click, element, part, phase } = await stageChoosing(createWorld(), open);
    click('[data-option="card"] input');
    element.setAttribute('amount', '13');
    await until(() => part('amount')?.dataset.amount === '13', 'the change');
    await phase('choosing');
    const checked = element.shadowRoot?.querySelector<HTMLInputElement>('.option input:checked');
    expect(checked?.value).to.equal('card');
  });

  it('searches the options when there are many', async () => {
    const options = Array.from({ length: 12 }, (_, index) => ({
      id: `b${index}`,
      label: index === 7 ? 'Crédit Ágricole' : `Bank ${index}`,
      payment_method: 'on_line' as const,
    }));
    const { element } = await stageChoosing(createWorld({ config: { options } }), open);
    const rows = (): number => element.shadowRoot!.querySelectorAll('.option').length;
    const search = element.shadowRoot!.querySelector<HTMLInputElement>('[data-action="search"]')!;
    const told = (): string | null | undefined =>
      element.shadowRoot!.querySelector('fieldset [role="status"]')?.textContent;
    expect(rows()).to.equal(12);
    search.value = 'credit agr';
    search.dispatchEvent(new Event('input'));
    await until(() => rows() === 1, 'one option');
    expect(told()).to.equal('Found: 1');
    search.value = 'nothing like it';
    search.dispatchEvent(new Event('input'));
    await until(() => rows() === 0, 'none');
    expect(told()).to.include('Nothing found');
  });

  it('requires and sends the contact data that an option asks for', async () => {
    const world = createWorld();
    const { click, element, phase } = await stageChoosing(world, { ...open, option: 'asks' });
    click('[data-action="pay"]');
    await element.updateComplete;
    expect(element.phase).to.equal('choosing');
    const phone = element.shadowRoot!.querySelector<HTMLInputElement>('input[name="phone"]')!;
    expect([phone.type, phone.autocomplete, phone.required]).to.deep.equal(['tel', 'tel', true]);
    phone.value = '+7 900 000-00-00';
    phone.dispatchEvent(new Event('input'));
    await element.updateComplete;
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    expect(JSON.stringify(world.pays()[0])).to.include('+79000000000');
  });
});
