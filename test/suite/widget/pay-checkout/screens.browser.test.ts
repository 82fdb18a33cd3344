/**
 * Every state of the element offers few actions, shows nothing that must not be paid, and tells the
 * customer what to do next.
 */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { checkoutAnswer, MANY_OPTIONS, sampleOrder, XRP } from '../../../../demo/sample-answers.js';
import { states, type ShownState } from '../../../../demo/element-states.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { until } from '../../support/world.js';
import { clear, holdTouchDevice, stageState } from './stage.js';

const fontSizeOf = (element: Element): number => parseFloat(getComputedStyle(element).fontSize);
/** Whether the element is rendered, and neither folded away nor inside a dialog. */
const isShown = (element: Element): boolean =>
  element.getClientRects().length > 0 && !element.closest('details:not([open]), dialog');
const all = (element: PayCheckout, selector: string): HTMLElement[] => [
  ...(element.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
];
/** The buttons and links that are shown, without the QR codes. */
const actionsOf = (element: PayCheckout): HTMLElement[] =>
  all(element, 'button, a[href]').filter(
    (action) => isShown(action) && !action.matches('[part~="qr"]'),
  );
const textOf = (element: PayCheckout): string =>
  element.shadowRoot?.querySelector('.base')?.textContent ?? '';

describe('the screens', () => {
  afterEach(clear);

  for (const [name, state] of Object.entries(states))
    it(`offers at most one primary and few other actions when it shows ${name}`, async () => {
      const element = await stageState(state);
      const actions = actionsOf(element);
      const primary = actions.filter((action) => action.classList.contains('primary'));
      expect(primary.length, 'primary').to.be.at.most(1);
      // where nothing opened, the customer may need each of the other roads
      expect(actions.length, 'all').to.be.at.most(name.startsWith('nothing opened') ? 6 : 3);
      const amounts = all(element, '[part~="amount"]').filter(isShown);
      expect(amounts.length, 'amounts').to.be.at.most(1);
      expect(all(element, '.note').filter(isShown).length, 'notices').to.be.at.most(1);
    });

  for (const name of ['the code was lost', 'the code was lost, after a minute'])
    it(`leads to another way to pay in the state “${name}”`, async () => {
      const element = await stageState(states[name]);
      expect(textOf(element))
        .to.include('We could not get your code')
        .and.to.include('Your order is kept')
        .and.to.not.include('There is nothing to do on this page');
      const [primary] = all(element, '.primary');
      expect(primary?.dataset.action).to.equal('choose-again');
    });

  it('shows one notice at most while offline, and never hides a warning', async () => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    try {
      for (const [name, state] of Object.entries(states)) {
        const element = await stageState(state);
        const notes = all(element, '.note').filter(isShown);
        expect(notes.length, name).to.be.at.most(1);
        const text = notes[0]?.textContent ?? '';
        if (/^paid,/.test(name)) expect(text, name).to.match(/^\s*You are done/);
        if (name === 'showing_deposit_address') expect(text, name).to.include('Include the');
        if (name === 'an earlier order may be paid')
          expect(text, name).to.match(/do not pay again.*pay only one/s);
        if (name === 'choosing') expect(text, name).to.include('You are offline');
        clear();
      }
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  for (const name of [
    'time is over',
    'expired',
    'failed',
    'unmapped',
    'review',
    'closed',
    'confirming',
    'succeeded',
  ])
    it(`shows no code and no payment link when it shows ${name}`, async () => {
      const element = await stageState(states[name]);
      expect(all(element, 'svg.qr, [part~="qr"], [part~="link"]')).to.deep.equal([]);
    });

  for (const name of Object.keys(states).filter((name) => name.startsWith('problem ')))
    it(`offers an action that helps when it shows ${name}`, async () => {
      const element = await stageState(states[name]);
      // The page itself sets the wrong attributes, and neither a reload nor a retry changes them.
      const helps = name === 'problem attributes_wrong' ? 0 : 1;
      expect(all(element, '.primary').length).to.equal(helps);
      const title = element.shadowRoot?.querySelector('h2')?.textContent?.trim();
      expect(title).to.match(/^\p{Lu}/u);
      const status = element.shadowRoot?.querySelector('[role="status"]')?.textContent?.trim();
      expect(status).to.equal(title);
    });

  /** Words of a sentence that ask the customer to act, and the button for the action. */
  const REQUESTED_BUTTONS: readonly (readonly [RegExp, string])[] = [
    [/go back to the shop/, 'Back to the shop'],
    [/reload/, 'Reload the page'],
    [/contact the shop|shop knows|cannot be paid here/, 'Contact the shop'],
    [/try again|is kept/, 'Try again'],
    [/start again/, 'Start again'],
    [/choose another/, 'Other ways to pay'],
    [/already paid/, 'See your order'],
    [/still pay your last order|fill in/, 'Back to your payment'],
  ];
  const withoutSupport = (state: ShownState): ShownState => ({
    ...state,
    answer: (now) => {
      const answer = state.answer(now);
      if (answer === 'none' || answer === 'cut') return answer;
      const body = JSON.stringify(answer.body, (key, value: unknown) =>
        key === 'support_url' ? undefined : value,
      );
      return { ...answer, body: JSON.parse(body) as unknown };
    },
  });
  const isProblem = (name: string): boolean =>
    name.startsWith('problem ') && states[name]?.phase === 'problem';
  for (const [where, attributes, change] of [
    ['a shop with a support page', {}, (state: ShownState) => state],
    ['a page with a way back', { 'return-url': location.origin }, (state: ShownState) => state],
    ['a shop without a support page', {}, withoutSupport],
  ] as const)
    it(`shows the button that the sentence of a problem asks for, on ${where}`, async () => {
      for (const name of Object.keys(states).filter(isProblem)) {
        const element = await stageState(change(states[name]!), attributes);
        const sentence = all(element, '.hint')[0]?.textContent ?? '';
        const [, button] = REQUESTED_BUTTONS.find(([words]) => words.test(sentence)) ?? [];
        const primary = all(element, '.primary')[0]?.textContent?.trim();
        // undefined: a page with neither a support page nor a way back has no button
        const wayToShop = ['Contact the shop', 'Back to the shop', undefined];
        expect(button, sentence).not.to.equal(undefined);
        if (button === 'Contact the shop') expect(wayToShop, name).to.include(primary);
        else expect(primary, `${name}: ${sentence}`).to.equal(button);
        clear();
      }
    });

  it('leads from a problem only to an address of the page’s own site', async () => {
    for (const url of ['https://other.example/', 'javascript:alert(1)', 'not an address']) {
      const element = await stageState(states['problem token_expired'], { 'return-url': url });
      expect(all(element, '.primary')[0]?.textContent?.trim()).to.equal('Contact the shop');
      clear();
    }
  });

  it('does not offer to try again when that cannot work', async () => {
    for (const code of [
      'token_expired',
      'sku_unknown',
      'already_paid',
      'too_many_replacements',
      'order_unknown',
      'unauthorized',
      'body_too_large',
      'content_type_refused',
    ]) {
      expect(textOf(await stageState(states[`problem ${code}`])), code).not.to.include('Try again');
      clear();
    }
  });

  it('tells the developer which attribute is wrong on a development host', async () => {
    const element = await stageState(states['problem attributes_wrong']);
    expect(textOf(element)).to.include('contradicts');
  });

  it('names an attribute as the page writes it when the relay refuses its field', async () => {
    const error = {
      code: 'invalid_request',
      message: 'product_name is longer than customer_ref_id, pay_currency and return_url',
      reference: '4f1c2a90',
    };
    const element = await stageState({
      phase: 'problem',
      answer: () => ({ status: 400, body: { error } }),
    });
    expect(textOf(element)).to.include(
      'product-name is longer than customer-ref-id, pay-currency and return-url',
    );
  });

  it('names the shop to contact when the shop has no address to go to', async () => {
    const without = (state: ShownState, changes: object): ShownState => ({
      ...state,
      answer: (now) => {
        const { body } = state.answer(now) as { body: { checkout: object; order?: object } };
        const checkout = { ...body.checkout, support_url: undefined, return_url: undefined };
        return { status: 200, body: { ...body, checkout: { ...checkout, ...changes } } };
      },
    });
    for (const name of ['review', 'unmapped', 'closed', 'choosing, nothing fits']) {
      const element = await stageState(without(states[name]!, {}));
      expect(textOf(element), name).to.include('Contact the shop: Bean & Leaf');
      expect(all(element, '.primary'), name).to.deep.equal([]);
      clear();
    }
  });

  for (const [options, expected] of [
    [5, 'Other ways to pay'],
    [1, 'Contact the shop: Bean & Leaf'],
  ] as const)
    it(`says “${expected}” when an amount is refused and ${options} options exist`, async () => {
      const offered = checkoutAnswer({
        options: MANY_OPTIONS.slice(0, options),
        support_url: undefined,
        return_url: undefined,
      });
      const error = { code: 'amount_out_of_bounds', message: 'm', reference: '4f1c2a90' };
      const element = await stageState({
        phase: 'choosing',
        answer: () => offered,
        queried: () => ({ status: 400, body: { error } }),
      });
      all(element, '[data-action="pay"]')[0]?.click();
      await until(() => element.phase === 'problem', 'the problem');
      await until(() => textOf(element).includes(expected), expected);
    });

  it('folds a name or a remark only when it does not fit into two lines', async () => {
    const named = (product_name: string, remark?: string): ShownState => ({
      phase: 'choosing',
      answer: () => checkoutAnswer({ product_name, remark, shop_name: 'Shop '.repeat(60) }),
    });
    for (const [product, remark, folded] of [
      ['Huila, washed, 1 kg', 'Order 2041', false],
      ['A name of eighty-five Latin letters. '.repeat(3), undefined, true],
      ['会'.repeat(88), undefined, true],
      ['Huila', 'A long remark of the shop. '.repeat(20), true],
    ] as const) {
      const frame = document.createElement('div');
      frame.style.width = '320px';
      document.body.append(frame);
      const element = await stageState(named(product, remark));
      frame.append(element);
      await element.updateComplete;
      const [box] = all(element, '.product');
      expect(box instanceof HTMLDetailsElement, product).to.equal(folded);
      const lines = (one: HTMLElement): number =>
        Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight));
      for (const name of all(element, '.product bdi')) {
        expect(lines(name), product).to.be.at.most(2);
        if (!folded) expect(name.scrollHeight, product).to.be.at.most(name.clientHeight + 1);
      }
      expect(lines(all(element, '.shop > span')[0]!)).to.be.at.most(3);
      box?.setAttribute('open', '');
      for (const name of all(element, '.product bdi'))
        expect(name.scrollHeight, product).to.be.at.most(name.clientHeight + 1);
      frame.remove();
      clear();
    }
  });

  it('puts a remark below the product that was paid on a phone', async () => {
    holdTouchDevice({ width: 390, height: 844 });
    const element = await stageState({
      phase: 'succeeded',
      answer: (now) =>
        checkoutAnswer(
          { product_name: 'Huila', remark: 'A remark of forty-one letters or of more.' },
          sampleOrder(now, { outcome: 'succeeded', status: 20 }),
        ),
    });
    const [name, remark] = all(element, '.product bdi').map((box) => box.getBoundingClientRect());
    expect(remark!.top).to.be.at.least(name!.bottom);
  });

  it('lets the browser draw the tick of the box before a deposit address', async () => {
    const element = await stageState(states['a deposit behind its gate']);
    const [box] = all(element, '.gate input');
    expect(getComputedStyle(box!).appearance).to.equal('auto');
  });

  it('adds “I’ve paid” after the other actions after more than a minute', async () => {
    const early = await stageState(states.awaiting_payment);
    const words = (element: PayCheckout): string[] =>
      actionsOf(element).map((action) => action.textContent?.trim() ?? '');
    expect(words(early)).to.deep.equal(['Copy code', 'Other ways to pay']);
    const late = await stageState(states['waiting for more than a minute']);
    expect(words(late)).to.deep.equal(['Copy code', 'Other ways to pay', 'I’ve paid']);
  });

  it('shows amount, payee and way to pay of a payment, and a link to the shop', async () => {
    const element = await stageState(states.succeeded);
    expect(element.shadowRoot?.querySelector('h2')?.textContent?.trim()).to.equal('Paid €48.50');
    expect(textOf(element)).to.match(/to Bean & Leaf\u00a0· SBP\u00a0· \w+ \d/);
    // a full line breaks after the point between two facts
    const facts = all(element, '.fact');
    expect(facts.map((fact) => fact.textContent?.at(-1))).to.deep.equal(['·', '·']);
    expect(facts.map((fact) => getComputedStyle(fact).display)).to.include('inline-block');
    const back = element.shadowRoot?.querySelector<HTMLAnchorElement>('a.primary');
    expect(back?.href).to.equal('https://shop.example/thank-you');
    expect(back?.textContent).to.equal('Back to Bean & Leaf');
  });

  it('says that nothing is left to do when another order could still be paid', async () => {
    const element = await stageState(states['paid, an earlier order may be paid']);
    expect(textOf(element)).to.include('Ignore any other code').and.not.to.include('pay only one');
  });

  it('says only in the folded details that a code has no deadline', async () => {
    const words = 'No time limit is known';
    const open = await stageState(states.awaiting_payment);
    const [deadlineLine] = all(open, '.fine').filter((line) => line.textContent?.includes(words));
    expect(isShown(deadlineLine!)).to.equal(false);
    clear();
    const timed = await stageState(states['time is running out']);
    expect(textOf(timed))
      .to.match(/06:\d\d/)
      .and.not.to.include(words);
  });

  it('names the way to pay while an order is being confirmed', async () => {
    const element = await stageState(states.confirming);
    expect(all(element, '.method bdi').map((name) => name.textContent)).to.deep.equal(['SBP']);
  });

  for (const name of ['awaiting open_page', 'awaiting wait', 'an earlier order may be paid'])
    it(`names the way to pay below the title in the state “${name}”`, async () => {
      const [title] = all(await stageState(states[name]), 'h2');
      expect(title?.nextElementSibling?.className).to.equal('method');
    });

  for (const phase of ['expired', 'failed'] as const)
    it(`says what to press after a payment when the order is ${phase}`, async () => {
      const element = await stageState(states[phase]);
      const [check] = all(element, '[data-action="check-now"]');
      expect(textOf(element)).to.include(`press “${check?.textContent.trim()}”`);
      expect(isShown(check!)).to.equal(true);
    });

  for (const code of ['token_expired', 'intent_conflict', 'internal'])
    it(`sends a customer who has paid to the shop when the problem is ${code}`, async () => {
      const element = await stageState(states[`problem ${code}`]);
      expect(textOf(element)).to.include('If you have already paid, contact the shop.');
      const links = actionsOf(element).map((action) => action.textContent?.trim());
      expect(links.filter((words) => words === 'Contact the shop')).to.have.length(1);
    });

  it('asks in the header for money only while the customer chooses', async () => {
    for (const [name, { phase }] of Object.entries(states)) {
      const [shop] = all(await stageState(states[name]), '.shop');
      const asks = phase === 'choosing' && name !== 'choosing, nothing fits';
      const expected = asks ? 'Pay Bean & Leaf' : 'Bean & Leaf';
      if (shop) expect(shop.textContent?.trim(), name).to.equal(expected);
      clear();
    }
  });

  for (const [names, sign] of [
    [['succeeded', 'a deposit received', 'problem already_paid'], 'good'],
    [['failed'], 'bad'],
    [['expired', 'time is over', 'confirming'], 'time'],
    [
      ['review', 'unmapped', 'closed', 'problem', 'the code was lost', 'choosing, nothing fits'],
      'care',
    ],
    [['awaiting_payment', 'choosing', 'awaiting open_page'], undefined],
  ] as const)
    it(`draws ${sign ?? 'no'} sign above the title of ${names.join(', ')}`, async () => {
      for (const name of names) {
        const [drawn] = (await stageState(states[name])).shadowRoot!.querySelectorAll('h2 > .sign');
        expect(drawn?.classList.item(1) ?? undefined, name).to.equal(sign);
        clear();
      }
    });

  it('names the shop above a deposit, and what is lost in one box', async () => {
    const element = await stageState(states.showing_deposit_address);
    expect(all(element, '.shop').map((name) => name.textContent)).to.deep.equal(['Bean & Leaf']);
    expect(all(element, '.chip').map((chip) => chip.textContent)).to.deep.equal([
      'XRP · XRP Ledger',
    ]);
    expect(all(element, '.note')[0]?.textContent?.replace(/\s+/g, ' ').trim()).to.equal(
      'Send only XRP to this address. XRP Ledger only. Include the Destination tag, or the money ' +
        'is lost. Enter the digit 0. Do not leave it empty.',
    );
    expect(all(element, '.screen > .hint')).to.deep.equal([]);
    expect(all(element, 'output, [role="alert"]').filter(isShown)).to.deep.equal([]);
  });

  for (const [what, state] of [
    ['a checkout', states['in test mode']!],
    [
      'a deposit',
      {
        ...states.showing_deposit_address!,
        answer: () => ({ status: 200, body: { deposit_address: { ...XRP, livemode: false } } }),
      },
    ],
  ] as const)
    it(`says in test mode that ${what} moves no real money`, async () => {
      const element = await stageState(state);
      expect(all(element, '.ribbon')[0]?.textContent).to.equal('Test mode: no real money');
    });

  it('says beside a deposit’s code whether it holds the tag', async () => {
    const whole = await stageState(states.showing_deposit_address);
    const captionOf = (element: PayCheckout): string[] =>
      all(element, '.codes > p')
        .filter(isShown)
        .map((caption) => caption.textContent?.trim() ?? '');
    expect(captionOf(whole)).to.deep.equal(['Address and Destination tag']);
    clear();
    const addressAlone = await stageState(states['a deposit, the address alone']);
    expect(captionOf(addressAlone)).to.deep.equal([
      'This code does not hold the Destination tag. Enter it yourself.',
    ]);
    clear();
    expect(captionOf(await stageState(states['a deposit without a tag']))).to.deep.equal([]);
  });

  for (const [name, words] of [
    ['showing_deposit_address', 'Open in wallet Address and Destination tag'],
    ['a deposit without a tag', 'Open in wallet Address only'],
  ] as const)
    it(`says on the wallet’s link what the link carries when it shows ${name}`, async () => {
      const [link] = all(await stageState(states[name]), 'a[part~="link"]');
      expect(link?.textContent?.replace(/\s+/g, ' ').trim()).to.equal(words);
    });

  for (const locale of ['en', 'ar'])
    it(`shows address and tag at the side of their labels in ${locale}`, async () => {
      const element = await stageState(states.showing_deposit_address, { locale });
      for (const part of ['address', 'tag']) {
        const value = all(element, `[part="${part}"]`)[0]!;
        const [label] = value.parentElement!.querySelectorAll('.field-label');
        const side = locale === 'ar' ? 'right' : 'left';
        const [own, labels] = [value, label!].map((each) => each.getBoundingClientRect()[side]);
        expect(Math.abs(own! - labels!), part).to.be.below(2);
      }
    });

  it('tells a depositor to enter a tag that is 0', async () => {
    const words = 'Enter the digit 0.';
    expect(textOf(await stageState(states.showing_deposit_address))).to.include(words);
    clear();
    const other = await stageState({
      ...states.showing_deposit_address!,
      answer: () => ({ status: 200, body: { deposit_address: { ...XRP, tag: '70' } } }),
    });
    expect(textOf(other)).not.to.include(words);
  });

  it('tells the customer to copy a code that is too long for a picture', async () => {
    const element = await stageState(states['a code too long for a picture']);
    expect(element.shadowRoot?.querySelector('h2')?.textContent?.trim()).to.equal('Copy code');
    expect(all(element, '.primary').map((copy) => copy.textContent)).to.deep.equal(['Copy code']);
    expect(all(element, '.payload').filter(isShown)).to.have.length(1);
  });

  it('says what to type when the code has no amount, and what another currency costs', async () => {
    const typed = await stageState(states['the code has no amount']);
    expect(textOf(typed)).to.include('Enter the amount yourself: €48.50');
    expect(all(typed, '.payee').at(-1)?.textContent).to.include('Enter the amount');
    const exchanged = await stageState(states['the code charges in another currency']);
    expect(textOf(exchanged)).to.include('Pay ฿1,770.00');
    const plain = await stageState(states['the payee is known']);
    expect(textOf(plain)).not.to.include('Enter the amount');
  });

  it('says what to type on a payment page whose link has no amount', async () => {
    const next_action = { kind: 'open_page', checkout_url: 'https://pay.example/c/1' } as const;
    const changes = { next_action, payee: 'BEAN AND LEAF LLC', code_amount: { currency: 'EUR' } };
    const element = await stageState({
      phase: 'awaiting_payment',
      answer: (now) => checkoutAnswer({}, sampleOrder(now, changes)),
    });
    expect(all(element, '.payee')[0]?.textContent).to.include('BEAN AND LEAF LLC');
    expect(all(element, '.payee')[1]?.textContent).to.include('Enter the amount yourself: €48.50');
  });

  it('shows who receives the money when the code names the payee', async () => {
    expect(textOf(await stageState(states['the payee is known']))).to.include('BEAN AND LEAF LLC');
  });

  it('offers a single way to pay without a choice', async () => {
    const element = await stageState(states['choosing, one way to pay']);
    expect(all(element, 'input[type="radio"]')).to.deep.equal([]);
    expect(actionsOf(element).map((action) => action.dataset.action)).to.deep.equal(['pay']);
  });

  it('shows an error beside each field when the customer pays without contact data', async () => {
    const element = await stageState(states['choosing, contact data asked']);
    all(element, '[data-action="pay"]')[0]?.click();
    const focused = (): string | null | undefined =>
      element.shadowRoot?.activeElement?.getAttribute('name');
    await until(() => focused() === 'email', 'the first field has the focus');
    const shown = all(element, '.error').filter(isShown);
    expect(shown.map((error) => error.textContent?.trim())).to.deep.equal(
      ['name@example.com', '+1 415 555 2671', 'Maria Silva'].map(
        (example) => `Please write it like this: ${example}`,
      ),
    );
    expect(element.phase).to.equal('choosing');
  });

  /** A text with invisible marks has several boxes on one line. */
  const linesOf = (element: Element): number =>
    new Set([...element.getClientRects()].map(({ top }) => Math.round(top))).size;
  /** The states of a checkout and of a paid order with this amount. */
  const priced = (amount: string, currency: string): Record<string, ShownState> => {
    const paid = { ...sampleOrder(0, { outcome: 'succeeded', status: 20 }), amount, currency };
    return {
      choosing: { phase: 'choosing', answer: () => checkoutAnswer({ amount, currency }) },
      paid: { phase: 'succeeded', answer: () => checkoutAnswer({ amount, currency }, paid) },
    };
  };
  for (const [amount, currency] of [
    ['48.50', 'EUR'],
    ['12345678901.00', 'IDR'],
    ['1.123456789012345678', 'ETH'],
    ['12345.123456789012345678', 'ETH'],
    ['12345678.123456789012345678', 'ETH'],
  ] as const)
    it(`wraps no number of ${amount} ${currency} in header, button and title`, async () => {
      for (const [name, state] of Object.entries(priced(amount, currency)))
        for (const locale of ['ar', 'de', 'en'])
          for (const [width, text] of [
            [320, 100],
            [390, 200],
          ] as const) {
            const frame = document.createElement('div');
            frame.style.width = `${width}px`;
            document.body.append(frame);
            document.documentElement.style.fontSize = `${text}%`;
            const element = await stageState(state, { locale });
            frame.append(element);
            await element.updateComplete;
            const where = `${name}, ${locale}, ${width} px, ${text} %`;
            const amounts = all(element, '.amount');
            expect(amounts.length, where).to.equal(name === 'paid' ? 1 : 2);
            for (const piece of amounts.flatMap((one) => [...one.querySelectorAll('span')]))
              expect(linesOf(piece), `${piece.textContent}, ${where}`).to.equal(1);
            for (const box of [...all(element, '.primary'), ...all(element, 'h2, .summary')])
              expect(box.scrollWidth, where).to.be.at.most(box.clientWidth);
            if (name === 'paid') {
              const [big] = amounts;
              expect(getComputedStyle(big!).display, where).to.equal('block');
              expect(fontSizeOf(big!), where).to.be.at.least(13);
            }
            frame.remove();
            document.documentElement.style.fontSize = '';
            clear();
          }
    });
});
