/**
 * Every state of the element has a text and passes axe in both themes and directions, at the widths
 * of a phone and a desktop, and with each ready-made theme.
 */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import { states } from '../../../../demo/element-states.js';
import { texts } from './relay-fetch.js';
import { clear } from './stage.js';

const variants = ['light', 'dark'].flatMap((theme) =>
  ['en', 'ar'].flatMap((locale) => [390, 1280].map((width) => ({ theme, locale, width }))),
);

describe('states', () => {
  afterEach(() => {
    clear();
    document.body.replaceChildren();
  });

  for (const [name, state] of Object.entries(states))
    it(`shows ${name} accessibly in every theme, direction and width`, async () => {
      for (const { locale, theme, width } of variants) {
        const frame = document.createElement('div');
        frame.style.cssText = `width:${width}px;background:${theme === 'dark' ? '#000' : '#fff'}`;
        const element = elementIn(state, texts, { theme, locale });
        frame.append(element);
        document.body.append(frame);
        await settled(element, state);
        const base = element.shadowRoot?.querySelector<HTMLElement>('.base');
        expect(base?.dir).to.equal(locale === 'ar' ? 'rtl' : 'ltr');
        expect(base?.textContent?.trim()).not.to.equal('');
        expect(base!.scrollWidth, 'nothing is cut off').to.be.at.most(base!.clientWidth);
        await expect(element).to.be.accessible();
        frame.remove();
        localStorage.clear();
      }
    });
});

describe('the ready-made themes', () => {
  const few = [
    'choosing, contact data asked',
    'awaiting_payment',
    'showing_deposit_address',
    'succeeded',
    'time is over',
    'problem internal',
  ];
  for (const look of ['harbour', 'ledger', 'signal'])
    it(`keeps every text readable with the theme ${look}`, async () => {
      const sheet = document.createElement('link');
      Object.assign(sheet, { rel: 'stylesheet', href: `/widget/themes/${look}.css` });
      document.head.append(sheet);
      await new Promise((resolve, reject) =>
        Object.assign(sheet, { onload: resolve, onerror: reject }),
      );
      for (const theme of ['light', 'dark'])
        for (const name of few) {
          const state = states[name]!;
          const element = elementIn(state, texts, { theme });
          document.body.append(element);
          await settled(element, state);
          expect(getComputedStyle(element).getPropertyValue('--pay-accent')).not.to.equal('');
          await expect(element, `${name}, ${theme}`).to.be.accessible();
          element.remove();
        }
      sheet.remove();
    });
});
