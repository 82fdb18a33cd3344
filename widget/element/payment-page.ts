/** The links of the order on screen, which open by a tap or without one. */
import type { Order } from '../../relay/contract/order.js';
import type { OpenTarget } from '../browser/opener.js';
import type { State } from '../checkout/flow.js';
import { secondsLeft } from '../fragments/countdown.js';
import { isSafeLink } from '../fragments/external-link.js';

export type PaymentPage = { readonly url: string; readonly order: Order };

/**
 * The page for which the element leaves without a second tap, when the customer has just pressed
 * Pay. It opens by itself only in the same tab: a browser blocks a new tab that no tap has opened.
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

/** @returns the link to pay with, while its time runs and it may be opened */
export function linkOnScreen(state: State, now: number): string | null {
  if (state.phase !== 'awaiting_payment' || secondsLeft(state.order, now) === 0) return null;
  const { offer, order } = state;
  const action = order.next_action;
  const link =
    action?.kind === 'open_wallet'
      ? action.wallet_url
      : action?.kind === 'scan_qr' && order.code_opens && action.qrcode_string;
  return link && isSafeLink(link, offer.link_schemes) ? link : null;
}
