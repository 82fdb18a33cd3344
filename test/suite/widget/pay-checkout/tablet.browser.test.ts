/**
 * A tablet can open a banking or wallet app, and another device can scan its screen, so it shows
 * the code and the action of a phone.
 */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { states } from '../../../../demo/element-states.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { clear, holdTouchDevice, stageState } from './stage.js';

const shown = (element: PayCheckout, selector: string): HTMLElement[] =>
  [...(element.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(
    (one) => one.checkVisibility() && !one.closest('details:not([open]), dialog'),
  );
const wordsOf = (element: PayCheckout): string[] =>
  shown(element, '.actions button, .actions a').map((action) => action.textContent?.trim() ?? '');

describe('a tablet', () => {
  beforeEach(() => {
    // tests of other files share the storage, and their orders would be found here
    clear();
    holdTouchDevice({ width: 820, height: 1180 });
  });
  afterEach(clear);

  for (const [name, expected] of [
    ['awaiting scan_qr', ['Copy code', 'Other ways to pay']],
    ['waiting for more than a minute', ['Copy code', 'Other ways to pay', 'I’ve paid']],
    ['on a phone, the code opens the app', ['Open in your banking app', 'Other ways to pay']],
    ['on a phone, the code is saved', ['Save code', 'Other ways to pay']],
    ['awaiting open_wallet', ['Open the wallet', 'Other ways to pay']],
  ] as const)
    it(`shows the code and the action of a phone in the state “${name}”`, async () => {
      const element = await stageState(states[name]);
      expect(shown(element, 'svg.qr'), 'codes').to.have.length(1);
      expect(shown(element, '.primary'), 'filled buttons').to.deep.equal([]);
      expect(wordsOf(element)).to.deep.equal(expected);
    });

  it('shows the code of a deposit and the link that opens a wallet', async () => {
    const element = await stageState(states.showing_deposit_address);
    expect(shown(element, 'svg.qr'), 'codes').to.have.length(1);
    expect(wordsOf(element)[0]).to.include('Open in wallet');
  });

  it('keeps what its action leaves out in the folded list', async () => {
    const element = await stageState(states['on a phone, the code opens the app']);
    const folded = [...(element.shadowRoot?.querySelectorAll('.more button') ?? [])].map((button) =>
      button.textContent?.trim(),
    );
    expect(folded).to.include('Copy code').and.to.include('Save code');
  });
});

describe('a phone that is turned', () => {
  beforeEach(clear);
  afterEach(clear);

  for (const size of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ])
    it(`shows the action and no code at ${size.width}×${size.height}`, async () => {
      holdTouchDevice(size);
      const element = await stageState(states['on a phone, the code opens the app']);
      expect(shown(element, 'svg.qr'), 'codes').to.deep.equal([]);
      expect(shown(element, '.primary')[0]?.textContent?.trim()).to.equal(
        'Open in your banking app',
      );
    });
});
