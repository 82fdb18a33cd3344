/** What stands in every phase: what is paid and how much, and the words of the live region. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { Offer, Phase } from '../checkout/flow.js';
import { isolated } from '../fragments/names.js';
import type { ViewContext } from '../fragments/view-context.js';

/** @param order the order that is shown; it charges its own amount, whatever the price is today */
export function summary(
  { t, money }: ViewContext,
  offer: Offer | null,
  order: Order | null,
): TemplateResult | typeof nothing {
  if (!offer) return nothing;
  const { livemode, product_name, remark } = offer;
  const { amount, currency } = order ?? offer;
  return html`${livemode ? nothing : html`<p class="ribbon">${t('test_mode')}</p>`}
    <header part="summary" class="summary">
      <p class="product">${isolated(product_name)}</p>
      <p part="amount" class="amount" data-amount=${amount} data-currency=${currency}>
        ${money(amount, currency)}
      </p>
      ${remark === undefined ? nothing : html`<p class="remark">${isolated(remark)}</p>`}
    </header>`;
}

export function statusText({ t }: ViewContext, phase: Phase): string {
  switch (phase) {
    case 'choosing':
    case 'showing_deposit_address':
      return '';
    case 'awaiting_payment':
      return t('awaiting');
    default:
      return t(phase);
  }
}
