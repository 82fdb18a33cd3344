/** The search in a long list. */
import { html, type TemplateResult } from 'lit';
import type { FieldEvent, ViewContext } from './view-context.js';

/** Removes case and accents for the search. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a text contains that of the search field. */
export const isFound = ({ search }: ViewContext, text: string): boolean =>
  plain(text).includes(plain(search.trim()));

/** @param missing what is told while there is no list */
export const foundLine = ({ t }: ViewContext, count: number, missing?: string): TemplateResult =>
  html`<p
    class=${count > 0 ? 'unseen' : 'hint'}
    role="status"
    .textContent=${missing ?? t(count > 0 ? 'found' : 'no_match', { count: `${count}` })}
  ></p>`;

export const searchField = ({ actions, search }: ViewContext, words: string): TemplateResult =>
  html`<div class="input search">
    <input
      type="search"
      data-action="search"
      aria-label=${words}
      placeholder=${words}
      .value=${search}
      @input=${(event: FieldEvent) => actions.search(event.target.value)}
      @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault()}
    />
  </div>`;
