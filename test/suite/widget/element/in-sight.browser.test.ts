/** After a change of the screen, and after a warning about money, the card's top is in sight. */
import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import '../../../../widget/define.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import { states, type ShownState } from '../../../../demo/element-states.js';
import { sampleOrder } from '../../../../demo/sample-answers.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { until } from '../../support/world.js';
import { texts } from '../pay-checkout/relay-fetch.js';
import { clear, holdMedia } from '../pay-checkout/stage.js';

const tall = (): HTMLElement => {
  const block = document.createElement('div');
  block.style.height = '2000px';
  return block;
};

let isScrolled = false;

/** Shows a state between the parts of a long page, scrolled so far that the card's top is away. */
async function showScrolled(state: ShownState, display = 'inline'): Promise<PayCheckout> {
  const element = elementIn(state, texts, { display });
  document.body.append(tall(), element, tall());
  element.show();
  await settled(element, state);
  const card = element.shadowRoot!.querySelector('.base')!;
  if (display === 'inline') scrollTo(0, card.getBoundingClientRect().bottom + scrollY - 100);
  else element.shadowRoot!.querySelector('dialog')!.scrollTop = 1000;
  isScrolled = true;
  await seen();
  return element;
}

/** The browser tells all observers at once, and before the next frame, what is in sight. */
async function seen(): Promise<void> {
  await new Promise((resolve) => new IntersectionObserver(resolve).observe(document.body));
  await new Promise(requestAnimationFrame);
}

const bottomOf = (element: PayCheckout): number =>
  element.shadowRoot!.querySelector('.base')!.getBoundingClientRect().bottom;

const topOf = (element: PayCheckout, selector: string): number =>
  element.shadowRoot?.querySelector(selector)?.getBoundingClientRect().top ?? NaN;
const press = (element: PayCheckout, action: string): void =>
  element.shadowRoot?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();

/** Once the page is scrolled, the answer to a query is the order with these changes. */
const asked = (changes: Parameters<typeof sampleOrder>[1]): ShownState => ({
  ...states.awaiting_payment!,
  queried: (now) => ({
    status: 200,
    body: { order: sampleOrder(now, isScrolled ? changes : {}) },
  }),
});

describe('the card’s top', () => {
  before(() => setViewport({ width: 390, height: 500 }));
  beforeEach(() => holdMedia('(prefers-reduced-motion: reduce)'));
  afterEach(() => {
    clear();
    isScrolled = false;
    document.body.replaceChildren();
    scrollTo(0, 0);
  });
  after(() => setViewport({ width: 1280, height: 800 }));

  it('is in sight when the customer chooses again', async () => {
    const element = await showScrolled(states.awaiting_payment!);
    expect(topOf(element, '.base')).to.be.below(0);
    press(element, 'choose-again');
    await until(() => element.phase === 'choosing', 'the choice');
    await element.updateComplete;
    expect(topOf(element, '.base')).to.be.within(0, 20);
    expect(topOf(element, '.note')).to.be.within(0, 500);
  });

  it('is in sight when another order turns out to be payable', async () => {
    const element = await showScrolled(asked({ other_payable: true }));
    await element.checkNow();
    await until(() => !Number.isNaN(topOf(element, '.note')), 'the warning');
    await element.updateComplete;
    expect(topOf(element, '.note')).to.be.within(0, 500);
  });

  it('is in sight in a modal', async () => {
    const element = await showScrolled(states.awaiting_payment!, 'modal');
    const dialog = element.shadowRoot!.querySelector('dialog')!;
    expect(dialog.scrollTop).to.be.above(0);
    press(element, 'choose-again');
    await until(() => element.phase === 'choosing', 'the choice');
    await element.updateComplete;
    expect(dialog.scrollTop).to.equal(0);
  });

  for (const [what, name] of [
    ['a panel of the page that scrolls', 'div'],
    ['a dialog of the page', 'dialog'],
  ] as const)
    it(`is in sight in ${what}`, async () => {
      const state = states.awaiting_payment!;
      const element = elementIn(state, texts);
      const panel = document.createElement(name);
      panel.style.cssText = 'height: 300px; overflow: auto; padding: 0';
      panel.append(tall(), element, tall());
      document.body.append(panel);
      if (panel instanceof HTMLDialogElement) panel.showModal();
      await settled(element, state);
      const { top } = panel.getBoundingClientRect();
      panel.scrollTop += bottomOf(element) - top - 100;
      await seen();
      expect(topOf(element, '.base')).to.be.below(top);
      press(element, 'choose-again');
      await until(() => element.phase === 'choosing', 'the choice');
      await element.updateComplete;
      expect(topOf(element, '.base')).to.be.within(top, top + 20);
    });

  it('stays where it is when it is in sight', async () => {
    const element = await showScrolled(states.awaiting_payment!);
    scrollBy(0, topOf(element, '.base') - 100);
    await seen();
    const { scrollY } = window;
    press(element, 'choose-again');
    await until(() => element.phase === 'choosing', 'the choice');
    await element.updateComplete;
    expect(window.scrollY).to.equal(scrollY);
  });

  it('does not scroll the page when the customer reads another part of it', async () => {
    const element = await showScrolled(asked({ outcome: 'succeeded', status: 20 }));
    scrollTo(0, 0);
    await seen();
    await element.checkNow();
    await until(() => element.phase === 'succeeded', 'the success');
    await element.updateComplete;
    expect(scrollY).to.equal(0);
  });
});
