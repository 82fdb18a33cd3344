/** A shop may choose any accent: texts on it and the ring of the focus stay legible. */
import { expect } from '@open-wc/testing';
import { states } from '../../../../demo/element-states.js';
import { contrast } from './contrast.js';
import { clear, stageState } from './stage.js';

const ACCENTS = ['#ffd400', '#000000', '#ffffff', '#cc0000', '#757575', '#00ff00'];
/** WCAG 2.2, 1.4.3 for text and 1.4.11 for what shows the focus. */
const TEXT = 4.5;
const SHAPE = 3;

describe('an accent of the shop', () => {
  afterEach(clear);

  for (const theme of ['light', 'dark'])
    for (const accent of ACCENTS)
      it(`keeps the main button and the focus legible with ${accent} in ${theme}`, async () => {
        const element = await stageState(states.choosing, { theme });
        element.style.setProperty('--pay-accent', accent);
        const find = (selector: string): HTMLElement => {
          const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
          if (!found) throw new Error(`nothing at ${selector}`);
          return found;
        };
        const paper = getComputedStyle(find('.base')).backgroundColor;
        const button = find('.primary');
        const { backgroundColor, borderColor, color } = getComputedStyle(button);
        expect(contrast(color, backgroundColor), 'text').to.be.at.least(TEXT);
        const shape = Math.max(contrast(borderColor, paper), contrast(backgroundColor, paper));
        expect(shape, 'the shape of the button').to.be.at.least(SHAPE);
        find('h2').focus();
        button.focus({ focusVisible: true } as FocusOptions);
        const { outlineColor, outlineStyle } = getComputedStyle(button);
        expect(outlineStyle).to.equal('solid');
        expect(contrast(outlineColor, paper), 'the ring').to.be.at.least(SHAPE);
      });
});
