/** Finds the payment page that opens by itself when the customer has just pressed Pay. */
import type { OpenTarget } from '../browser/opener.js';
import type { State } from '../checkout/flow.js';
import { secondsLeft } from '../fragments/countdown.js';
import { isSafeLink } from '../fragments/external-link.js';
import type { PaymentPage } from '../fragments/view-context.js';

/**
 * The page opens by itself only in the same tab: a browser blocks a new tab that no tap has opened.
 *
 * @returns null when the customer stays on the page
 */
export function paymentPageOf(state: State, target: OpenTarget): PaymentPage | null {
  if (state.phase !== 'awaiting_payment' || target !== 'same-tab') return null;
  const { offer, order } = state;
  const action = order.next_action;
  const isOver = secondsLeft(order, Date.parse(order.server_time)) === 0;
  if (action?.kind !== 'open_page' || isOver) return null;
  const url = action.checkout_url;
  return isSafeLink(url, offer.link_schemes) ? { url, order } : null;
}
