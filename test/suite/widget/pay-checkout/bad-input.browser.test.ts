/** Unexpected input from the page, the shop or the service leads to a clear sentence on screen. */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { createWorld, testConfig, until, type World } from '../../support/world.js';
import { states, type ShownState } from '../../../../demo/element-states.js';
import {
  clear,
  open,
  stage,
  stageAwaiting,
  stageChoosing,
  stageState,
  type Stage,
} from './stage.js';

async function shown(state: ShownState | undefined): Promise<{ base: HTMLElement; text: string }> {
  const element = await stageState(state);
  const base = element.shadowRoot?.querySelector<HTMLElement>('.base');
  if (!base) throw new Error('nothing is shown');
  return { base, text: base.textContent ?? '' };
}

describe('bad input', () => {
  afterEach(clear);

  it('shows HTML in a text as text', async () => {
    const { base, text } = await shown(states['texts with HTML']);
    expect(text)
      .to.include('<b>Bold</b> &amp; <img src=x onerror=alert(1)>')
      .and.to.include('<script>alert(1)</script>');
    expect(base.querySelector('b, img, script')).to.equal(null);
  });

  it('shows a product name of 500 characters in full, within the card', async () => {
    const { base, text } = await shown(states['a product name of 500 characters']);
    expect(text).to.include('Longname '.repeat(55).slice(0, 495));
    expect(base.scrollWidth).to.be.at.most(base.clientWidth);
  });

  it('offers a code of 2,900 bytes as text to copy, without a QR picture', async () => {
    const { base, text } = await shown(states['a code too long for a picture']);
    expect(base.querySelector('svg.qr')).to.equal(null);
    expect(text)
      .to.include('too long for a QR picture')
      .and.to.include('x'.repeat(2900))
      .and.to.include('Copy code');
  });

  it('warns about an address of unknown form, and shows the tag 0', async () => {
    expect((await shown(states['a deposit address of unknown shape'])).text).to.include(
      'could not check the form of this address',
    );
    const { base } = await shown(states.showing_deposit_address);
    expect(base.querySelector('[part="tag"]')?.textContent?.trim()).to.equal('0');
  });

  /** Types a phone number into the form, and presses Pay. */
  async function payWithPhone(world: World, phone: string): Promise<[Stage, HTMLInputElement]> {
    const staged = await stageChoosing(world, { ...open, option: 'asks' });
    const input = staged.element.shadowRoot?.querySelector<HTMLInputElement>('[name="phone"]');
    if (!input) throw new Error('no field');
    input.value = phone;
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    staged.click('[data-action="pay"]');
    return [staged, input];
  }
  const focusedIn = ({ element }: Stage): Element | null | undefined =>
    element.shadowRoot?.activeElement;

  for (const typed of ['abc', '12', ''])
    it(`marks the phone field and keeps “${typed}” when it cannot be read`, async () => {
      const world = createWorld();
      const [staged, input] = await payWithPhone(world, typed);
      await until(() => focusedIn(staged) === input, 'the field has the focus');
      expect(input.value).to.equal(typed);
      expect(input.getAttribute('aria-invalid')).to.equal('true');
      expect(staged.text()).to.include('Please write it like this: +1 415 555 2671');
      // once: after the name of the field that has the focus, and not by an alert as well
      const root = staged.element.shadowRoot!;
      const described = root.getElementById(input.getAttribute('aria-describedby') ?? '');
      expect(described?.textContent).to.include('Please write it like this: +1 415 555 2671');
      expect(described?.closest('[role="alert"]')).to.equal(null);
      expect(input.getAttribute('aria-label')).to.equal('Phone');
      expect(staged.element.phase).to.equal('choosing');
      expect(world.pays()).to.deep.equal([]);
    });

  it('speaks what is wrong when the field has the focus already', async () => {
    const staged = await stageChoosing(createWorld(), { ...open, option: 'asks' });
    const root = staged.element.shadowRoot!;
    const input = root.querySelector<HTMLInputElement>('[name="phone"]')!;
    input.focus();
    root.querySelector('form')!.requestSubmit();
    const spoken = (): string => root.querySelector('[data-spoken]')?.textContent ?? '';
    await until(() => spoken().includes('Please write it like this'), 'the sentence');
  });

  it('takes the mark away when the customer corrects the field, and places the order', async () => {
    const world = createWorld();
    const [staged, input] = await payWithPhone(world, 'abc');
    await until(() => input.getAttribute('aria-invalid') === 'true', 'marked');
    input.value = '030/1234567';
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    await until(() => !input.hasAttribute('aria-invalid'), 'not marked');
    staged.click('[data-action="pay"]');
    await staged.phase('awaiting_payment');
    expect(world.pays()[0]?.customer).to.equal('{"phone":"0301234567"}');
  });

  it('leaves the focus where the customer types while an earlier order is answered', async () => {
    const world = createWorld();
    const staged = await stageAwaiting(world, open);
    const { click, element } = staged;
    click('[data-action="choose-again"]');
    await staged.phase('choosing');
    await element.updateComplete;
    click('[data-option="asks"] input');
    await element.updateComplete;
    click('[data-action="pay"]');
    await until(() => focusedIn(staged)?.matches('[name="phone"]') === true, 'marked, focused');
    const other = element.shadowRoot!.querySelector<HTMLInputElement>('[data-option="qr"] input')!;
    other.focus();
    const { order } = element;
    world.sandbox.orders.act(world.sandbox.orders.all()[0]!, 'decline');
    await until(() => element.order !== order, 'an answer about the earlier order');
    await element.updateComplete;
    await element.updateComplete;
    expect(focusedIn(staged)).to.equal(other);
  });

  for (const code of ['invalid_request', 'customer_data_required'])
    it(`marks the field when the relay refuses what was typed with ${code}`, async () => {
      const world = createWorld();
      const { fetch } = world.relay;
      const error = { code, field: 'customer.phone', message: 'm', reference: 'r' };
      world.relay.fetch = (request) =>
        request.url.endsWith('/v1/pay')
          ? Promise.resolve(Response.json({ error }, { status: 400 }))
          : fetch(request);
      const [staged] = await payWithPhone(world, '+79001234567');
      const marked = (): HTMLInputElement | null | undefined =>
        staged.element.shadowRoot?.querySelector<HTMLInputElement>('[aria-invalid="true"]');
      await until(() => marked() !== null && focusedIn(staged) === marked(), 'marked, focused');
      expect(marked()?.value).to.equal('+79001234567');
      expect(staged.events).to.not.include('pay-problem');
    });

  it('marks the field of the option that a search found when the relay refuses it', async () => {
    const options = Array.from({ length: 12 }, (_, index) => ({
      id: `b${index}`,
      label: `Bank ${index}`,
      payment_method: 'on_line' as const,
      ...(index === 7 && { customer: ['phone' as const] }),
    }));
    const world = createWorld({ config: { options } });
    const { click, element } = await stageChoosing(world, open);
    const write = (selector: string, value: string): void => {
      const input = element.shadowRoot!.querySelector<HTMLInputElement>(selector)!;
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    };
    write('[data-action="search"]', 'Bank 7');
    await element.updateComplete;
    write('[name="phone"]', '12345 extension 6');
    click('[data-action="pay"]');
    const marked = (): boolean => element.shadowRoot!.activeElement?.ariaInvalid === 'true';
    await until(marked, 'marked, focused');
    expect(element.shadowRoot!.querySelector('.option :checked')).to.have.property('value', 'b7');
    expect(world.pays()).to.deep.equal([]);
  });

  it('marks a text that is too long to be sent', async () => {
    const world = createWorld();
    const [staged, input] = await payWithPhone(world, '1'.repeat(501));
    await until(() => focusedIn(staged) === input, 'the field has the focus');
    expect(input.getAttribute('aria-invalid')).to.equal('true');
    expect(staged.events).to.not.include('pay-status').and.to.not.include('pay-problem');
  });

  for (const [contract, sentence] of [
    [2, 'page is out of date. Please reload'],
    [0, 'Checkout not available'],
    ['1', 'Checkout not available'],
    [undefined, 'Checkout not available'],
  ] as const)
    it(`shows “${sentence}” when the relay’s contract is ${contract}`, async () => {
      const answer = (states.choosing?.answer(0) as { body: object }).body;
      const state: ShownState = {
        phase: 'problem',
        answer: () => ({ status: 200, body: { ...answer, contract } }),
      };
      expect((await shown(state)).text).to.include(sentence);
    });

  it('shows “No connection” when a network answers with its own page of HTML', async () => {
    const world = createWorld();
    world.relay.fetch = () => Promise.resolve(new Response('<h1>Log in to the network</h1>'));
    const help = 'https://shop.example/help';
    const { element, phase, text } = stage(world, { ...open, 'support-url': help });
    await phase('problem');
    expect(text()).to.include('No connection').and.to.not.include('out of date');
    const link = element.shadowRoot?.querySelector('.secondary > a');
    expect(link?.getAttribute('href'), 'the shop’s help').to.equal(help);
  });

  const page = new URL('page/checkout', location.origin).href;
  for (const [address, href, target] of [
    ['/help', `${location.origin}/help`, '_blank'],
    ['help.html', `${location.origin}/page/help.html`, '_blank'],
    ['mailto:help@shop.example', 'mailto:help@shop.example', '_self'],
    ['tel:+15550100', 'tel:+15550100', '_self'],
    ['javascript:alert(1)'],
    ['http://'],
    [''],
  ] as const)
    it(`${href ? 'opens' : 'does not open'} “${address}” as the support-url`, async () => {
      const base = document.createElement('base');
      base.href = page;
      document.head.append(base);
      const { element, phase } = stage(createWorld(), { quantity: '2', 'support-url': address });
      await phase('problem');
      await element.updateComplete;
      const link = element.shadowRoot?.querySelector<HTMLAnchorElement>('.primary');
      base.remove();
      expect(link?.href).to.equal(href);
      expect(link?.target).to.equal(target);
    });

  for (const [outcome, sentence] of [
    ['succeeded', 'This purchase is already paid'],
    ['failed', 'Checkout timed out'],
    ['constructor', 'Checkout timed out'],
    [20, 'Checkout timed out'],
    [undefined, 'Checkout timed out'],
  ] as const)
    it(`shows “${sentence}” when a token expired with the outcome ${outcome}`, async () => {
      const error = { code: 'token_expired', message: 'm', reference: '4f1c2a90', outcome };
      const state: ShownState = {
        phase: 'problem',
        answer: () => ({ status: 401, body: { error } }),
      };
      expect((await shown(state)).text).to.include(sentence);
    });

  it('shows a problem for an unknown currency, and the amount in a configured one', async () => {
    const world = createWorld();
    const { part, phase } = stage(world, { ...open, currency: 'XXQ' });
    await phase('problem');
    expect(part('problem')?.textContent).to.include('Checkout not available');
    const crypto = createWorld({
      config: { open_amount: { FOOCOIN: { min: '0.1', max: '9' } }, options: testConfig.options },
    });
    const other = await stageChoosing(crypto, {
      amount: '1.50',
      currency: 'FOOCOIN',
      'product-name': 'x',
    });
    expect(other.part('amount')?.textContent).to.include('1.50').and.to.include('FOOCOIN');
  });

  it('shows English when the locale is not a language tag', async () => {
    for (const locale of ['', '!!', '<b>', 'zz-ZZ', 'x'.repeat(200)]) {
      const { text } = await stageChoosing(createWorld(), { ...open, locale });
      await until(() => text().includes('How would you like to pay?'), locale);
      clear();
    }
  });
});

describe('a currency that no option takes', () => {
  afterEach(clear);

  it('is named in the console', async () => {
    const lines: string[] = [];
    const { warn } = console;
    console.warn = (line: string) => void lines.push(line);
    const options = testConfig.options?.filter(({ id }) => id === 'euro');
    await stageChoosing(createWorld({ config: { options } }), open);
    console.warn = warn;
    expect(lines.filter((line) => line.includes('no option takes 12.50 USD')).length).to.equal(1);
  });
});
