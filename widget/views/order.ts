/** The phases that show an order, each with a title, a hint, buttons and the order number. */
import { html, nothing, type TemplateResult } from 'lit';
import type { OrderPhase, State } from '../checkout/flow.js';
import { countdown } from '../fragments/countdown.js';
import { checkButton, following, notes, orderNumber } from '../fragments/following.js';
import { withName } from '../fragments/names.js';
import type { ViewContext } from '../fragments/view-context.js';
import { renderNextAction, titleOf } from '../next-actions/index.js';

type OrderState = Extract<State, { phase: OrderPhase }>;

export function awaitingPayment(view: ViewContext, { order }: OrderState): TemplateResult {
  const action = order.next_action ?? { kind: 'wait' };
  return html`<h2>${view.t(titleOf(action))}</h2>
    ${countdown(view, order)} ${renderNextAction(view, order, action)} ${following(view, order)}
    ${orderNumber(view, order)}`;
}

export function confirming(view: ViewContext, { order }: OrderState): TemplateResult {
  return html`<h2>${view.t('confirming')}</h2>
    <p class="hint">${view.t('confirming_hint')}</p>
    ${following(view, order)} ${orderNumber(view, order)}`;
}

export function succeeded(view: ViewContext, { offer, order }: OrderState): TemplateResult {
  return html`<h2 class="good">
      <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 12.5l4.5 4.5L19 7.5" /></svg
      >${view.t('succeeded')}
    </h2>
    <p class="hint">${withName(view.t('succeeded_hint'), '{shop}', offer.shop_name)}</p>
    ${order.other_payable ? html`<p class="note">${view.t('other_payable')}</p>` : nothing}
    ${orderNumber(view, order)}`;
}

/** The phases `failed` and `expired`. */
export function ended(
  view: ViewContext,
  { phase, order }: OrderState & { phase: 'failed' | 'expired' },
): TemplateResult {
  return html`<h2>${view.t(phase)}</h2>
    <p class="hint">${view.t(`${phase}_hint`)}</p>
    ${notes(view, order)}
    <div part="actions" class="actions main">
      ${
        view.canChoose
          ? html`<button
              type="button"
              class="primary"
              data-action="choose-again"
              @click=${() => view.actions.chooseAgain()}
            >
              ${view.t('change')}
            </button>`
          : nothing
      }
      ${checkButton(view)}
    </div>
    ${orderNumber(view, order)}`;
}

/** The phases `unmapped` and `review`: the order may be paid or may have failed. */
export function unclear(
  view: ViewContext,
  { phase, offer, order }: OrderState & { phase: 'unmapped' | 'review' },
): TemplateResult {
  const action = phase === 'unmapped' ? order.next_action : null;
  return html`<div part=${phase === 'review' ? 'problem' : nothing} class="problem">
      <h2>${view.t(phase)}</h2>
      <p class="hint">${view.t(`${phase}_hint`)}</p>
      <p class="fine">
        ${view.t('reference')} <bdi class="mono" translate="no">${order.request_id}</bdi>
      </p>
    </div>
    ${action && action.kind !== 'wait' ? renderNextAction(view, order, action) : nothing}
    ${support(view, offer.support_url)} ${following(view, order, phase !== 'review')}
    ${orderNumber(view, order)}`;
}

/** The shop takes no payment of this order any more. */
export const closed = (
  view: ViewContext,
  { offer, order }: Extract<State, { phase: 'closed' }>,
): TemplateResult =>
  html`<h2>${view.t('closed')}</h2>
    <p class="hint">${view.t('closed_hint')}</p>
    ${support(view, offer?.support_url)} ${order ? orderNumber(view, order) : nothing}`;

const support = ({ t }: ViewContext, url: string | undefined): TemplateResult | typeof nothing =>
  url !== undefined && /^https?:/.test(url)
    ? html`<p class="fine">
        <a class="tool" href=${url} target="_blank" rel="noopener">${t('support')}</a>
      </p>`
    : nothing;
