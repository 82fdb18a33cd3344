/**
 * Shows states of the element; the address names them: `?state=all&theme=dark&locale=ar`. With
 * `still` in the address nothing moves, for screenshots.
 */
import '@fontsource-variable/noto-sans/index.css';
import '@fontsource-variable/noto-sans-arabic/index.css';
import { elementIn, settled } from '../element-in-state.js';
import { states } from '../element-states.js';
import { LOCALES } from '../../widget/texts/locales.js';
import { find, html, show } from './markup.js';

const asked = new URLSearchParams(location.search);
const choice = (name: string, other: string): string => asked.get(name) ?? other;
const state = choice('state', 'awaiting_payment');
const theme = choice('theme', 'light');
const locale = choice('locale', 'en');
const width = choice('width', '390');

const CHOICES: Record<string, [string, readonly string[]]> = {
  state: [state, ['all', ...Object.keys(states)]],
  theme: [theme, ['light', 'dark']],
  look: [choice('look', 'none'), ['none', 'ledger', 'harbour', 'signal']],
  locale: [locale, LOCALES],
  width: [width, ['320', '390', '768', '1280']],
};

document.body.className = theme;
if (asked.has('still')) document.body.classList.add('still');
const look = choice('look', 'none');
if (look !== 'none') {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = `/pay/themes/${look}.css`;
  document.head.append(sheet);
}

const controls = find('#controls', HTMLFormElement);
show(
  controls,
  html`${Object.entries(CHOICES).map(
    ([name, [chosen, all]]) =>
      html`<label
        >${name}
        <select name="${name}">
          ${all.map(
            (value) => html`<option ${value === chosen && html`selected`}>${value}</option>`,
          )}
        </select></label
      >`,
  )}`,
);
controls.addEventListener('change', () => controls.submit());

await customElements.whenDefined('pay-checkout');
const shown = Object.entries(states).filter(([name]) => state === 'all' || name === state);
const cells = shown.map(([name, one]) => {
  const cell = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  const element = elementIn(one, (path) => `/pay${path}`, { theme, locale });
  cell.dataset.state = name;
  cell.style.width = `${width}px`;
  cell.append(caption, element);
  return { cell, element, one };
});
find('#shown', HTMLElement).append(...cells.map(({ cell }) => cell));
await Promise.all(cells.map(({ element, one }) => settled(element, one)));
await document.fonts.ready;
document.body.dataset.settled = 'true';
