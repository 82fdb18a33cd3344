/** Reads a link to an order for another device, and removes it from the address. */
import type { Resume } from '../../relay/contract/requests.js';

/** Whether this page is the relay's page for such links, which has only the element on it. */
export const isLinkPage = (relay: string): boolean =>
  location.origin + location.pathname === `${relay}/r`;

/** Whether this page is the relay's page of a pay link. */
export const isPayLinkPage = (relay: string): boolean =>
  (location.origin + location.pathname).startsWith(`${relay}/p/`);

const LINK = /^#([^~]+)~(.+)$/;

/** @returns null on a page of the shop, to which the fragment belongs */
export function readResume(relay: string): Resume | null {
  const [, request_id, order_key] = LINK.exec(location.hash) ?? [];
  return isLinkPage(relay) && request_id && order_key ? { request_id, order_key } : null;
}

/** Removes the key from the URL, so that the next person at this browser cannot open the order. */
export function dropResume(relay: string): void {
  if (readResume(relay)) history.replaceState(history.state, '', location.href.split('#')[0]);
}
