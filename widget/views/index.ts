/** The view of each phase. */
import type { State } from '../checkout/flow.js';
import { button } from '../fragments/actions.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import { choosing } from './choosing.js';
import { depositAddress } from './deposit.js';
import { closed, expired, failed, succeeded } from './ends.js';
import { submitting } from './loading.js';
import { awaitingPayment, confirming, unclear } from './order.js';
import { problemScreen } from './problem.js';

/** @returns null while the checkout loads: there is nothing to say yet */
export function screenOf(view: ViewContext, state: State): Screen | null {
  const screen = phaseScreen(view, state);
  if (!screen || !('order' in state) || !view.fromEarlierVisit) return screen;
  // First of the actions: the customer must not pay or trust another person's order.
  const { actions, t } = view;
  const notYours = button('not-yours', t('not_yours'), () => actions.restart());
  return { ...screen, secondary: [notYours, ...(screen.secondary ?? [])] };
}

function phaseScreen(view: ViewContext, state: State): Screen | null {
  switch (state.phase) {
    case 'loading':
      return null;
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
      return failed(view, state);
    case 'expired':
      return expired(view, state);
    case 'unmapped':
    case 'review':
      return unclear(view, { ...state, phase: state.phase });
    case 'closed':
      return closed(view, state);
    case 'showing_deposit_address':
      return depositAddress(view, state);
    case 'problem':
      return problemScreen(view, state.problem, state.offer);
  }
}
