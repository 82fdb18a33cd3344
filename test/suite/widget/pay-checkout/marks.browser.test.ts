/** A way to pay without a picture has the icon of its kind; a picture on loopback is shown. */
import { expect } from '@open-wc/testing';
import { checkoutAnswer, OPTIONS } from '../../../../demo/sample-answers.js';
import { states, type ShownState } from '../../../../demo/element-states.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { clear, stageState } from './stage.js';

const marksOf = (element: PayCheckout): Element[] => [
  ...(element.shadowRoot?.querySelectorAll('.mark') ?? []),
];
/** A checkout whose logo and first icon have this address. */
const withPicture = (url: string): ShownState => ({
  phase: 'choosing',
  answer: () =>
    checkoutAnswer({
      logo_url: url,
      options: OPTIONS.map((option, index) =>
        index === 0 ? { ...option, icon_url: url } : option,
      ),
    }),
});

describe('the marks of the ways to pay', () => {
  afterEach(clear);

  it('draws a different icon for each kind of way to pay', async () => {
    const icons = marksOf(await stageState(states.choosing)).map(
      (mark) => mark.querySelector('path')?.getAttribute('d') ?? '',
    );
    expect(icons.length).to.equal(OPTIONS.length);
    expect(new Set(icons).size).to.equal(OPTIONS.length);
    expect(icons).not.to.include('');
  });

  it('stand on the same ground with a picture and without one', async () => {
    for (const theme of ['light', 'dark']) {
      const element = await stageState(withPicture(`${location.origin}/logo.png`), { theme });
      const grounds = marksOf(element).map((mark) => getComputedStyle(mark).backgroundColor);
      expect(new Set(grounds)).to.deep.equal(new Set(['rgb(255, 255, 255)']));
    }
  });

  for (const [url, shown] of [
    [`${location.origin}/logo.png`, true],
    ['https://localhost/logo.png', true],
    ['http://shop.example/logo.png', false],
    ['https://stranger.example/logo.png', false],
    ['javascript:alert(1)', false],
    ['not an address', false],
  ] as const)
    it(`${shown ? 'asks' : 'does not ask'} for a picture at ${url}`, async () => {
      const element = await stageState(withPicture(url));
      const pictures = element.shadowRoot?.querySelectorAll('.mark img').length;
      expect(pictures).to.equal(shown ? 2 : 0);
      expect(element.shadowRoot?.querySelectorAll('.shop .mark').length).to.equal(shown ? 1 : 0);
    });
});
