/** The view of each phase. */
import type { TemplateResult } from 'lit';
import type { State } from '../checkout/flow.js';
import type { ViewContext } from '../fragments/view-context.js';
import { choosing } from './choosing.js';
import { depositAddress } from './deposit.js';
import { loading, submitting } from './loading.js';
import { awaitingPayment, confirming, ended, succeeded, unclear } from './order.js';
import { problemView } from './problem.js';

export function renderPhase(view: ViewContext, state: State): TemplateResult {
  switch (state.phase) {
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
    case 'showing_deposit_address':
      return depositAddress(view, state);
    case 'problem':
      return problemView(view, state.problem);
  }
}
