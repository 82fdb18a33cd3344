/** A browser that refuses to copy: the customer is told beside the button what to do. */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { states } from '../../../../demo/element-states.js';
import { until } from '../../support/world.js';
import { clear, stageState } from '../pay-checkout/stage.js';

/** @param write what the clipboard does */
const holdClipboard = (write: () => Promise<void>): boolean =>
  Reflect.defineProperty(navigator, 'clipboard', {
    value: { writeText: write },
    configurable: true,
  });

const WORDS = 'Not copied. The text is selected: copy it by hand.';
/** Distance below which the sentence stands beside the button. */
const MAX_GAP_PX = 12;

describe('a copy that the browser refuses', () => {
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'clipboard');
    clear();
  });

  for (const name of ['awaiting_payment', 'showing_deposit_address', 'review'])
    it(`is said once, below the button, in the state “${name}”`, async () => {
      holdClipboard(() => Promise.reject(new Error('refused')));
      const element = await stageState(states[name]);
      const root = element.shadowRoot!;
      const button = root.querySelector<HTMLElement>('[part~="copy"]')!;
      for (const time of ['the first', 'the second']) {
        delete button.dataset.state;
        button.click();
        await until(() => button.dataset.state === 'failed', `${time} copy is refused`);
      }
      const told = [...root.querySelectorAll('.error, .status')].filter(
        (one) => one.textContent?.includes(WORDS) === true,
      );
      expect(told).to.have.length(1);
      const gap = told[0]!.getBoundingClientRect().top - button.getBoundingClientRect().bottom;
      expect(gap).to.be.within(0, MAX_GAP_PX);
      const spoken = (): string => root.querySelector('[data-spoken]')?.textContent ?? '';
      await until(() => spoken() === WORDS, 'the result is spoken');
      holdClipboard(() => Promise.resolve());
      button.click();
      await until(() => button.dataset.state === 'copied', 'the copy succeeds');
      expect(root.querySelector('.error')).to.equal(null);
    });

  it('leaves its button in the language that the page has changed to', async () => {
    const { setTimeout } = window;
    const held: (() => void)[] = [];
    holdClipboard(() => Promise.resolve());
    const element = await stageState(states.showing_deposit_address);
    const button = element.shadowRoot!.querySelector<HTMLElement>('[part~="copy"]')!;
    Object.assign(window, {
      setTimeout: (run: () => void, ms: number) =>
        ms === 2000 ? held.push(run) : setTimeout(run, ms),
    });
    button.click();
    await until(() => button.textContent === 'Copied', 'the copy');
    element.setAttribute('locale', 'de');
    await until(() => button.textContent === 'Kopieren', 'German');
    Object.assign(window, { setTimeout });
    for (const run of held) run();
    expect(button.textContent).to.equal('Kopieren');
  });

  it('is spoken each time; a screen reader ignores a text that stays the same', async () => {
    holdClipboard(() => Promise.reject(new Error('refused')));
    const root = (await stageState(states.showing_deposit_address)).shadowRoot!;
    const spoken = root.querySelector('[data-spoken]')!;
    const heard: string[] = [];
    const observer = new MutationObserver(() => heard.push(spoken.textContent));
    observer.observe(spoken, { childList: true });
    for (const expected of [[WORDS], [WORDS, '', WORDS]]) {
      root.querySelector<HTMLElement>('[part~="copy"]')!.click();
      await until(() => heard.length >= expected.length, 'spoken');
      expect(heard).to.deep.equal(expected);
    }
    observer.disconnect();
  });
});
