/** The payment options, the contact data that the selected option asks for, and one button. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { CustomerField, PaymentOption } from '../../relay/contract/responses.js';
import type { State } from '../checkout/flow.js';
import { button, returnLink, supportLink } from '../fragments/actions.js';
import { pictureMark } from '../fragments/picture-mark.js';
import type { Screen } from '../fragments/screen.js';
import type { FieldEvent, ViewContext } from '../fragments/view-context.js';

const INPUTS: Record<
  CustomerField,
  { type: string; inputmode: 'email' | 'tel' | 'text'; autocomplete: 'email' | 'tel' | 'name' }
> = {
  email: { type: 'email', inputmode: 'email', autocomplete: 'email' },
  phone: { type: 'tel', inputmode: 'tel', autocomplete: 'tel' },
  name: { type: 'text', inputmode: 'text', autocomplete: 'name' },
};
/** A longer list gets a search field. */
const MAX_OPTIONS_WITHOUT_SEARCH = 8;

export function choosing(
  view: ViewContext,
  { offer, replaces }: Extract<State, { phase: 'choosing' }>,
): Screen {
  const { actions, label, money, t } = view;
  const { amount, currency, options } = offer;
  const back = replaces ? button('back', t('back'), () => actions.backToOrder()) : null;
  const [only] = options;
  if (!only)
    return {
      title: t('no_options'),
      primary:
        supportLink(view, offer.support_url, 'primary') ??
        returnLink(offer.return_url, t('return'), 'primary'),
      secondary: [back],
    };
  const many = options.length > MAX_OPTIONS_WITHOUT_SEARCH;
  const shown = many ? options.filter((option) => matches(view, option)) : options;
  // An option that the search hides must not be submitted.
  const chosen = shown.find(({ id }) => id === view.selected) ?? shown[0];
  const mayPayTwice = view.earlierPurchase || (replaces !== null && mayBePaid(replaces));
  const list = html`<fieldset part="options" aria-label=${t('choose')}>
    ${many ? searchInput(view) : nothing}
    ${shown.map((option) => row(view, option, option === chosen))}
    ${shown.length === 0 ? html`<p class="hint">${t('no_match')}</p>` : nothing}
  </fieldset>`;
  const isSole = options.length === 1;
  return {
    title: isSole ? label(only.label) : t('choose'),
    heading: isSole ? soleOption(view, only) : undefined,
    warning: mayPayTwice ? t('change_warning') : null,
    onSubmit: (event) => {
      event.preventDefault();
      if (chosen) actions.pay(chosen.id);
    },
    content: [
      isSole ? null : list,
      (chosen?.customer ?? []).map((field) => customerInput(view, field)),
    ],
    primary: html`<button
      type="submit"
      class="primary"
      data-action="pay"
      ?disabled=${chosen === undefined}
    >
      ${t('pay', { amount: money(amount, currency) })}
    </button>`,
    secondary: [back],
    sticky: many,
  };
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

/** The only way to pay needs no choice. */
const soleOption = (view: ViewContext, option: PaymentOption): TemplateResult => {
  const name = view.label(option.label);
  return html`<span part="option" class="method" data-option=${option.id}
    >${pictureMark(view, name, option.icon_url)}<bdi>${name}</bdi></span
  >`;
};

function row(view: ViewContext, option: PaymentOption, checked: boolean): TemplateResult {
  const name = view.label(option.label);
  return html`<label part="option" class="option" data-option=${option.id}>
    <input
      type="radio"
      name="option"
      .value=${option.id}
      .checked=${checked}
      @change=${() => view.actions.select(option.id)}
    />
    <bdi>${name}</bdi>${pictureMark(view, name, option.icon_url)}
  </label>`;
}

function customerInput(
  { t, customer, actions }: ViewContext,
  field: CustomerField,
): TemplateResult {
  const { autocomplete, inputmode, type } = INPUTS[field];
  const change = (event: FieldEvent): void =>
    actions.setCustomer({ ...customer, [field]: event.target.value });
  return html`<label class="input"
    ><span class="field-label">${t(field)}</span>
    <input
      type=${type}
      name=${field}
      inputmode=${inputmode}
      autocomplete=${autocomplete}
      required
      .value=${customer[field] ?? ''}
      @input=${change}
    /><span class="error" role="alert">${t('field_wrong')}</span>
  </label>`;
}
