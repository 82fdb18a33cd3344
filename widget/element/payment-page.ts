/** Leaves for the payment page without a second tap, when the customer has just pressed Pay. */
import { PayRedirectEvent } from '../events.js';
import type { PaymentPage } from '../fragments/view-context.js';

/** @returns false when the shop's page opens the payment page itself */
export function leaveFor(host: EventTarget, { order, url }: PaymentPage): boolean {
  const mayLeave = host.dispatchEvent(new PayRedirectEvent({ url, order }));
  if (mayLeave) location.assign(url);
  return mayLeave;
}
