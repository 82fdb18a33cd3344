/** Controls of every phase with an open order, and the number of the order. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { resumeLink } from '../../relay/contract/resume-link.js';
import { copyButton } from './copy-field.js';
import type { ViewContext } from './view-context.js';

/** @returns for example "5 seconds ago" */
function ago(locale: string, seconds: number): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return seconds < 60
    ? format.format(-seconds, 'second')
    : format.format(-Math.floor(seconds / 60), 'minute');
}

/** `aria-disabled` instead of `disabled` during a query: a disabled button loses the focus. */
export const checkButton = ({ actions, checking, t }: ViewContext): TemplateResult =>
  html`<button
    type="button"
    class="quiet"
    data-action="check-now"
    aria-disabled=${checking}
    @click=${() => actions.checkNow()}
  >
    ${t(checking ? 'checking' : 'check_now')}
  </button>`;

export const notes = ({ offline, t }: ViewContext, order: Order): TemplateResult =>
  html`${order.other_payable ? html`<p class="note">${t('other_payable')}</p>` : nothing}
  ${offline ? html`<p class="note">${t('offline')}</p>` : nothing}`;

/** @param mayChange offers another payment option when there is one */
export function following(
  view: ViewContext,
  order: Order,
  mayChange = view.canChoose,
): TemplateResult {
  const { actions, locale, now, relay, t } = view;
  const checked =
    order.checked_at &&
    ago(locale, Math.max(0, Math.round((now - Date.parse(order.checked_at)) / 1000)));
  return html`${notes(view, order)}
    <div part="actions" class="actions">
      ${checkButton(view)}
      ${
        mayChange && view.canChoose
          ? html`<button
              type="button"
              class="quiet"
              data-action="choose-again"
              @click=${() => actions.chooseAgain()}
            >
              ${t('change')}
            </button>`
          : nothing
      }
    </div>
    <div class="tools">
      ${copyButton(view, '', resumeLink(relay, order), t('resume_link'), 'tool')}
    </div>
    <p class="fine ago">${checked ? t('checked', { time: checked }) : nothing}</p>`;
}

export const orderNumber = ({ t }: ViewContext, order: Order): TemplateResult =>
  html`<p class="fine">
    ${order.order_no === null ? t('reference') : t('order_number')}
    <bdi class="mono" translate="no">${order.order_no ?? order.request_id}</bdi>
  </p>`;
