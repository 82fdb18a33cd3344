/**
 * A link out of the page, rendered only when it passes the widget's own guard; it stays after it
 * was opened.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { qrCode } from './qr.js';
import type { ViewContext } from './view-context.js';

/**
 * Schemes that run something, read the browser's own pages or files, or name another app: none is
 * opened, also when an answer says that the partner configured it.
 */
const NEVER = new RegExp(
  '^(javascript|data|vbscript|blob|file|filesystem|about|view-source|intent|android-app|' +
    'content|wss?|ftp|resource|ms-.*|.*-extension|chrome.*|edge):$',
);

/** The payment URIs that the relay builds for a deposit (relay/deposits/payment-uri.ts). */
const PAYMENT_URI = /^(bitcoin|litecoin|dogecoin|ethereum|solana|ripple|web\+stellar):/;

/** A deposit's URI, when it is one that only a wallet opens. */
export const paymentUri = (uri: string | undefined): string | undefined =>
  uri !== undefined && PAYMENT_URI.test(uri) ? uri : undefined;

/** The relay has checked the host; here the kind of link is checked again, over the parsed URL. */
export function safeLink(link: string, schemes: readonly string[]): boolean {
  const url = URL.canParse(link) ? new URL(link) : null;
  if (!url) return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  return !NEVER.test(url.protocol) && schemes.includes(url.protocol.slice(0, -1));
}

/** An app's own scheme has no page that a new tab could show. */
const isWeb = (link: string): boolean => /^https?:/i.test(link);

/** The link as one button, and on a desktop as a QR code too: "continue on your phone". */
export function externalLink(
  view: ViewContext,
  order: Order,
  link: string,
  text: string,
  { onPhone }: { onPhone: boolean },
): TemplateResult | typeof nothing {
  const { actions, blocked, linkSchemes, opened, t, way } = view;
  if (!safeLink(link, linkSchemes)) return nothing;
  const tab = isWeb(link) && way !== 'same-tab' ? '_blank' : '_self';
  const code = qrCode(view, link, t('on_phone_hint'), 'link-qr');
  return html`<a
      part="link"
      class="primary"
      href=${link}
      target=${tab}
      rel="noopener noreferrer"
      @click=${(event: Event) => actions.opening(event, link, order)}
      >${opened && !blocked && isWeb(link) && tab === '_blank' ? t('bring_back') : text}</a
    >
    ${blocked ? html`<p class="note">${t('popup_blocked')}</p>` : nothing}
    ${
      code
        ? html`<details class="on-phone" ?open=${onPhone}>
            <summary>${t('on_phone')}</summary>
            <p class="hint">${t('on_phone_hint')}</p>
            ${code}
          </details>`
        : nothing
    }`;
}
