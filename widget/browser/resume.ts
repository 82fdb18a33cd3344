/** A link to the same order on another device: its key is in the fragment, which no server sees. */
import type { Resume } from '../../relay/contract/requests.js';

/** The relay's own page for such links: it holds nothing but the element (relay/routes/). */
export const isLinkPage = (relay: string): boolean =>
  location.origin + location.pathname === `${relay}/r`;

/** Links of earlier versions lead to the shop's page, and have a name in the fragment. */
const LINK = /^#(pay-checkout=)?([^~]+)~(.+)$/;

export function readResume(relay: string): Resume | null {
  const [, name, request_id, order_key] = LINK.exec(location.hash) ?? [];
  // without the name it would be the shop's own fragment
  const ours = name !== undefined || isLinkPage(relay);
  return ours && request_id && order_key ? { request_id, order_key } : null;
}

export const resumeLink = (relay: string, { order_key, request_id }: Resume): string =>
  `${relay}/r#${request_id}~${order_key}`;

/** The key leaves the address: the next person at this browser must not find the order there. */
export function dropResume(relay: string): void {
  if (readResume(relay)) history.replaceState(history.state, '', location.href.split('#')[0]);
}
