/** The payment options, the contact data that the selected option asks for, and one button. */
import { html, nothing, type TemplateResult } from 'lit';
import { CONTACT_EXAMPLES } from '../../relay/contract/customer.js';
import type { CustomerField, PaymentOption } from '../../relay/contract/responses.js';
import type { Offer, State } from '../checkout/flow.js';
import { backButton, contact, shopLink } from '../fragments/actions.js';
import { amountIn } from '../fragments/amount.js';
import { filled, withName } from '../fragments/names.js';
import { mayBePaid } from '../fragments/order-facts.js';
import { optionMark } from '../fragments/picture-mark.js';
import type { Screen } from '../fragments/screen.js';
import { foundLine, isFound, searchField } from '../fragments/search.js';
import type { FieldEvent, ViewContext } from '../fragments/view-context.js';

type Choosing = Extract<State, { phase: 'choosing' }>;

/** A longer list of options gets a search field. */
const MAX_OPTIONS_WITHOUT_SEARCH = 8;

/** More rows than this are drawn lower, or the button below them would be under the window. */
const MAX_ROOMY_ROWS = 6;

/**
 * Counts the fields of every option, so that the rows keep their places when the customer chooses.
 */
export const isCrowded = ({ options }: Offer): boolean =>
  options.length + Math.max(...options.map(({ customer = [] }) => customer.length)) >
  MAX_ROOMY_ROWS;

export const choosing = (view: ViewContext, state: Choosing): Screen =>
  state.offer.options.length > 0 ? optionList(view, state) : noOptions(view, state);

function optionList(view: ViewContext, { offer, replaces, wrong = {} }: Choosing): Screen {
  const { actions, label, t } = view;
  const { amount, currency, options } = offer;
  const sole = options.length === 1 ? options[0] : undefined;
  const needsSearch = options.length > MAX_OPTIONS_WITHOUT_SEARCH;
  const shown = options.filter(
    (option) =>
      !needsSearch || isFound(view, `${label(option.label)} ${option.payment_channel ?? ''}`),
  );
  // An option that the search hides must not be submitted.
  const chosen = shown.find(({ id }) => id === view.selected) ?? shown[0];
  const submit = (event: Event): void => {
    event.preventDefault();
    if (chosen) actions.pay(chosen.id);
  };
  const mayPayTwice = view.earlierPurchase || (replaces !== null && mayBePaid(replaces));
  const list = html`<fieldset
    part="options"
    class=${isCrowded(offer) ? 'crowded' : ''}
    aria-label=${t('choose')}
  >
    ${needsSearch ? [searchField(view, t('search')), foundLine(view, shown.length)] : null}
    ${shown.map((option) => row(view, option, option === chosen))}
  </fieldset>`;
  return {
    title: sole ? label(sole.label) : t('choose'),
    heading: sole && soleOption(view, sole),
    warning: mayPayTwice ? t('change_warning') : null,
    onSubmit: submit,
    content: [
      sole ? null : list,
      (chosen?.customer ?? []).map((field) => customerInput(view, field, wrong[field])),
    ],
    // A press pays without the form: a frame without `allow-forms` blocks its way of submitting.
    primary: html`<button
      type="submit"
      class="primary"
      data-action="pay"
      ?disabled=${chosen === undefined}
      @click=${submit}
    >
      ${filled(t('pay'), '{amount}', amountIn(view, amount, currency, null))}
    </button>`,
    secondary: [backButton(view, replaces)],
    sticky: needsSearch,
  };
}

/** An offer without a way to pay. */
function noOptions(view: ViewContext, { offer, replaces }: Choosing): Screen {
  const primary = shopLink(view);
  return {
    title: view.t('no_options'),
    sign: 'care',
    content: contact(view, primary, offer),
    primary,
    secondary: [backButton(view, replaces)],
  };
}

/** The only way to pay, shown as the title, because there is nothing to choose. */
const soleOption = (view: ViewContext, option: PaymentOption): TemplateResult =>
  html`<span part="option" class="sole" data-option=${option.id}
    >${optionMark(view, option)}<bdi>${view.label(option.label)}</bdi></span
  >`;

const row = (view: ViewContext, option: PaymentOption, checked: boolean): TemplateResult =>
  html`<label part="option" class="option" data-option=${option.id}>
    <input
      type="radio"
      name="option"
      .value=${option.id}
      .checked=${checked}
      @change=${() => view.actions.select(option.id)}
    />
    <bdi>${view.label(option.label)}</bdi>${optionMark(view, option)}
  </label>`;

/** @param refused the text that cannot be used; the mark goes when the customer changes it */
function customerInput(
  { t, customer, actions }: ViewContext,
  field: CustomerField,
  refused: string | undefined,
): TemplateResult {
  // a browser refuses addresses in its type `email` that the relay accepts
  const type = field === 'phone' ? 'tel' : 'text';
  const typed = customer[field] ?? '';
  const isWrong = refused === typed;
  const change = (event: FieldEvent): void => actions.setCustomer({ [field]: event.target.value });
  return html`<label class="input"
    ><span class="field-label">${t(field)}</span>
    <input
      type=${type}
      name=${field}
      inputmode=${field === 'email' ? field : type}
      autocomplete=${field === 'phone' ? type : field}
      autocapitalize=${field === 'email' ? 'none' : nothing}
      required
      aria-label=${t(field)}
      aria-invalid=${isWrong || nothing}
      aria-describedby=${isWrong ? field : nothing}
      .value=${typed}
      @input=${change}
    />${
      isWrong
        ? // it describes the field, and is no part of the name, which the label would make of it
          html`<span id=${field} class="error"
            >${withName(t('field_wrong'), '{example}', CONTACT_EXAMPLES[field])}</span
          >`
        : null
    }
  </label>`;
}
