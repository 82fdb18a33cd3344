/** Leaves for the payment page without a second tap, when the customer has just pressed Pay. */
import type { Order } from '../../relay/contract/order.js';
import type { OpenTarget } from '../browser/opener.js';
import { openedLink } from '../browser/storage.js';
import type { State } from '../checkout/flow.js';
import { PayRedirectEvent } from '../events.js';
import { secondsLeft } from '../fragments/countdown.js';
import { isSafeLink } from '../fragments/external-link.js';

type PaymentPage = { readonly url: string; readonly order: Order };

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

/** @returns false when the shop's page opens the payment page itself */
export function leaveFor(host: EventTarget, { order, url }: PaymentPage): boolean {
  const mayLeave = host.dispatchEvent(new PayRedirectEvent({ url, order }));
  if (!mayLeave) return false;
  openedLink(order.request_id).write();
  location.assign(url);
  return true;
}
