/** The payment options, the contact data that the selected option asks for, and one button. */
import { html, nothing, type TemplateResult } from 'lit';
import type { State } from '../checkout/flow.js';
import { optionIcon } from '../fragments/icons.js';
import type { FieldEvent, ViewContext } from '../fragments/view-context.js';
import type { Order } from '../../relay/contract/order.js';
import type { CustomerField, PaymentOption } from '../../relay/contract/responses.js';

const INPUTS: Record<CustomerField, { type: string; autocomplete: 'email' | 'tel' | 'name' }> = {
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  name: { type: 'text', autocomplete: 'name' },
};
/** A longer list gets a search field. */
const MAX_OPTIONS_WITHOUT_SEARCH = 8;

export function choosing(
  view: ViewContext,
  { offer, replaces }: Extract<State, { phase: 'choosing' }>,
): TemplateResult {
  const { t, money, actions } = view;
  const many = offer.options.length > MAX_OPTIONS_WITHOUT_SEARCH;
  const shown = many ? offer.options.filter((option) => matches(view, option)) : offer.options;
  // An option that the search hides must not be submitted.
  const chosen = shown.find(({ id }) => id === view.selected) ?? shown[0];
  const back = replaces
    ? html`<button type="button" class="quiet" @click=${() => actions.backToOrder()}>
        ${t('back')}
      </button>`
    : nothing;
  if (offer.options.length === 0)
    return html`<p class="hint">${t('no_options')}</p>
      ${back}`;
  const mayPayTwice = view.earlierPurchase || (replaces !== null && mayBePaid(replaces));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (chosen) actions.pay(chosen.id);
  };
  return html`<form part="form" @submit=${submit}>
    ${mayPayTwice ? html`<p class="note">${t('change_warning')}</p>` : nothing}
    <fieldset part="options">
      <legend>${t('choose')}</legend>
      ${many ? searchInput(view) : nothing}
      ${shown.map((option) => row(view, option, option === chosen))}
      ${shown.length === 0 ? html`<p class="hint">${t('no_match')}</p>` : nothing}
    </fieldset>
    ${(chosen?.customer ?? []).map((field) => customerInput(view, field))}
    <div part="actions" class="actions main">
      <button type="submit" class="primary" data-action="pay" ?disabled=${!chosen}>
        ${t('pay', { amount: money(offer.amount, offer.currency) })}
      </button>
      ${back}
    </div>
  </form>`;
}

const mayBePaid = ({ other_payable, outcome }: Order): boolean =>
  other_payable || outcome !== 'failed';

/** Removes case and accents for the search. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const matches = ({ label, search }: ViewContext, option: PaymentOption): boolean =>
  plain(`${label(option.label)} ${option.payment_channel ?? ''}`).includes(plain(search.trim()));

const searchInput = ({ actions, search, t }: ViewContext): TemplateResult =>
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

const row = (
  { label, actions }: ViewContext,
  option: PaymentOption,
  checked: boolean,
): TemplateResult =>
  html`<label part="option" class="option" data-option=${option.id}>
    <input
      type="radio"
      name="option"
      .value=${option.id}
      .checked=${checked}
      @change=${() => actions.select(option.id)}
    />
    <bdi>${label(option.label)}</bdi>${optionIcon(option)}
  </label>`;

function customerInput(
  { t, customer, actions }: ViewContext,
  field: CustomerField,
): TemplateResult {
  const { type, autocomplete } = INPUTS[field];
  const change = (event: FieldEvent): void =>
    actions.setCustomer({ ...customer, [field]: event.target.value });
  return html`<label class="input"
    ><span class="field-label">${t(field)}</span>
    <input
      type=${type}
      name=${field}
      autocomplete=${autocomplete}
      required
      .value=${customer[field] ?? ''}
      @input=${change}
    />
  </label>`;
}
