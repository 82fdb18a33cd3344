/**
 * The controls of the playground: a side bar of states, a frame as wide as a phone and one as wide
 * as a desktop, and the lines that a shop copies.
 */
import type { Phase } from '../../widget/checkout/flow.js';
import { LOCALES } from '../../relay/contract/locales.js';
import { states } from '../element-states.js';
import { find, html, show, type Markup } from './markup.js';
import {
  LOOKS,
  POINTERS,
  RADII,
  readChoices,
  THEMES,
  toSearch,
  type Choices,
} from './playground-choices.js';

/** In the order of the side bar. */
const GROUP_OF: Readonly<Record<Phase, string>> = {
  waiting: 'Before the order',
  loading: 'Before the order',
  choosing: 'Before the order',
  submitting: 'Before the order',
  confirming: 'Waiting for the payment',
  awaiting_payment: 'Waiting for the payment',
  succeeded: 'Ends',
  failed: 'Ends',
  expired: 'Ends',
  closed: 'Ends',
  unmapped: 'Unclear',
  review: 'Unclear',
  showing_deposit_address: 'Deposits',
  problem: 'Problems',
};
const FRAMES = [
  { name: 'Phone', width: 390, height: 844 },
  { name: 'Desktop', width: 832, height: 844 },
] as const;
const DEFAULT_ACCENT = '#1f5fd0';

const select = (
  name: keyof Choices,
  words: string,
  all: readonly string[],
  chosen: string,
): Markup =>
  html`<label
    >${words}
    <select name="${name}">
      ${all.map(
        (value) =>
          html`<option value="${value}" ${value === chosen && html`selected`}>
            ${value === '' ? 'of the theme' : value}
          </option>`,
      )}
    </select></label
  >`;

/** The list of states for a narrow window, where the side bar would be far from the pictures. */
const stateSelect = (groups: readonly Group[]): Markup =>
  html`<label class="narrow-only"
    >State
    <select name="state">
      <option value="all">All</option>
      ${groups.map(
        ({ names, title }) =>
          html`<optgroup label="${title}">
            ${names.map((name) => html`<option value="${name}">${titleOf(name)}</option>`)}
          </optgroup>`,
      )}
    </select></label
  >`;

const stateButton = (name: string): Markup =>
  html`<button type="button" data-state="${name}">${titleOf(name)}</button>`;

/** `problem token_expired` reads as “Token expired”, because its group is named “Problems”. */
function titleOf(name: string): string {
  const words = name.replace(/^(problem|awaiting) (?=\S)/, '').replaceAll('_', ' ');
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/ qr$/, ' QR');
}

type Group = { readonly title: string; readonly names: readonly string[] };
const groups: readonly Group[] = [...new Set(Object.values(GROUP_OF))].map((title) => ({
  title,
  names: Object.entries(states).flatMap(([name, { phase }]) =>
    GROUP_OF[phase] === title ? [name] : [],
  ),
}));

function sideBar({ state }: Choices): Markup {
  const lists = groups.map(
    ({ names, title }) =>
      html`<details ${names.includes(state) && html`open`}>
        <summary>${title} <small>${names.length}</small></summary>
        ${names.map(stateButton)}
      </details>`,
  );
  return html`<p><a href="/">← Back to the shop</a></p>
    <h1>Playground</h1>
    ${stateButton('all')} ${lists}`;
}

/** The lines that a shop writes for the chosen look. */
function snippet({ accent, locale, look, radius, theme }: Choices): string {
  const tokens = [
    ...(accent ? [`--pay-accent: ${accent};`] : []),
    ...(radius ? [`--pay-radius: ${radius}px;`] : []),
  ];
  return [
    ...(look === 'none' ? [] : [`<link rel="stylesheet" href="/pay/themes/${look}.css">`]),
    ...(tokens.length > 0 ? [`<style>pay-checkout { ${tokens.join(' ')} }</style>`] : []),
    '<script src="/pay/pay-checkout.js" defer></script>',
    `<pay-checkout order-token="…" locale="${locale}" theme="${theme}"></pay-checkout>`,
  ].join('\n');
}

export function showBench(first: Choices): void {
  document.body.classList.add('bench');
  let choices = first;
  const aside = document.createElement('nav');
  aside.setAttribute('aria-label', 'States');
  const controls = find('#controls', HTMLFormElement);
  const shown = find('#shown', HTMLElement);
  controls.before(aside);
  const { accent, locale, look, radius, theme, touch } = first;
  show(
    controls,
    html`${stateSelect(groups)} ${select('locale', 'Language', LOCALES, locale)}
      ${select('theme', 'Theme', THEMES, theme)} ${select('look', 'Look', LOOKS, look)}
      <label>Brand <input type="color" name="accent" value="${accent || DEFAULT_ACCENT}" /></label>
      ${select('radius', 'Corners', RADII, radius)} ${select('touch', 'Pointer', POINTERS, touch)}
      <button type="button" data-copy>Copy the HTML</button>`,
  );
  show(
    shown,
    html`${FRAMES.map(
        ({ height, name, width }) =>
          html`<figure class="window">
            <figcaption>${name}, ${width} px</figcaption>
            <div class="scaled w${width}">
              <iframe title="${name}" width="${width}" height="${height}"></iframe>
            </div>
          </figure>`,
      )}
      <pre tabindex="0" aria-label="The lines for a shop"></pre>`,
  );
  show(aside, sideBar(first));
  const list = find('[name="state"]', HTMLSelectElement);
  // in place: other buttons would take the focus away and close the groups
  const showState = ({ state }: Choices): void => {
    list.value = state;
    for (const button of aside.querySelectorAll('button'))
      if (button.dataset.state === state) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
  };
  const update = (changes: Partial<Choices>): void => {
    choices = readChoices(toSearch({ ...choices, ...changes }));
    history.replaceState(null, '', toSearch(choices));
    showState(choices);
    find('pre', HTMLPreElement).textContent = snippet(choices);
    const frames = shown.querySelectorAll('iframe');
    for (const [index, { width }] of FRAMES.entries()) {
      const isDesk = width > 600;
      const search = toSearch({
        ...choices,
        width: isDesk ? '768' : '390',
        touch: isDesk ? 'mouse' : choices.touch,
      });
      // `replace` adds nothing to the history, so that "Back" leaves the playground.
      frames[index]?.contentWindow?.location.replace(`/playground.html${search}&bare`);
    }
  };
  controls.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement)
      update({ [target.name]: target.value });
  });
  controls.addEventListener('submit', (event) => event.preventDefault());
  aside.addEventListener('click', ({ target }) => {
    const state = target instanceof HTMLElement ? target.dataset.state : undefined;
    if (state !== undefined) update({ state });
  });
  const copy = find('[data-copy]', HTMLButtonElement);
  copy.addEventListener('click', () => {
    // on a page without HTTPS there is no clipboard
    const copied = async (): Promise<void> => navigator.clipboard.writeText(snippet(choices));
    void copied().then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'Not copied: select the lines below'),
    );
  });
  update({});
}
