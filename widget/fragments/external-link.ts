/** A link to a payment page or a wallet, rendered only when its scheme is safe. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { isRefusedScheme } from '../../relay/contract/refused-schemes.js';
import { parseUrl } from '../browser/parse-url.js';
import type { EventOn, ViewContext } from './view-context.js';

/** Payment URIs that the relay builds for a deposit (relay/deposits/payment-uri.ts). */
const PAYMENT_URI = /^(bitcoin|litecoin|dogecoin|ethereum|solana|ripple|web\+stellar):/;

/** @returns the URI of a deposit, or undefined when its scheme is not one of a wallet */
export const paymentUri = (uri: string | undefined): string | undefined =>
  uri !== undefined && PAYMENT_URI.test(uri) ? uri : undefined;

/** A page is safe with TLS, or on this machine, where a developer runs the order service. */
export const isSafePage = ({ hostname, protocol }: URL): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));

/** Checks the scheme again in the browser; only the relay can check the host. */
export function isSafeLink(link: string, schemes: readonly string[]): boolean {
  const url = parseUrl(link);
  if (!url) return false;
  if (isSafePage(url)) return true;
  if (url.protocol === 'http:') return false;
  return !isRefusedScheme(url.protocol) && schemes.includes(url.protocol.slice(0, -1));
}

/** A link with an app's scheme would leave a new tab empty. */
export const isWeb = (link = ''): link is string => /^https?:/i.test(link);

/** @param wallet name of the wallet that the link opens */
export const opener = (
  { actions, openTarget }: ViewContext,
  order: Order,
  safeLink: string,
  content: unknown,
  look: string,
  wallet?: string,
): TemplateResult =>
  html`<a
    part=${wallet ? 'wallet' : 'link'}
    class=${look}
    href=${safeLink}
    target=${isWeb(safeLink) && openTarget !== 'same-tab' ? '_blank' : '_self'}
    rel="noopener noreferrer"
    @click=${(event: MouseEvent & EventOn<HTMLElement>) => {
      actions.openLink(event, safeLink, order, wallet);
      event.currentTarget.closest<HTMLDialogElement>('.sheet')?.close();
    }}
    >${content}</a
  >`;

/** @returns null when the link's scheme is not safe */
export const externalLink = (
  view: ViewContext,
  order: Order,
  link: string,
  words: string,
  look: string,
): TemplateResult | null =>
  isSafeLink(link, view.linkSchemes) ? opener(view, order, link, words, look) : null;
