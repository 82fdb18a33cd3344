/** The search in a long list. */
import { html, type TemplateResult } from 'lit';
import type { FieldEvent, ViewContext } from './view-context.js';

/** Removes case and accents for the search. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a text contains that of the search field. */
export const isFound = ({ search }: ViewContext, text: string): boolean =>
  plain(text).includes(plain(search.trim()));

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
