/** The search in a long list of ways to pay. */
import { html, type TemplateResult } from 'lit';
import type { PaymentOption } from '../../relay/contract/responses.js';
import type { FieldEvent, SearchedOptions, ViewContext } from '../fragments/view-context.js';

export function search(view: ViewContext): SearchedOptions {
  const shown = view.options.filter((option) => matches(view, option));
  return {
    field: field(view),
    shown,
    hint: shown.length === 0 ? html`<p class="hint">${view.t('no_match')}</p>` : null,
  };
}

/** Removes case and accents for the search. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const matches = ({ label, search }: ViewContext, option: PaymentOption): boolean =>
  plain(`${label(option.label)} ${option.payment_channel ?? ''}`).includes(plain(search.trim()));

const field = ({ actions, search, t }: ViewContext): TemplateResult =>
  html`<div class="input search">
    <input
      type="search"
      data-action="search"
      aria-label=${t('search')}
      placeholder=${t('search')}
      .value=${search}
      @input=${(event: FieldEvent) => actions.search(event.target.value)}
      @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault()}
    />
  </div>`;
