/** Reads a link to an order for another device, and removes it from the address. */
import type { Resume } from '../../relay/contract/requests.js';

/** Whether this page is the relay's page for such links, which has only the element on it. */
export const isLinkPage = (relay: string): boolean =>
  location.origin + location.pathname === `${relay}/r`;

/** Links of earlier versions lead to the shop's page and have `pay-checkout=` in the fragment. */
const LINK = /^#(pay-checkout=)?([^~]+)~(.+)$/;

export function readResume(relay: string): Resume | null {
  const [, prefix, request_id, order_key] = LINK.exec(location.hash) ?? [];
  // On the shop's page, a fragment without the prefix belongs to the shop.
  const isOurs = prefix !== undefined || isLinkPage(relay);
  return isOurs && request_id && order_key ? { request_id, order_key } : null;
}

/** Removes the key from the URL, so that the next person at this browser cannot open the order. */
export function dropResume(relay: string): void {
  if (readResume(relay)) history.replaceState(history.state, '', location.href.split('#')[0]);
}
