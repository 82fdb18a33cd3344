/** Letters mark a way to pay that has no picture: they are legible, and no two marks are equal. */
import { expect } from '@open-wc/testing';
import { states, type ShownState } from '../../../../demo/element-states.js';
import { monogram } from '../../../../widget/fragments/picture-mark.js';
import { contrast } from './contrast.js';
import { clear, stageState } from './stage.js';

const marksOf = (names: readonly string[]): string[] => names.map((name) => monogram(name, names));

describe('monogram', () => {
  it('takes the first letters of two words, or else the first two letters', () => {
    expect(marksOf(['SBP', 'Bank transfer', 'pix', '支付宝', 'Élan+'])).to.deep.equal([
      'SB',
      'BT',
      'PI',
      '支付',
      'ÉL',
    ]);
  });

  for (const [what, names] of Object.entries({
    'one first letter': ['Card', 'Crypto', 'Cash', 'Cards', 'Carte Bancaire', 'Cheque'],
    'one first word': Array.from({ length: 12 }, (_, index) => `Bank ${index + 1}`),
    'the same two words': ['Bank transfer', 'Bank Transilvania', 'Bank Tejarat', 'Bangkok Trust'],
    'an abbreviation': ['SBP', 'SberPay', 'SPEI', 'Sofort', 'SEPA'],
  }))
    it(`gives no two names the same letters when they begin with ${what}`, () => {
      const marks = marksOf(names);
      expect(new Set(marks).size, marks.join()).to.equal(names.length);
    });

  it('makes a mark of the letters of a name, and no mark of a name without letters', () => {
    expect(monogram('Bean & Leaf', ['Card'])).to.equal('BL');
    expect(monogram('X', ['X'])).to.equal('X');
    expect(monogram('—', [])).to.equal('');
  });
});

describe('the marks of the ways to pay', () => {
  afterEach(clear);

  for (const theme of ['light', 'dark'])
    for (const name of ['choosing', 'choosing among many', 'awaiting_payment'])
      it(`draws different marks with the contrast of text in ${name} in ${theme}`, async () => {
        const state: ShownState | undefined = states[name];
        const element = await stageState(state, { theme });
        const marks = [...(element.shadowRoot?.querySelectorAll('.mark') ?? [])];
        const letters = marks.map((mark) => mark.textContent?.trim());
        expect(new Set(letters).size, letters.join()).to.equal(marks.length);
        for (const mark of marks) {
          const { backgroundColor, color } = getComputedStyle(mark);
          expect(contrast(color, backgroundColor), `${color} on ${backgroundColor}`).to.be.above(
            4.5,
          );
        }
      });
});
