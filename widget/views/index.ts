/** The view of each phase. */
import type { State } from '../checkout/flow.js';
import { button } from '../fragments/actions.js';
import { secondsLeft } from '../fragments/countdown.js';
import type { Screen } from '../fragments/screen.js';
import type { LaterState, ViewContext } from '../fragments/view-context.js';
import { choosing } from './choosing.js';
import { submitting } from './loading.js';
import { scanQr } from '../next-actions/scan-qr.js';
import { method } from './method.js';
import { plain } from './plain.js';

type Unpaid = Extract<State, { phase: 'awaiting_payment' | 'confirming' }>;

/** @returns null while the checkout or the second script loads: there is nothing to say yet */
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
      return state.offer.options.length > 0 ? choosing(view, state) : laterScreen(view, state);
    case 'submitting':
      return submitting(view);
    case 'awaiting_payment':
      // Nothing that could be paid too late is shown: no code and no link.
      if (secondsLeft(state.order, view.now) === 0)
        return laterScreen(view, { ...state, phase: 'expired' });
      return unpaid(view, state);
    case 'confirming':
      return unpaid(view, state);
    default:
      return laterScreen(view, state);
  }
}

function unpaid(view: ViewContext, state: Unpaid): Screen | null {
  const { order } = state;
  const action = order.outcome === 'confirming' ? null : order.next_action;
  // On a phone the second script shows the code, because a phone cannot scan its own screen.
  // Without that script the plain code is shown there too.
  const screen =
    action?.kind === 'scan_qr' && (!view.onPhone || view.later === 'missing')
      ? scanQr(view, order, action)
      : laterScreen(view, state);
  return (
    screen && {
      ...screen,
      warning: order.other_payable ? view.t('other_payable') : null,
      content: [method(view), screen.content],
    }
  );
}

function laterScreen(view: ViewContext, state: LaterState): Screen | null {
  const { later } = view;
  if (later === null) return null;
  return later === 'missing' ? plain(view, state) : later.screen(view, state);
}
