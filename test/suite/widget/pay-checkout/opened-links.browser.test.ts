/** After a link was opened, the customer is asked first, and opens it again second. */
import { expect } from '@open-wc/testing';
import { states, type ShownState } from '../../../../demo/element-states.js';
import { checkoutAnswer, sampleOrder } from '../../../../demo/sample-answers.js';
import { openedLink } from '../../../../widget/browser/storage.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { until } from '../../support/world.js';
import { clear, holdTouchDevice, stageState } from './stage.js';

const find = (element: PayCheckout, selector: string): HTMLElement | null =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);

/** What the customer sees after a reload, in the tab in which a link was opened. */
async function reloaded(
  state: ShownState,
  attributes: Record<string, string> = {},
): Promise<PayCheckout> {
  const first = await stageState(state);
  openedLink(first.order!.request_id).write();
  first.remove();
  const element = await stageState(state, attributes);
  await until(() => find(element, '.primary') !== null, 'a primary action');
  return element;
}

describe('after a link was opened', () => {
  afterEach(clear);

  for (const name of ['awaiting open_page', 'awaiting open_wallet'])
    it(`“I’ve paid” is the primary action after a reload of ${name}`, async () => {
      const element = await reloaded(states[name]!);
      expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
      expect(find(element, '[part="link"]')?.className).to.equal('quiet');
      expect(find(element, '.base')?.textContent).to.include('Your payment may be under way');
    });
});

describe('a popup that the browser blocks', () => {
  const { open } = window;
  afterEach(() => {
    window.open = open;
    clear();
  });

  for (const next_action of [
    { kind: 'open_page', checkout_url: 'https://service.example/checkout/1' },
    { kind: 'open_wallet', wallet_url: 'https://service.example/wallet/1' },
  ] as const)
    for (const [when, shown] of [
      ['first', stageState],
      ['once more, after a reload', reloaded],
    ] as const)
      it(`leaves the link of ${next_action.kind} primary when it opens ${when}`, async () => {
        holdTouchDevice({ width: 390, height: 844 });
        window.open = () => null;
        const order = { option: 'card', next_action };
        const answer = (now: number): ReturnType<ShownState['answer']> =>
          checkoutAnswer({}, sampleOrder(now, order));
        const state = { phase: 'awaiting_payment', answer } as const;
        const element = await shown(state, { 'open-in': 'popup' });
        find(element, '[part="link"]')!.click();
        await element.updateComplete;
        expect(find(element, '.primary')?.matches('[part="link"]')).to.equal(true);
        expect(find(element, '.note')?.textContent).to.include('did not open the payment page');
        expect(find(element, '.base')?.textContent).not.to.include('may be under way');
      });

  it('asks for no second press once the order has ended or another way is chosen', async () => {
    window.open = () => null;
    const next_action = { kind: 'open_page', checkout_url: 'https://service.example/1' } as const;
    for (const outcome of ['succeeded', 'failed', 'expired', 'review', 'unmapped'] as const) {
      const element = await stageState(
        {
          phase: 'awaiting_payment',
          answer: (now) => checkoutAnswer({}, sampleOrder(now, { next_action })),
          queried: (now) => ({ status: 200, body: { order: sampleOrder(now, { outcome }) } }),
        },
        { 'open-in': 'popup' },
      );
      find(element, '[part="link"]')!.click();
      await element.updateComplete;
      expect(find(element, '.note')?.textContent).to.include('did not open the payment page');
      if (outcome === 'failed') {
        find(element, '[data-action="choose-again"]')!.click();
        await until(() => element.phase === 'choosing', 'the other ways');
      } else {
        await element.checkNow();
        await until(() => element.phase === outcome, outcome);
      }
      await element.updateComplete;
      expect(find(element, '.base')?.textContent, outcome).not.to.include('did not open');
      clear();
    }
  });

  it('leaves the second click of a double click to the browser', async () => {
    window.open = () => null;
    const element = await reloaded(states['awaiting open_page']!, { 'open-in': 'popup' });
    const isOpened: boolean[] = [];
    element.addEventListener('click', (event) => {
      isOpened.push(!event.defaultPrevented);
      // the page of the test stays
      event.preventDefault();
    });
    for (const detail of [1, 2]) {
      const init = { bubbles: true, cancelable: true, composed: true, detail };
      find(element, '[part="link"]')!.dispatchEvent(new MouseEvent('click', init));
      await element.updateComplete;
    }
    expect(isOpened).to.deep.equal([false, true]);
  });
});

describe('a code that opens the banking app, on a phone', () => {
  const CODE_LINK = states['on a phone, the code opens the app']!;
  const link = (element: PayCheckout): HTMLElement => find(element, '[part="link"]')!;
  const listed = (element: PayCheckout): (string | undefined)[] =>
    [...element.shadowRoot!.querySelectorAll('.actions :is(button, a, summary)')]
      .filter((action) => !action.closest('details > :not(summary), dialog'))
      .map((action) => action.textContent?.trim());

  beforeEach(() => holdTouchDevice({ width: 390, height: 844 }));
  afterEach(clear);

  /** Presses the link; the page of the test stays where it is. */
  async function press(element: PayCheckout): Promise<void> {
    link(element).addEventListener('click', (event) => event.preventDefault(), { once: true });
    link(element).click();
    await element.updateComplete;
  }

  it('is the first of two numbered steps before it was opened', async () => {
    const element = await stageState(CODE_LINK);
    const steps = [...element.shadowRoot!.querySelectorAll('.steps > li')];
    expect(steps.map((step) => step.textContent?.trim())).to.deep.equal([
      'Open in your banking app',
      'Confirm the payment in your wallet or banking app, then come back here.',
    ]);
    expect(link(element).className).to.equal('primary');
    expect(listed(element)).to.not.include('I’ve paid');
  });

  for (const [when, opened] of [
    [
      'at once',
      async () => {
        const element = await stageState(CODE_LINK);
        await press(element);
        return element;
      },
    ],
    ['after a reload', () => reloaded(CODE_LINK)],
  ] as const)
    it(`asks first once it was opened, and opens again second, ${when}`, async () => {
      const element = await opened();
      expect(element.shadowRoot!.querySelectorAll('.steps').length).to.equal(0);
      expect(find(element, '.hint')?.textContent).to.include('do not pay again');
      expect(listed(element)).to.deep.equal([
        'I’ve paid',
        'Open in your banking app',
        'Other ways to pay',
        'Scan with another phone',
        'More',
      ]);
      expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
      expect(link(element).className).to.equal('quiet');
      // a second press opens the same code again, and a copy of it is still at hand
      await press(element);
      expect(find(element, '.primary')?.dataset.action).to.equal('check-now');
      expect(find(element, '.more')?.textContent).to.include('Copy');
    });
});

describe('an order whose answer was lost', () => {
  afterEach(clear);

  for (const [option, action, isRegistered] of [
    ['bank', 'choose-again', false],
    // the document does not say what the service returns for it: there may be no link
    ['card', undefined, true],
  ] as const)
    it(`${isRegistered ? 'may need no link' : 'needs one'} for ${option}`, async () => {
      const lost = states['the code was lost']!;
      const answer: ShownState['answer'] = (now) =>
        JSON.parse(
          JSON.stringify(lost.answer(now)).replaceAll('"option":"sbp"', `"option":"${option}"`),
        ) as ReturnType<ShownState['answer']>;
      const element = await stageState({ ...lost, answer });
      expect(element.order?.option).to.equal(option);
      expect(find(element, '.primary')?.dataset.action).to.equal(action);
      const text = find(element, '.base')?.textContent ?? '';
      expect(text.includes('There is nothing to do')).to.equal(isRegistered);
    });
});
