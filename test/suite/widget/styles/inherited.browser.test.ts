/** What a page lets its elements inherit does not change the card, unless it hides or disables. */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import { states } from '../../../../demo/element-states.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { texts } from '../pay-checkout/relay-fetch.js';
import { clear, stageState } from '../pay-checkout/stage.js';

/**
 * A page that hides its content, or switches it off, means the card too. The colour scheme is that
 * of the page, which place.browser.test.ts tests.
 */
const OBEYED = ['visibility', 'pointer-events', 'interactivity', 'color-scheme'];

/** For each property, the test takes the values that it allows. */
const VALUES =
  'uppercase 7px 11px 3 0.37 rgb(1,2,3) red none auto normal all nowrap pre hidden right center ' +
  'italic bold small-caps rtl vertical-rl help square inside "x" "kern"0 break-all keep-all ' +
  'anywhere collapse separate hide 700 50% 2em exact geometricPrecision evenodd round bevel ' +
  'middle under left over dot open sesame wavy full-width each-line hanging last ' +
  'loose manual only optimizeSpeed pixelated none painted fill stroke markers disc circle ' +
  'condensed expanded serif monospace proportional-nums super sub historical-forms unicase ' +
  'contextual preserve-parent-color stable balance pretty before after start end justify ' +
  'force-end allow-end trim-start both upright sideways mixed plaintext linearRGB crispEdges ' +
  'emoji text simplified traditional fixed show ideographic-alpha no-autospace space-all ' +
  'break-spaces preserve stretch cubic-bezier(0,0,1,1) drag no-drag read-write text-after-edge ' +
  'alternate inert dark light economy from-image slashed-zero common-ligatures optical ' +
  'break-word after-edge inter-character strict thin 1px_2px_red paused multiply bidi-override';

const probe = (): { parent: HTMLElement; child: HTMLElement; remove(): void } => {
  const [parent, child] = [document.createElement('div'), document.createElement('div')];
  parent.append(child);
  document.body.append(parent);
  return { parent, child, remove: () => parent.remove() };
};

/** Every inherited property of this browser, with a value that its ancestors do not have here. */
function inheritedProperties(): Map<string, string> {
  const { child, parent, remove } = probe();
  const found = new Map<string, string>();
  const computed = getComputedStyle(child);
  for (const property of Array.from(computed)) {
    const before = computed.getPropertyValue(property);
    for (const value of VALUES.split(' ').map((word) => word.replaceAll('_', ' '))) {
      if (!CSS.supports(property, value)) continue;
      parent.style.setProperty(property, value);
      if (computed.getPropertyValue(property) !== before) found.set(property, value);
      parent.style.removeProperty(property);
      if (found.has(property)) break;
    }
  }
  remove();
  return found;
}

/** Shows a state below an ancestor that has these declarations. */
async function stageBelow(
  name: string,
  declarations: Iterable<[string, string]>,
): Promise<PayCheckout> {
  const ancestor = document.createElement('div');
  const frame = document.createElement('div');
  for (const [property, value] of declarations)
    ancestor.style.setProperty(property, value, 'important');
  frame.style.cssText = 'width:480px;direction:ltr;writing-mode:horizontal-tb';
  ancestor.append(frame);
  document.body.append(ancestor);
  const element = elementIn(states[name]!, texts);
  frame.append(element);
  await settled(element, states[name]!);
  return element;
}

/** What the customer sees of each node of the card: inherited properties and its size. */
const looks = (element: PayCheckout, properties: string[]): Record<string, string>[] =>
  [...element.shadowRoot!.querySelectorAll<HTMLElement>('.base, .base *')].map((node) => {
    const style = getComputedStyle(node);
    const { height, width } = node.getBoundingClientRect();
    return {
      node: node.outerHTML.slice(0, 60),
      size: `${Math.round(width)} x ${Math.round(height)}`,
      ...Object.fromEntries(properties.map((name) => [name, style.getPropertyValue(name)])),
    };
  });

function differences(now: Record<string, string>[], before: Record<string, string>[]): string[] {
  const found = new Map<string, string>();
  for (const [index, look] of now.entries())
    for (const [name, value] of Object.entries(look))
      if (name !== 'node' && value !== before[index]?.[name] && !found.has(name))
        found.set(name, `${name}: ${value}, not ${before[index]?.[name]}, at ${look.node}`);
  return [...found.values()];
}

const clean = (): void => {
  clear();
  document.body.replaceChildren();
  document.documentElement.removeAttribute('style');
};

describe('the CSS of the page', () => {
  afterEach(clean);

  for (const name of ['choosing, contact data asked', 'awaiting_payment', 'a deposit received'])
    it(`leaves ${name} as it is when an ancestor sets every inherited property`, async () => {
      const all = inheritedProperties();
      expect(all.size).to.be.at.least(60);
      for (const property of ['text-transform', '-webkit-text-fill-color', 'user-select'])
        expect(all.has(property) || property === 'user-select', property).to.equal(true);
      for (const property of OBEYED) all.delete(property);
      const properties = [...all.keys(), 'user-select'];
      const plain = looks(await stageBelow(name, []), properties);
      clean();
      const disturbed = looks(await stageBelow(name, all), properties);
      expect(disturbed.length).to.equal(plain.length);
      expect(differences(disturbed, plain)).to.deep.equal([]);
    });

  it('keeps the language by which the browser chooses fonts', async () => {
    const element = await stageState(states.choosing, { locale: 'ja' });
    const title = getComputedStyle(element.shadowRoot!.querySelector('h2')!);
    // engines differ in the quotes, and Firefox has no such property
    expect(title.getPropertyValue('-webkit-locale') || 'ja').to.match(/^"?ja"?$/);
  });

  for (const property of ['visibility', 'pointer-events'])
    it(`keeps ${property} of the page, which hides the card or switches it off`, async () => {
      const value = property === 'visibility' ? 'hidden' : 'none';
      const element = await stageBelow('choosing', [[property, value]]);
      const base = element.shadowRoot!.querySelector('.base')!;
      expect(getComputedStyle(base).getPropertyValue(property)).to.equal(value);
    });
});

describe('a value whose letters matter', () => {
  afterEach(clean);

  const RULES =
    'text-transform: uppercase; letter-spacing: 5px; word-spacing: 9px; text-indent: 9px; ' +
    'font: 12px serif; font-variant: small-caps; -webkit-text-fill-color: transparent; ' +
    'text-shadow: 1px 1px red; user-select: none; white-space: nowrap; font-style: italic; ' +
    'hyphens: auto; direction: rtl; -webkit-text-security: disc';

  it('keeps its letters and its font when the page styles the parts', async () => {
    const sheet = document.createElement('style');
    sheet.textContent = ['address', 'tag', 'reference']
      .map((part) => `pay-checkout::part(${part}) { ${RULES} }`)
      .join('\n');
    const plain = await stageBelow('showing_deposit_address', []);
    const value = (element: PayCheckout, part: string): CSSStyleDeclaration =>
      getComputedStyle(element.shadowRoot!.querySelector(`[part~="${part}"]`)!);
    const wanted = [
      'text-transform',
      'letter-spacing',
      'word-spacing',
      'text-indent',
      'font-family',
      'font-variant',
      'font-style',
      '-webkit-text-fill-color',
      'text-shadow',
      'user-select',
      'white-space',
      'hyphens',
      'direction',
      '-webkit-text-security',
    ];
    const seen = (): string[][] =>
      ['address', 'tag'].map((part) =>
        wanted.map((name) => `${name}: ${value(plain, part).getPropertyValue(name)}`),
      );
    const before = seen();
    expect(before.flat().filter((line) => /^font-family: .*monospace/.test(line))).to.have.length(
      2,
    );
    document.head.append(sheet);
    expect(seen()).to.deep.equal(before);
    sheet.remove();
  });

  for (const [what, state, selector] of [
    ['an address', 'showing_deposit_address', '[part~="address"]'],
    ['a tag', 'showing_deposit_address', '[part~="tag"]'],
    ['a code as text', 'a code too long for a picture', '.payload'],
    ['the number of an order', 'awaiting_payment', '.mono'],
    ['a reference', 'review', '[part~="reference"]'],
  ] as const)
    it(`shows ${what} in letters of one width`, async () => {
      const element = await stageBelow(state, []);
      const shown = element.shadowRoot!.querySelector(selector)!;
      expect(getComputedStyle(shown).fontFamily).to.include('monospace');
    });
});

describe('the sizes of the card', () => {
  afterEach(clean);

  const textSizes = (element: PayCheckout): number[] =>
    [...element.shadowRoot!.querySelectorAll<HTMLElement>('.base *')]
      .filter((node) => node.getClientRects().length > 0 && node.textContent.trim() !== '')
      .map((node) => parseFloat(getComputedStyle(node).fontSize))
      // the sign of a done step has no letters
      .filter((size) => size > 0);

  for (const size of ['62.5%', '10px', '100%'])
    it(`shows no text below 12 px and no field below 16 px when the page has ${size}`, async () => {
      document.documentElement.style.fontSize = size;
      const element = await stageBelow('choosing, contact data asked', []);
      expect(Math.min(...textSizes(element))).to.be.at.least(12);
      const field = element.shadowRoot!.querySelector('.input input')!;
      expect(parseFloat(getComputedStyle(field).fontSize)).to.be.at.least(16);
    });

  it('grows with the text size that the customer has set', async () => {
    document.documentElement.style.fontSize = '24px';
    const element = await stageBelow('choosing', []);
    const title = element.shadowRoot!.querySelector('.hint, .option')!;
    expect(parseFloat(getComputedStyle(title).fontSize)).to.be.at.least(22);
  });

  it('leaves the shop its width beside the amount when text is twice as large', async () => {
    const element = await stageBelow('awaiting_payment', [
      ['--pay-font-size', '32px'],
      ['width', '374px'],
    ]);
    const shop = element.shadowRoot!.querySelector('.row > div')!;
    expect(shop.clientWidth).to.be.at.least(9 * 32);
  });

  for (const state of ['choosing, contact data asked', 'showing_deposit_address', 'succeeded'])
    it(`follows --pay-font-size with every text in ${state}`, async () => {
      const plain = textSizes(await stageBelow(state, [['--pay-font-size', '16px']]));
      clean();
      const large = textSizes(await stageBelow(state, [['--pay-font-size', '20px']]));
      expect(large.map((size) => Math.round(size * 100))).to.deep.equal(
        plain.map((size) => Math.round(size * 125)),
      );
    });
});
