/** A logo in a square, with the first letters of the name until and unless the picture loads. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ViewContext } from './view-context.js';

/** An https picture of the page's host, the relay's, or one that the shop names. */
function allowedPicture(
  { imageHosts, relay }: ViewContext,
  url: string | undefined,
): string | null {
  if (url === undefined || !URL.canParse(url)) return null;
  const { hostname, protocol } = new URL(url);
  const hosts = [location.hostname, new URL(relay).hostname, ...imageHosts];
  const isAllowed = hosts.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  );
  return protocol === 'https:' && isAllowed ? url : null;
}

/** The first letter of the first two words. */
const initials = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();

export function pictureMark(
  view: ViewContext,
  name: string,
  url: string | undefined,
): TemplateResult {
  const source = allowedPicture(view, url);
  return html`<span class="mark" aria-hidden="true"
    >${initials(name)}${
      source === null
        ? nothing
        : html`<img src=${source} alt="" referrerpolicy="no-referrer" @error=${removePicture} />`
    }</span
  >`;
}

const removePicture = (event: Event): void => {
  if (event.target instanceof HTMLElement) event.target.hidden = true;
};
