/** In every state, controls are large enough for a finger, and narrow phones cut nothing off. */
import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import '../../../../widget/define.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import { checkoutAnswer, instant, sampleOrder } from '../../../../demo/sample-answers.js';
import { states, type ShownState } from '../../../../demo/element-states.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { until } from '../../support/world.js';
import { texts } from './relay-fetch.js';
import { clear, stageState } from './stage.js';

/** Apple's and WCAG's (level AAA) size of a target. */
const FINGER_PX = 44;
const DAY_MS = 86_400_000;

const all = (element: PayCheckout, selector: string): HTMLElement[] => [
  ...(element.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
];
const isShown = (element: Element): boolean => element.getClientRects().length > 0;

/** Shows a state in a frame of a width. */
async function stageAt(
  width: number,
  state: ShownState,
  attributes: Record<string, string> = {},
): Promise<PayCheckout> {
  const frame = document.createElement('div');
  frame.style.width = `${width}px`;
  const element = elementIn(state, texts, attributes);
  frame.append(element);
  document.body.append(frame);
  await settled(element, state);
  return element;
}

const clean = (): void => {
  clear();
  document.body.replaceChildren();
};

describe('a control', () => {
  afterEach(clean);

  for (const [name, state] of Object.entries(states))
    it(`makes each control as large as a finger in ${name}, also a folded one`, async () => {
      const element = await stageAt(390, state);
      for (const fold of all(element, 'details')) fold.setAttribute('open', '');
      const controls = all(element, 'button, a[href], summary, .option, .gate, .input input');
      for (const control of controls.filter(isShown)) {
        const { height, width } = control.getBoundingClientRect();
        const words = control.outerHTML.slice(0, 120);
        expect(height, words).to.be.at.least(FINGER_PX - 0.5);
        expect(width, words).to.be.at.least(FINGER_PX - 0.5);
      }
    });
});

describe('a card of 320 px', () => {
  afterEach(clean);

  for (const locale of ['ar', 'de', 'my', 'hu'])
    it(`cuts nothing off in any state in ${locale}`, async () => {
      for (const [name, state] of Object.entries(states)) {
        const element = await stageAt(320, state, { locale });
        for (const fold of all(element, 'details')) fold.setAttribute('open', '');
        const [base] = all(element, '.base');
        const card = base!.getBoundingClientRect();
        const outside = all(element, '.base :not(.unseen, .unseen *, dialog, dialog *)')
          .filter(isShown)
          .filter((inner) => {
            const { left, right } = inner.getBoundingClientRect();
            return left < card.left - 1 || right > card.right + 1;
          });
        expect(
          outside.map((inner) => inner.outerHTML.slice(0, 80)),
          name,
        ).to.deep.equal([]);
        clean();
      }
    });
});

describe('a QR code', () => {
  afterEach(clean);

  after(() => setViewport({ width: 1280, height: 800 }));

  for (const [width, height, codePx] of [
    [320, 800, 240],
    [390, 844, 240],
    [1280, 800, 280],
    [1280, 390, 200],
  ] as const)
    it(`draws a code at least ${codePx} px wide in a window of ${width}×${height}`, async () => {
      await setViewport({ width: Math.max(390, width), height });
      const element = await stageAt(width, states['time is running out']!);
      const svg = element.shadowRoot!.querySelector<SVGSVGElement>('svg.qr')!;
      const modules = svg.viewBox.baseVal.width;
      const code = (svg.getBoundingClientRect().width * (modules - 8)) / modules;
      expect(code).to.be.at.least(codePx);
    });
});

describe('a deposit', () => {
  afterEach(clean);

  for (const [name, wide] of [
    ['showing_deposit_address', true],
    ['a deposit behind its gate', false],
  ] as const)
    it(`takes ${wide ? 'two columns' : 'one column'} when it shows ${name}`, async () => {
      const element = await stageAt(1280, states[name]!);
      const width = all(element, '.base')[0]!.getBoundingClientRect().width;
      expect(width > 520).to.equal(wide);
    });

  it('leaves no gap at the end of two columns', async () => {
    const element = await stageAt(1280, states['a deposit, the address alone']!);
    const [screen] = all(element, '.screen');
    const ends = [...screen!.children].map((part) =>
      part.matches('.codes')
        ? part.lastElementChild!.getBoundingClientRect().bottom
        : part.getBoundingClientRect().bottom,
    );
    expect(screen!.getBoundingClientRect().bottom - Math.max(...ends)).to.be.at.most(1);
  });
});

describe('the time left to pay', () => {
  afterEach(clear);

  for (const [what, wrongMs] of [
    ['a day ahead', DAY_MS],
    ['a day behind', -DAY_MS],
  ] as const)
    it(`follows the relay’s clock when the phone’s clock is ${what}`, async () => {
      const element = await stageState({
        phase: 'awaiting_payment',
        answer: (phone) => {
          const relay = phone - wrongMs;
          const expires_at = instant(relay + 400_000);
          return checkoutAnswer({}, sampleOrder(relay, { expires_at }));
        },
      });
      const [countdown] = all(element, '.countdown');
      expect(Number(countdown?.dataset.seconds)).to.be.within(390, 400);
      expect(all(element, '[part~="qr"]').length).to.equal(1);
    });

  it('counts on when the phone’s clock is set back while a code waits', async () => {
    const element = await stageState({
      phase: 'awaiting_payment',
      answer: (now) => checkoutAnswer({}, sampleOrder(now, { expires_at: instant(now + 400_000) })),
    });
    const rightNow = Date.now;
    Date.now = () => rightNow() - DAY_MS;
    try {
      const seconds = (): number => Number(all(element, '.countdown')[0]?.dataset.seconds);
      const first = seconds();
      await until(() => seconds() !== first, 'a tick');
      expect(seconds()).to.be.below(first);
    } finally {
      Date.now = rightNow;
    }
  });
});
