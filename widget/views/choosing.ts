/** The options, the customer data that the chosen one asks for, and one button. */
import { html, nothing, type TemplateResult } from 'lit';
import type { State } from '../checkout/flow.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { CustomerField, PaymentOption } from '../../relay/contract/responses.js';

const INPUTS: Record<CustomerField, { type: string; autocomplete: 'email' | 'tel' | 'name' }> = {
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  name: { type: 'text', autocomplete: 'name' },
};

export function choosing(view: ViewContext, { offer, replaces }: Extract<State, { phase: 'choosing' }>): TemplateResult {
  const { t, money, actions } = view;
  const chosen = offer.options.find(({ id }) => id === view.selected) ?? offer.options[0];
  const back = replaces ? html`<button type="button" class="quiet" @click=${() => actions.backToOrder()}>${t('back')}</button>` : nothing;
  if (!chosen)
    return html`<p class="hint">${t('no_options')}</p>
      ${back}`;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    actions.pay(chosen.id);
  };
  return html`<form part="form" @submit=${submit}>
    ${replaces && mayBePaid(replaces.outcome) ? html`<p class="note">${t('change_warning')}</p>` : nothing}
    <fieldset part="options">
      <legend>${t('choose')}</legend>
      ${offer.options.map((option) => row(view, option, option === chosen))}
    </fieldset>
    ${(chosen.customer ?? []).map((field) => customerInput(view, field))}
    <div part="actions" class="actions main">
      <button type="submit" class="primary" data-action="pay">${t('pay', { amount: money(offer.amount, offer.currency) })}</button>
      ${back}
    </div>
  </form>`;
}

const mayBePaid = (outcome: string): boolean => outcome !== 'failed' && outcome !== 'succeeded';

const row = ({ label, actions }: ViewContext, option: PaymentOption, checked: boolean): TemplateResult =>
  html`<label part="option" class="option" data-option=${option.id}>
    <input type="radio" name="option" .value=${option.id} .checked=${checked} @change=${() => actions.select(option.id)} />
    <span>${label(option.label)}</span>
  </label>`;

function customerInput({ t, customer, actions }: ViewContext, field: CustomerField): TemplateResult {
  const { type, autocomplete } = INPUTS[field];
  const change = (event: Event): void => actions.setCustomer({ ...customer, [field]: (event.target as HTMLInputElement).value });
  return html`<label class="input"
    ><span class="field-label">${t(field)}</span>
    <input type=${type} name=${field} autocomplete=${autocomplete} required .value=${customer[field] ?? ''} @input=${change} />
  </label>`;
}
