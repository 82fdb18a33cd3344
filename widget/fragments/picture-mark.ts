/**
 * The picture of a shop, a way to pay or a wallet. Without one, a way to pay has the icon of its
 * kind, and a wallet its first letter.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { own } from '../../relay/contract/read.js';
import type { PaymentOption, Wallet } from '../../relay/contract/responses.js';
import { parseUrl } from '../browser/parse-url.js';
import { isSafePage } from './external-link.js';
import type { EventOn, ViewContext } from './view-context.js';

/** Lines of 24 × 24, by `payment_type`, else by `payment_method`. */
const ICONS: Readonly<Record<string, string>> = {
  qrcode: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM20 14v6h-6',
  wallet: 'M17 7V4H6a2 2 0 0 0 0 4h14v12H6a2 2 0 0 1-2-2V6M16 14h.1',
  virtual_account: 'M3 10l9-6 9 6zM5 20h14M7 13v4M12 13v4M17 13v4',
  on_line: 'M3 5h18v14H3zM3 10h18M7 15h4',
  on_chain: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 8l4 4-4 4-4-4z',
};

/** @returns the URL when it is safe, on the page's host, the relay's host or a listed host */
function allowedPicture(
  { imageHosts, relay }: ViewContext,
  url: string | undefined,
): string | null {
  const parsed = parseUrl(url ?? '');
  if (!parsed) return null;
  const { hostname } = parsed;
  const hosts = [location.hostname, new URL(relay).hostname, ...imageHosts];
  const isAllowed = hosts.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  );
  return isSafePage(parsed) && isAllowed ? parsed.href : null;
}

const mark = (source: string | null, icon: unknown): TemplateResult =>
  html`<span class="mark" aria-hidden="true"
    >${icon}${
      source &&
      html`<img
        hidden
        loading="lazy"
        src=${source}
        alt=""
        referrerpolicy="no-referrer"
        @load=${showPicture}
        @error=${icon === null ? hideMark : nothing}
      />`
    }</span
  >`;

export function optionMark(
  view: ViewContext,
  { icon_url, payment_method, payment_type }: PaymentOption,
): TemplateResult {
  const lines = own(ICONS, payment_type ?? payment_method) ?? ICONS.on_line ?? '';
  return mark(
    allowedPicture(view, icon_url),
    html`<svg class="icon" viewBox="0 0 24 24"><path d=${lines} /></svg>`,
  );
}

/** The first letter of a wallet stands where it has no picture. */
export const walletMark = (view: ViewContext, { icon_url, name }: Wallet): TemplateResult =>
  mark(allowedPicture(view, icon_url), html`<b>${[...name][0]?.toUpperCase()}</b>`);

/** @returns null when the shop has no logo that may be shown */
export function logo(view: ViewContext, url: string | undefined): TemplateResult | null {
  const source = allowedPicture(view, url);
  return source === null ? null : mark(source, null);
}

/** Without an icon below it, the mark of a picture that does not load would be an empty box. */
const hideMark = ({ currentTarget }: EventOn<HTMLElement>): void =>
  currentTarget.parentElement?.style.setProperty('display', 'none');

/** The picture is hidden until it has loaded: an empty picture would cover the icon. */
const showPicture = ({ currentTarget }: EventOn<HTMLElement>): void => {
  currentTarget.hidden = false;
};
