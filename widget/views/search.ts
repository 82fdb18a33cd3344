/** The search in a long list of ways to pay. */
import { html, type TemplateResult } from 'lit';
import type { PaymentOption } from '../../relay/contract/responses.js';
import type { FieldEvent, ViewContext } from '../fragments/view-context.js';

/** A longer list of options gets a search field. */
export const MAX_OPTIONS_WITHOUT_SEARCH = 8;

/** Removes case and accents for the search. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** @returns the options that contain the text of the search field */
export const matching = ({ label, options, search }: ViewContext): readonly PaymentOption[] =>
  options.filter((option) =>
    plain(`${label(option.label)} ${option.payment_channel ?? ''}`).includes(plain(search.trim())),
  );

export const searchField = ({ actions, search, t }: ViewContext): TemplateResult =>
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

export const noMatch = ({ t }: ViewContext): TemplateResult =>
  html`<p class="hint">${t('no_match')}</p>`;
