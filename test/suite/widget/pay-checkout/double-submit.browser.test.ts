/** Repeated and early actions place no second order, and lose neither a text nor the focus. */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { openPopup } from '../../../../widget/browser/opener.js';
import { createWorld, openIntent, until } from '../../support/world.js';
import { states, type ShownState } from '../../../../demo/element-states.js';
import { clear, open, stage, stageAwaiting, stageChoosing, stageState } from './stage.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';

const find = (element: PayCheckout, selector: string): HTMLElement | null =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);
const textOf = (element: PayCheckout): string => find(element, '.base')?.textContent ?? '';
/** A state whose answer has an order with changed fields. */
const withChanges = (name: string, changes: object, options?: unknown[]): ShownState => {
  const state = states[name]!;
  return {
    ...state,
    answer: (now) => {
      const { body } = state.answer(now) as { body: { order: object; checkout: object } };
      return {
        status: 200,
        body: {
          ...body,
          order: { ...body.order, ...changes },
          checkout: { ...body.checkout, ...(options && { options }) },
        },
      };
    },
  };
};

describe('a customer who acts twice', () => {
  afterEach(clear);

  it('warns of another payable order when an order failed and at the next choice', async () => {
    const element = await stageState(withChanges('failed', { other_payable: true }));
    expect(textOf(element)).to.include('may still be paid');
    find(element, '[data-action="choose-again"]')?.click();
    await until(() => element.phase === 'choosing', 'choosing');
    await element.updateComplete;
    expect(textOf(element)).to.include('can still be paid');
  });

  it('warns of the earlier payable order when the page starts another purchase', async () => {
    const world = createWorld();
    const { element, phase, text } = await stageAwaiting(world, open);
    element.amount = '13';
    await phase('choosing');
    expect(text()).to.include('can still be paid');
  });

  it('warns of a payable order when the purchase changes twice while choosing', async () => {
    const world = createWorld();
    const { click, element, phase, text } = await stageAwaiting(world, open);
    click('[data-action="choose-again"]');
    await phase('choosing');
    element.amount = '13';
    await until(() => text().includes('13.00'), 'the first change');
    expect(text()).to.include('can still be paid');
    element.amount = '14';
    await until(() => text().includes('14.00'), 'the second change');
    expect(text()).to.include('can still be paid');
  });

  it('offers no other way to pay when a failed order has no options', async () => {
    const element = await stageState(withChanges('failed', {}, []));
    expect(find(element, '[data-action="choose-again"]')).to.equal(null);
    expect(find(element, '[data-action="check-now"]')).not.to.equal(null);
  });

  it('offers no second order when an order is in review', async () => {
    expect(find(await stageState(states.review!), '[data-action="choose-again"]')).to.equal(null);
  });

  it('does not pay with an option that the search hides', async () => {
    const element = await stageState(states['choosing among many']!);
    const search = find(element, '[data-action="search"]') as HTMLInputElement;
    const pay = (): HTMLButtonElement => find(element, '[data-action="pay"]') as HTMLButtonElement;
    search.value = 'no such bank';
    search.dispatchEvent(new Event('input'));
    await element.updateComplete;
    expect(pay().disabled).to.equal(true);
    search.value = 'Bank 7';
    search.dispatchEvent(new Event('input'));
    await element.updateComplete;
    expect([
      pay().disabled,
      find(element, '[data-option] :checked')?.closest('label')?.dataset.option,
    ]).to.deep.equal([false, 'bank6']);
  });

  it('opens one popup per order, without opener and referrer', () => {
    const original = window.open;
    const opened: { opener: unknown; closed: boolean; document: Document; focused: number }[] = [];
    window.open = () => {
      const popup = {
        opener: window as unknown,
        closed: false,
        document: document.implementation.createHTMLDocument(),
        focused: 0,
        focus: () => void popup.focused++,
      };
      opened.push(popup);
      return popup as unknown as Window;
    };
    const pages = ['https://pay.example/1', 'https://pay.example/2'].map(
      (url) => `${url}?${crypto.randomUUID()}`,
    );
    for (const url of pages) openPopup(url);
    openPopup(pages[0]!);
    window.open = original;
    const seen = opened.map(({ document: { links }, opener, focused }) => {
      const [link] = links;
      return [link?.href, link?.rel, opener, focused];
    });
    expect(seen).to.deep.equal([
      [pages[0], 'noreferrer', null, 1],
      [pages[1], 'noreferrer', null, 0],
    ]);
  });

  it('hides the address and empties the comparison when the deposit changes', async () => {
    const world = createWorld();
    const { element, click, phase } = stage(world, {
      deposit: 'XRP',
      'customer-ref-id': 'c1',
      'tag-gate': '',
    });
    await phase('showing_deposit_address');
    click('.gate input');
    await element.updateComplete;
    const paste = find(element, '[data-action="paste-check"]') as HTMLInputElement;
    paste.value = find(element, '[part="address"]')!.dataset.value!;
    paste.dispatchEvent(new Event('input'));
    await until(() => find(element, '.good') !== null, 'the same address');
    expect(paste.matches('[aria-invalid]')).to.equal(false);
    paste.value = 'another';
    paste.dispatchEvent(new Event('input'));
    await until(() => paste.matches('[aria-invalid="true"]'), 'another address');
    element.customerRefId = 'c2';
    const gate = (): HTMLInputElement | null =>
      find(element, '.gate input') as HTMLInputElement | null;
    await until(() => gate()?.checked === false, 'the address is hidden again');
    expect(find(element, '[part="address"]')).to.equal(null);
    click('.gate input');
    await element.updateComplete;
    expect((find(element, '[data-action="paste-check"]') as HTMLInputElement).value).to.equal('');
  });

  it('finds an order by its attempt when the relay does not know its id', async () => {
    const world = createWorld();
    const { element, phase, part } = await stageAwaiting(world, open);
    const original = element.fetch!;
    let forgotten = true;
    element.fetch = (url, init) => {
      if (!forgotten || !url.endsWith('/v1/query')) return original(url, init);
      return Promise.resolve(
        Response.json(
          { error: { code: 'order_unknown', message: 'm', reference: 'r' } },
          { status: 404 },
        ),
      );
    };
    element.remove();
    await Promise.resolve();
    document.body.append(element);
    await phase('problem');
    expect(element.shadowRoot?.querySelector('[data-action="reload"]')).not.to.equal(null);
    forgotten = false;
    // as a reload of the page does
    element.remove();
    await Promise.resolve();
    document.body.append(element);
    await phase('awaiting_payment');
    expect(part('qr')).not.to.equal(null);
    expect(world.pays().length).to.equal(1);
  });
});

describe('the actions of an order that waits for long', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
    clear();
  });

  /** Shows the order as it is a minute later. */
  async function waitMinute(element: PayCheckout): Promise<void> {
    Date.now = () => now() + 61_000;
    element.requestUpdate();
    await element.updateComplete;
    expect(find(element, '[data-action="check-now"]')).not.to.equal(null);
  }

  it('stay where they are, and “I’ve paid” comes after them', async () => {
    const element = await stageState(states['awaiting scan_qr']);
    const words = (): (string | undefined)[] =>
      [...element.shadowRoot!.querySelectorAll('.secondary > *')].map(({ textContent }) =>
        textContent?.trim(),
      );
    const before = [...element.shadowRoot!.querySelectorAll('.secondary > button')];
    const [copy] = before as HTMLElement[];
    copy!.focus();
    await waitMinute(element);
    const after = [...element.shadowRoot!.querySelectorAll('.secondary > button')];
    expect(after.slice(0, 2)).to.deep.equal(before);
    expect(element.shadowRoot!.activeElement).to.equal(copy);
    expect(words().slice(0, 3)).to.deep.equal(['Copy code', 'Other ways to pay', 'I’ve paid']);
  });

  it('stay in an open list, with a code that the customer scans', async () => {
    const element = await stageState(states['awaiting open_page']);
    const more = find(element, '.more') as HTMLDetailsElement;
    more.open = true;
    await waitMinute(element);
    expect(find(element, '.more')).to.equal(more);
    expect(more.open).to.equal(true);
    expect(more.querySelector('.qr')?.checkVisibility()).to.equal(true);
  });
});

describe('the focus and the selection', () => {
  afterEach(clear);

  it('moves the focus to the title when the focused button is removed', async () => {
    const world = createWorld();
    const { click, element, phase } = await stageChoosing(world, open);
    find(element, '[data-action="pay"]')?.focus();
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    expect(element.shadowRoot?.activeElement?.matches('h2')).to.equal(true);
  });

  it('moves the focus to the title when a problem gives way to the ways to pay', async () => {
    const world = createWorld();
    const { relay } = world;
    const { fetch } = relay;
    relay.fetch = async (request) =>
      request.url.includes('/v1/') ? new Response('{}', { status: 500 }) : fetch(request);
    const { click, element, phase } = stage(world, open);
    await phase('problem');
    relay.fetch = fetch;
    find(element, '[data-action="retry"]')?.focus();
    click('[data-action="retry"]');
    await phase('choosing');
    await element.updateComplete;
    expect(element.shadowRoot?.activeElement?.matches('h2')).to.equal(true);
  });

  it('leaves the focus outside the card where the customer has moved it', async () => {
    const field = document.createElement('input');
    document.body.append(field);
    const { element, phase } = await stageChoosing(createWorld(), open);
    const { fetch } = element;
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    element.fetch = (url, init) => held.then(() => fetch!(url, init));
    find(element, '[data-action="pay"]')?.focus();
    element.setAttribute('amount', '13');
    await phase('loading');
    field.focus();
    answer();
    await phase('choosing');
    await element.updateComplete;
    expect(document.activeElement).to.equal(field);
    field.remove();
  });

  it('moves the focus to the title when the link to the payment page moves down', async () => {
    const element = await stageState(states['awaiting open_page'], { 'open-in': 'new-tab' });
    const link = find(element, '.primary')!;
    link.focus();
    link.addEventListener('click', (event) => event.preventDefault(), { once: true });
    link.click();
    await element.updateComplete;
    expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
    expect(element.shadowRoot?.activeElement?.matches('h2')).to.equal(true);
  });

  it('keeps the focus on the button that checks the order', async () => {
    const element = await stageState(states['time is over']);
    const check = find(element, '[data-action="check-now"]');
    check?.focus();
    check?.click();
    await element.updateComplete;
    expect(element.shadowRoot?.activeElement).to.equal(check);
  });

  it('shows a code as text to select when the browser cannot copy it', async () => {
    const original = Object.getOwnPropertyDescriptor(Navigator.prototype, 'clipboard')!;
    const exec = document.execCommand;
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: () => Promise.reject(new Error('denied')) },
    });
    document.execCommand = () => false;
    const element = await stageState(states.awaiting_payment!);
    const button = [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part="copy"]')].find(
      (copy) => copy.textContent?.includes('code'),
    );
    button?.click();
    await until(() => button?.dataset.state === 'failed', 'failed');
    Reflect.deleteProperty(navigator, 'clipboard');
    expect(Object.getOwnPropertyDescriptor(Navigator.prototype, 'clipboard')).to.deep.equal(
      original,
    );
    document.execCommand = exec;
    expect(button?.previousElementSibling?.textContent).to.match(/^000201/);
    await until(() => textOf(element).includes('copy it by hand'), 'announced');
  });

  it('opens the modal when its form is invalid, and again after it was moved', async () => {
    const form = document.createElement('form');
    document.body.append(form);
    const { element, phase } = stage(createWorld(), {
      ...open,
      display: 'modal',
      name: 'payment',
      required: '',
    });
    form.append(element);
    await phase('choosing');
    const dialog = (): HTMLDialogElement => find(element, 'dialog.modal') as HTMLDialogElement;
    await until(() => !dialog().open && !form.reportValidity(), 'invalid');
    expect([dialog().matches(':modal'), dialog().getAttribute('aria-label')]).to.deep.equal([
      true,
      openIntent.product_name,
    ]);
    element.remove();
    form.append(element);
    expect(dialog().open).to.equal(false);
    await phase('choosing');
    element.show();
    expect(dialog().matches(':modal')).to.equal(true);
    element.close();
    form.remove();
  });
});
