/** The view of each phase. */
import { html, nothing, type TemplateResult } from 'lit';
import type { State } from '../checkout/flow.js';
import type { ViewContext } from '../fragments/view-context.js';
import { choosing } from './choosing.js';
import { depositAddress } from './deposit.js';
import { loading, submitting } from './loading.js';
import { awaitingPayment, closed, confirming, ended, succeeded, unclear } from './order.js';
import { problemView } from './problem.js';

/** `notYours` comes first: the customer must not pay or trust another person's order. */
export const renderPhase = (view: ViewContext, state: State): TemplateResult =>
  html`${'order' in state && view.fromEarlierVisit ? notYours(view) : nothing}
  ${phaseView(view, state)}`;

const notYours = ({ actions, t }: ViewContext): TemplateResult =>
  html`<p class="fine">
    <button type="button" class="tool" data-action="not-yours" @click=${() => actions.restart()}>
      ${t('not_yours')}
    </button>
  </p>`;

function phaseView(view: ViewContext, state: State): TemplateResult {
  switch (state.phase) {
    case 'waiting':
    case 'loading':
      return loading(view);
    case 'choosing':
      return choosing(view, state);
    case 'submitting':
      return submitting(view);
    case 'confirming':
      return confirming(view, state);
    case 'awaiting_payment':
      return awaitingPayment(view, state);
    case 'succeeded':
      return succeeded(view, state);
    case 'failed':
    case 'expired':
      return ended(view, { ...state, phase: state.phase });
    case 'unmapped':
    case 'review':
      return unclear(view, { ...state, phase: state.phase });
    case 'closed':
      return closed(view, state);
    case 'showing_deposit_address':
      return depositAddress(view, state);
    case 'problem':
      return problemView(view, state.problem);
  }
}
