/** The card around every phase: the summary, the phase's view, and the two live regions. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { offerOf, orderOf, type Offer, type Phase, type State } from '../checkout/flow.js';
import { isolated } from '../fragments/names.js';
import type { ViewContext } from '../fragments/view-context.js';
import { renderPhase } from './index.js';
import { skeleton } from './loading.js';

export type CardContent = {
  readonly flow: State;
  /** False until the texts of the language have loaded; only the skeleton is shown until then. */
  readonly ready: boolean;
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** Text of the status line; when empty, the line names the phase for screen readers only. */
  readonly announcement: string;
  /** Text for screen readers only. */
  readonly spoken: string;
};

export function card(view: ViewContext, content: CardContent): TemplateResult {
  const { announcement, direction, flow, locale, ready, spoken } = content;
  const busy = !ready || /waiting|loading|submitting/.test(flow.phase);
  return html`<section part="base" class="base" tabindex="-1" dir=${direction} lang=${locale}>
    ${ready ? summary(view, offerOf(flow), orderOf(flow)) : ''}
    <div class="phase" aria-busy=${busy}>${ready ? renderPhase(view, flow) : skeleton}</div>
    <p part="status" class=${announcement ? 'status' : 'unseen'} role="status" aria-live="polite">
      ${ready ? announcement || statusText(view, flow.phase) : ''}
    </p>
    <p class="unseen" aria-live="polite" data-spoken>${spoken}</p>
  </section>`;
}

/** The card inside a modal dialog with a close button. */
export const modalCard = (
  view: ViewContext,
  content: CardContent,
  on: { close(): void; closed(): void },
): TemplateResult =>
  html`<dialog
    class="modal"
    aria-label=${offerOf(content.flow)?.product_name || view.t('loading')}
    @close=${on.closed}
  >
    ${card(view, content)}<button
      type="button"
      class="quiet close"
      aria-label=${view.t('close')}
      @click=${on.close}
    >
      ×
    </button>
  </dialog>`;

/** @param order the order on screen, whose own amount is shown instead of the offer's */
function summary(
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

function statusText({ t }: ViewContext, phase: Phase): string {
  switch (phase) {
    case 'choosing':
    case 'showing_deposit_address':
      return '';
    case 'awaiting_payment':
      return t('awaiting');
    case 'waiting':
      return t('loading');
    default:
      return t(phase);
  }
}
