/** The playground without its controls: only the states of the element that the address names. */
import '@fontsource-variable/noto-sans/index.css';
import '@fontsource-variable/noto-sans-arabic/index.css';
import { elementIn, settled } from '../element-in-state.js';
import { states } from '../element-states.js';
import { find } from './markup.js';
import type { Choices } from './playground-choices.js';

/** @param still stops every animation, for screenshots */
export async function showStage(choices: Choices, still: boolean): Promise<void> {
  const { accent, locale, look, radius, state, theme, touch, width } = choices;
  if (touch === 'finger') pretendToTouch(Number(width));
  document.body.classList.add(theme, 'stage');
  if (still) document.body.classList.add('still');
  if (look !== 'none') addTheme(look);
  const brand = new CSSStyleSheet();
  if (accent) brand.insertRule(`pay-checkout { --pay-accent: ${accent} }`);
  if (radius) brand.insertRule(`pay-checkout { --pay-radius: ${radius}px }`);
  document.adoptedStyleSheets.push(brand);

  await customElements.whenDefined('pay-checkout');
  const shown = Object.entries(states).filter(([name]) => state === 'all' || name === state);
  // Each load has purchases of its own. Otherwise it would find the orders of another frame, or of
  // an earlier load.
  const purchase = { 'customer-ref-id': `${width}-${Date.now()}` };
  const cells = shown.map(([name, shownState]) => {
    const cell = document.createElement('figure');
    const caption = document.createElement('figcaption');
    caption.textContent = name;
    const attributes = { theme, locale, ...purchase };
    const element = elementIn(shownState, (path) => fetch(`/pay${path}`), attributes);
    cell.dataset.state = name;
    cell.style.width = `${width}px`;
    cell.append(caption, element);
    return { cell, element, shownState };
  });
  find('#shown', HTMLElement).append(...cells.map(({ cell }) => cell));
  await Promise.all(cells.map(({ element, shownState }) => settled(element, shownState)));
  await document.fonts.ready;
  document.body.dataset.settled = 'true';
}

/** The element asks this query and this size; the media type `all` always matches. */
function pretendToTouch(width: number): void {
  Object.defineProperty(screen, 'width', { value: width });
  const own = window.matchMedia.bind(window);
  window.matchMedia = (query) => own(query === '(pointer: coarse)' ? 'all' : query);
}

function addTheme(look: string): void {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = `/pay/themes/${look}.css`;
  document.head.append(sheet);
}
