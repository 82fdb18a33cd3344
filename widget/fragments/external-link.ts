/** A link out of the page, rendered only when it passes the widget's own guard; it stays after it was opened. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import type { ViewContext } from './view-context.js';

/** The relay has checked the host; here only the kind of link is checked again, over the parsed URL. */
export function safeLink(link: string, schemes: readonly string[]): boolean {
  const url = URL.canParse(link) ? new URL(link) : null;
  if (!url) return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  return schemes.includes(url.protocol.slice(0, -1));
}

export function externalLink(
  { linkSchemes, actions }: ViewContext,
  order: Order,
  link: string,
  text: string,
): TemplateResult | typeof nothing {
  if (!safeLink(link, linkSchemes)) return nothing;
  return html`<a
    part="link"
    class="primary"
    href=${link}
    target="_blank"
    rel="noopener noreferrer"
    @click=${(event: Event) => actions.opening(event, link, order)}
    >${text}</a
  >`;
}
