/** What every phase with an open order offers: check now, another way, and the order's number. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { ViewContext } from './view-context.js';

export function following({ t, locale, checking, actions }: ViewContext, order: Order): TemplateResult {
  const time = order.checked_at && new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(new Date(order.checked_at));
  return html`${order.other_payable ? html`<p class="note">${t('other_payable')}</p>` : nothing}
    <div part="actions" class="actions">
      <button type="button" class="quiet" data-action="check-now" ?disabled=${checking} @click=${() => actions.checkNow()}>
        ${t(checking ? 'checking' : 'check_now')}
      </button>
      <button type="button" class="quiet" data-action="choose-again" @click=${() => actions.chooseAgain()}>${t('change')}</button>
    </div>
    <p class="fine">${time ? t('checked', { time }) : nothing}</p>`;
}

export const orderNumber = ({ t }: ViewContext, order: Order): TemplateResult =>
  html`<p class="fine">
    ${order.order_no === null ? t('reference') : t('order_number')}
    <span class="mono" translate="no">${order.order_no ?? order.request_id}</span>
  </p>`;
