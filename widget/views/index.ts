/** The view of each phase. */
import { html } from 'lit';
import type { State } from '../checkout/flow.js';
import { button } from '../fragments/actions.js';
import { secondsLeft } from '../fragments/countdown.js';
import { isolated } from '../fragments/names.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import { nextActionScreen } from '../next-actions/index.js';
import { choosing } from './choosing.js';
import { depositAddress } from './deposit.js';
import { closed, expired, failed, succeeded, type OrderState } from './ends.js';
import { submitting } from './loading.js';
import { problemScreen } from './problem.js';
import { confirming, unclear } from './unclear.js';

/** @returns null while the checkout loads: there is nothing to say yet */
export function screenOf(view: ViewContext, state: State): Screen | null {
  const screen = phaseScreen(view, state);
  if (!screen || !('order' in state) || !view.fromEarlierVisit) return screen;
  // The button comes first among the secondary actions: another person may have placed this order
  // on the same device, and the customer must not pay it.
  const { actions, t } = view;
  const notYours = button('not-yours', t('not_yours'), () => actions.restart());
  return { ...screen, secondary: [notYours, ...(screen.secondary ?? [])] };
}

function phaseScreen(view: ViewContext, state: State): Screen | null {
  switch (state.phase) {
    case 'waiting':
    case 'loading':
      return null;
    case 'choosing':
      return choosing(view, state);
    case 'submitting':
      return submitting(view);
    case 'awaiting_payment':
      return awaitingPayment(view, state);
    case 'confirming':
      return unpaid(view, state, confirming(view, state));
    case 'succeeded':
      return succeeded(view, state);
    case 'failed':
      return failed(view, state);
    case 'expired':
      return expired(view, state);
    case 'unmapped':
    case 'review':
      return unclear(view, state);
    case 'closed':
      return closed(view, state);
    case 'showing_deposit_address':
      return depositAddress(view, state);
    case 'problem':
      return problemScreen(view, state.problem, state.offer);
  }
}

function awaitingPayment(view: ViewContext, state: OrderState): Screen {
  const { order } = state;
  // Nothing that could be paid too late is shown: no code and no link.
  if (secondsLeft(order, view.now) === 0) return expired(view, state);
  const action = order.next_action ?? { kind: 'wait' };
  return unpaid(view, state, nextActionScreen(view, order, action));
}

/** Adds the way to pay, and the warning that two orders can be paid. */
const unpaid = (view: ViewContext, { order }: OrderState, screen: Screen): Screen => ({
  ...screen,
  warning: order.other_payable ? view.t('other_payable') : null,
  // null when the relay no longer knows the order's option
  method:
    view.orderOption && html`<p class="method">${isolated(view.label(view.orderOption.label))}</p>`,
});
