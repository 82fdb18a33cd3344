/** The payment options, the contact data that the selected option asks for, and one button. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { CustomerField, PaymentOption } from '../../relay/contract/responses.js';
import type { State } from '../checkout/flow.js';
import { backButton } from '../fragments/actions.js';
import { amountIn } from '../fragments/amount.js';
import { laterOf, MAX_OPTIONS_WITHOUT_SEARCH } from '../fragments/later.js';
import { filled } from '../fragments/names.js';
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

export function choosing(
  view: ViewContext,
  { offer, replaces }: Extract<State, { phase: 'choosing' }>,
): Screen {
  const { actions, label, t } = view;
  const { amount, currency, options } = offer;
  const back = backButton(view, replaces);
  const [only] = options;
  const many = options.length > MAX_OPTIONS_WITHOUT_SEARCH;
  const searched = many ? laterOf(view.later)?.search(view) : undefined;
  const shown = searched?.shown ?? options;
  // An option that the search hides must not be submitted.
  const chosen = shown.find(({ id }) => id === view.selected) ?? shown[0];
  const mayPayTwice = view.earlierPurchase || (replaces !== null && mayBePaid(replaces));
  const list = html`<fieldset part="options" aria-label=${t('choose')}>
    ${searched?.field ?? (many && view.later === null ? placeOfSearch : nothing)}
    ${shown.map((option) => row(view, option, option === chosen))} ${searched?.hint ?? nothing}
  </fieldset>`;
  const isSole = options.length === 1;
  return {
    title: only && isSole ? label(only.label) : t('choose'),
    heading: only && isSole ? soleOption(view, only) : undefined,
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
      ${filled(t('pay'), '{amount}', amountIn(view, amount, currency, null))}
    </button>`,
    secondary: [back],
    sticky: many,
  };
}

const mayBePaid = ({ other_payable, outcome }: Order): boolean =>
  other_payable || outcome !== 'failed';

/** Reserves the place of the search field, so that nothing moves when the second script adds it. */
const placeOfSearch = html`<div class="skeleton search"><i></i></div>`;

/** The only way to pay, shown as the title, because there is nothing to choose. */
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
