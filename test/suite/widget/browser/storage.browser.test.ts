/** The last chosen way to pay and wallet in the browser's storage. */
import { expect } from '@open-wc/testing';
import { rememberedChoice, rememberedWallet } from '../../../../widget/browser/storage.js';

describe('the last choice', () => {
  const KEY = 'pay-checkout:choice';
  const HOUR_MS = 3_600_000;
  afterEach(() => localStorage.removeItem(KEY));

  it('remembers the option that was chosen last', () => {
    rememberedChoice.write('card');
    rememberedChoice.write('qr');
    expect(rememberedChoice.read()).to.equal('qr');
  });

  it('remembers a wallet with spaces in its name beside the option', () => {
    rememberedChoice.write('sbp');
    rememberedWallet.write('Birch Bank of 1900');
    expect(rememberedWallet.read()).to.equal('Birch Bank of 1900');
    expect(rememberedChoice.read()).to.equal('sbp');
    localStorage.removeItem('pay-checkout:wallet');
  });

  it('remembers an option that was chosen 23 hours ago', () => {
    localStorage.setItem(KEY, `${Date.now() - 23 * HOUR_MS} card`);
    expect(rememberedChoice.read()).to.equal('card');
  });

  for (const [what, value] of Object.entries({
    'is older than 24 hours': `${Date.now() - 24 * HOUR_MS - 1} card`,
    'lies in the future': `${Date.now() + HOUR_MS} card`,
    'has no time': 'card',
    'has no option': `${Date.now()} `,
  }))
    it(`removes a stored choice that ${what}`, () => {
      localStorage.setItem(KEY, value);
      expect(rememberedChoice.read()).to.equal(null);
      expect(localStorage.getItem(KEY)).to.equal(null);
    });
});
