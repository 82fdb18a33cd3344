/** The card takes its natural width in every kind of parent, and the page's colour scheme. */
import { expect } from '@open-wc/testing';
import { emulateMedia, setViewport } from '@web/test-runner-commands';
import '../../../../widget/define.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import { states } from '../../../../demo/element-states.js';
import { texts } from '../pay-checkout/relay-fetch.js';
import { clear } from '../pay-checkout/stage.js';

/** Width of the card where there is space for it (styles/card.ts). */
const NATURAL_PX = 520;

/** Parents that are as wide as their content. */
const PARENTS: Record<string, string> = {
  'an open dialog': '<dialog open style="padding:16px"><i></i></dialog>',
  'a form in a dialog': '<dialog open><form method="dialog"><i></i></form></dialog>',
  'a flex row': '<div style="display:flex"><i></i></div>',
  'a centred flex column':
    '<div style="display:flex;flex-direction:column;align-items:center"><i></i></div>',
  'a centred grid': '<div style="display:grid;justify-items:center"><i></i></div>',
  'an inline block': '<div style="display:inline-block"><i></i></div>',
  'a float': '<div style="float:left"><i></i></div>',
  'a table cell': '<table><tr><td><i></i></td></tr></table>',
  'a positioned box': '<div style="position:absolute"><i></i></div>',
  'a box of fit-content': '<div style="width:fit-content"><i></i></div>',
  'a block': '<div><i></i></div>',
};

async function cardIn(parent: string, name: string, theme = 'auto'): Promise<DOMRect> {
  const page = document.createElement('main');
  page.innerHTML = parent;
  const element = elementIn(states[name]!, texts, { theme });
  page.querySelector('i')?.replaceWith(element);
  document.body.append(page);
  await settled(element, states[name]!);
  return element.shadowRoot!.querySelector('.base')!.getBoundingClientRect();
}

const clean = (): void => {
  clear();
  document.body.replaceChildren();
  document.documentElement.removeAttribute('style');
};

describe('the width of the card', () => {
  afterEach(clean);
  after(() => setViewport({ width: 1280, height: 800 }));

  for (const [what, parent] of Object.entries(PARENTS)) {
    it(`is its natural width in ${what}`, async () => {
      await setViewport({ width: 1280, height: 800 });
      expect((await cardIn(parent, 'awaiting_payment')).width).to.equal(NATURAL_PX);
    });

    for (const width of [390, 320])
      it(`fits into a window of ${width} px in ${what}`, async () => {
        await setViewport({ width, height: 800 });
        const card = await cardIn(parent, 'awaiting_payment');
        expect(card.width).to.be.at.least(width - 70);
        expect(document.documentElement.scrollWidth).to.be.at.most(width);
      });
  }
});

describe('a page in columns', () => {
  afterEach(clean);

  it('has the whole card in one of them', async () => {
    const words = '<p>word word word word word word word</p>'.repeat(12);
    const parent = `<div style="columns:2;width:900px">${words}<i></i></div>`;
    await cardIn(parent, 'awaiting_payment');
    const base = document.querySelector('pay-checkout')!.shadowRoot!.querySelector('.base')!;
    expect(base.getClientRects().length).to.equal(1);
  });
});

describe('a modal', () => {
  afterEach(clean);

  it('takes no space in a flex row', async () => {
    const row = document.createElement('main');
    row.style.display = 'flex';
    const element = elementIn(states.choosing!, texts, { display: 'modal' });
    row.append(element);
    document.body.append(row);
    await settled(element, states.choosing!);
    expect(element.getBoundingClientRect().width).to.equal(0);
  });
});

/** The drivers of the other engines cannot change the system, which is light. */
const canBeDark = navigator.userAgent.includes('Chrome/');

async function setSystem(colorScheme: 'dark' | 'light'): Promise<void> {
  if (canBeDark) await emulateMedia({ colorScheme });
}

describe('the colour scheme of the card', () => {
  afterEach(clean);
  after(() => setSystem('light'));

  const cases = [
    ['', 'auto', 'dark', 'light'],
    ['', 'auto', 'light', 'light'],
    ['light', 'auto', 'dark', 'light'],
    ['dark', 'auto', 'light', 'dark'],
    ['light dark', 'auto', 'dark', 'dark'],
    ['light dark', 'auto', 'light', 'light'],
    ['dark', 'light', 'dark', 'light'],
    ['light', 'dark', 'light', 'dark'],
  ] as const;
  const runnable = cases.filter(([, , system]) => system === 'light' || canBeDark);
  for (const [page, theme, system, wanted] of runnable)
    it(`is ${wanted} in a '${page}' page on a ${system} system, theme ${theme}`, async () => {
      await setSystem(system);
      document.documentElement.style.colorScheme = page;
      await cardIn('<i></i>', 'choosing', theme);
      const base = document.querySelector('pay-checkout')!.shadowRoot!.querySelector('.base')!;
      const paper = getComputedStyle(base).backgroundColor;
      expect(paper).to.equal(wanted === 'light' ? 'rgb(255, 255, 255)' : 'rgb(21, 26, 34)');
    });

  it('follows the part of the page in which it stands', async () => {
    await cardIn('<div style="color-scheme:dark"><i></i></div>', 'choosing');
    const base = document.querySelector('pay-checkout')!.shadowRoot!.querySelector('.base')!;
    expect(getComputedStyle(base).backgroundColor).to.equal('rgb(21, 26, 34)');
  });
});
