/** What each page of the documentation does: buttons that copy a block of code, and the search. */
import type { SearchEntry } from '../docs-site/site.js';
import { find } from './markup.js';

/** @param address of the file that has the sections */
export type LoadIndex = (address: string) => Promise<SearchEntry[]>;

const MAX_RESULTS = 12;
const EXCERPT_CHARACTERS = 120;
/** How long a button says "Copied" before it says "Copy" again. */
const COPIED_FOR_MS = 1500;

for (const block of document.querySelectorAll<HTMLElement>('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), COPIED_FOR_MS);
    });
  });
  block.append(button);
}

// the list of pages is closed at first on a phone, where it would hide the page
if (matchMedia('(width < 900px)').matches)
  document.querySelector('details.menu')?.removeAttribute('open');

const form = find('form.search', HTMLFormElement);
const field = find('form.search input', HTMLInputElement);
const results = find('form.search ol', HTMLOListElement);
const status = find('#found', HTMLElement);

/** Every word must occur; a word in the heading or the title counts more. */
function score({ heading, page, text }: SearchEntry, words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    const inHeading = heading.toLowerCase().includes(word);
    const inPage = page.toLowerCase().includes(word);
    const inText = text.toLowerCase().includes(word);
    if (!inHeading && !inPage && !inText) return 0;
    sum += (inHeading ? 8 : 0) + (inPage ? 4 : 0) + (inText ? 1 : 0);
  }
  return sum;
}

/** Begins and ends between words. */
function excerpt(text: string, word: string): string {
  const found = Math.max(0, text.toLowerCase().indexOf(word));
  const start =
    found < EXCERPT_CHARACTERS / 3 ? 0 : text.indexOf(' ', found - EXCERPT_CHARACTERS / 3) + 1;
  const at = start > found ? found : start;
  const rest = text.slice(at);
  if (rest.length <= EXCERPT_CHARACTERS) return (at > 0 ? '…' : '') + rest;
  const end = rest.lastIndexOf(' ', EXCERPT_CHARACTERS);
  return `${at > 0 ? '…' : ''}${rest.slice(0, end > 0 ? end : EXCERPT_CHARACTERS)}…`;
}

function marked(text: string, words: readonly string[]): (string | HTMLElement)[] {
  const pattern = words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|');
  return text.split(new RegExp(`(${pattern})`, 'i')).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function resultOf(
  { address, heading, page, text }: SearchEntry,
  words: readonly string[],
): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  const title = document.createElement('b');
  title.append(...marked(heading === page ? page : `${heading} · ${page}`, words));
  const part = document.createElement('span');
  part.append(...marked(excerpt(text, words[0] ?? ''), words));
  link.append(title, part);
  item.append(link);
  return item;
}

function noResult(sought: string): HTMLElement {
  const item = document.createElement('li');
  item.textContent = `Nothing found for “${sought.trim()}”`;
  return item;
}

/** Moves the focus through the field and the results, as the arrow keys do in a list. */
function move(by: 1 | -1): void {
  const stops: HTMLElement[] = [field, ...results.querySelectorAll('a')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[(at + by + stops.length) % stops.length]?.focus();
}

/** Loads the sections, once. */
let loaded: Promise<SearchEntry[]> | undefined;

async function search(load: LoadIndex): Promise<void> {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = words.length === 0 ? [] : await (loaded ??= load(form.dataset.index ?? ''));
  const found = entries
    .map((entry) => ({ entry, points: score(entry, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, MAX_RESULTS);
  results.replaceChildren(...found.map(({ entry }) => resultOf(entry, words)));
  if (found.length === 0) results.append(noResult(field.value));
  results.hidden = words.length === 0;
  status.textContent = words.length === 0 ? '' : `${found.length} results`;
}

export function startSearch(load: LoadIndex): void {
  field.addEventListener('input', () => void search(load));
}
form.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  move(event.key === 'ArrowDown' ? 1 : -1);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === 'Escape') results.hidden = true;
});
