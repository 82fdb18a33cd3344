/** In every state, what the customer needs is in the window when the card's top is. */
import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import '../../../../widget/define.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import { states, type ShownState } from '../../../../demo/element-states.js';
import { checkoutAnswer, type Answer } from '../../../../demo/sample-answers.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { texts } from '../pay-checkout/relay-fetch.js';
import { clear, holdTouchDevice } from '../pay-checkout/stage.js';

const clean = (): void => {
  clear();
  document.body.replaceChildren();
  document.body.removeAttribute('style');
};

/** Adds the test ribbon, which makes the card higher. */
const inTestMode = (state: ShownState): ShownState => ({
  ...state,
  answer: (now): Answer => {
    const answer = state.answer(now);
    if (answer === 'none' || answer === 'cut') return answer;
    const body = JSON.parse(JSON.stringify(answer.body), (key, value: unknown) =>
      key === 'livemode' ? false : value,
    ) as unknown;
    return { ...answer, body };
  },
});

/** Shows a state at the top of the window, or in a modal. */
async function show(state: ShownState, display: string): Promise<PayCheckout> {
  document.body.style.margin = '0';
  const element = elementIn(state, texts, { display });
  document.body.append(element);
  element.show();
  await settled(element, state);
  scrollTo(0, 0);
  return element;
}

/** The code with its title and first action; without a code, the primary button. */
function needed(element: PayCheckout): Element[] {
  const first = (selector: string): Element[] =>
    [...(element.shadowRoot?.querySelectorAll(selector) ?? [])]
      .filter((one) => one.checkVisibility() && !one.closest('dialog:not(.modal)'))
      .slice(0, 1);
  const code = first('.qr-frame');
  if (code.length === 0) return first('.primary');
  return [...first('h2'), ...code, ...first('[part~="copy"], .actions button, .actions a')];
}

/** What of the needed parts ends below the window, or below the visible part of the modal. */
function below(element: PayCheckout): string[] {
  const modal = element.shadowRoot?.querySelector('dialog.modal');
  const end = Math.min(innerHeight, modal?.getBoundingClientRect().bottom ?? innerHeight);
  return needed(element)
    .map((part) => ({ part, overPx: Math.round(part.getBoundingClientRect().bottom - end) }))
    .filter(({ overPx }) => overPx > 0)
    .map(({ part, overPx }) => `${part.className || part.localName} by ${overPx} px`);
}

describe('the card in its window', () => {
  afterEach(clean);
  after(() => setViewport({ width: 1280, height: 800 }));

  for (const [width, height, device] of [
    [1280, 800, 'desktop'],
    [390, 844, 'window'],
    [390, 844, 'phone'],
  ] as const)
    for (const display of ['inline', 'modal'])
      it(`shows all that is needed on a ${device} of ${width}×${height}, ${display}`, async () => {
        await setViewport({ width, height });
        if (device === 'phone') holdTouchDevice({ width, height });
        const outside: string[] = [];
        for (const [name, state] of Object.entries(states)) {
          const element = await show(inTestMode(state), display);
          outside.push(...below(element).map((part) => `${name}: ${part}`));
          document.body.replaceChildren();
        }
        expect(outside.join('; ')).to.equal('');
      });

  for (const [locale, width, shop_name] of [
    ['ru', 320, 'Bean & Leaf'],
    ['pl', 320, 'Bean & Leaf'],
    ['ru', 390, 'Bean & Leaf Coffee Roasters'],
  ] as const)
    it(`names the whole shop while the customer chooses, in ${locale} at ${width} px`, async () => {
      await setViewport({ width, height: 800 });
      const state = { phase: 'choosing', answer: () => checkoutAnswer({ shop_name }) } as const;
      const element = elementIn(state, texts, { locale });
      document.body.append(element);
      await settled(element, state);
      const name = element.shadowRoot!.querySelector('.shop > :last-child')!;
      expect(name.textContent).to.include(shop_name);
      expect(name.scrollHeight).to.be.at.most(name.clientHeight);
    });

  it('shows the code beside its title and its first action when the window turns low', async () => {
    await setViewport({ width: 390, height: 844 });
    const element = await show(states['awaiting scan_qr']!, 'inline');
    await setViewport({ width: 844, height: 390 });
    const [title, code] = needed(element).map((part) => part.getBoundingClientRect());
    expect(code!.right).to.be.at.most(title!.left);
    expect(below(element)).to.deep.equal([]);
  });

  it('shows the code above its first action in a narrow column of a low window', async () => {
    await setViewport({ width: 844, height: 390 });
    document.body.style.inlineSize = '360px';
    const element = await show(states['awaiting scan_qr']!, 'inline');
    const [title, code] = needed(element).map((part) => part.getBoundingClientRect());
    expect(code!.top).to.be.at.least(title!.bottom);
    expect(element.shadowRoot!.querySelector('h2')!.clientWidth).to.be.above(250);
  });
});
