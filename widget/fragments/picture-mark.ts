/** A logo in a square, with two letters of the name until and unless the picture loads. */
import { html, nothing, type TemplateResult } from 'lit';
import { parseUrl } from '../browser/parse-url.js';
import type { ViewContext } from './view-context.js';

/** @returns the URL when it is HTTPS on the page's host, the relay's host or a listed host */
function allowedPicture(
  { imageHosts, relay }: ViewContext,
  url: string | undefined,
): string | null {
  const parsed = parseUrl(url ?? '');
  if (url === undefined || !parsed) return null;
  const { hostname, protocol } = parsed;
  const hosts = [location.hostname, new URL(relay).hostname, ...imageHosts];
  const isAllowed = hosts.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  );
  return protocol === 'https:' && isAllowed ? url : null;
}

/** The first letter of the name, and the first letter of the next word or else any later letter. */
function shorten(name: string, taken: readonly string[]): string {
  const [first = '', ...rest] = name.match(/[\p{L}\p{N}]/gu) ?? [];
  const [, second = rest[0] ?? ''] = /[\p{L}\p{N}][^\p{L}\p{N}]+([\p{L}\p{N}])/u.exec(name) ?? [];
  return (
    [second, ...rest]
      .map((letter) => (first + letter).toUpperCase())
      .find((mark) => !taken.includes(mark)) ?? first
  );
}

/** Two letters that stand for a name, and for no other name of the list. */
export function monogram(name: string, names: readonly string[]): string {
  const taken: string[] = [];
  for (const other of names) {
    const mark = shorten(other, taken);
    if (other === name) return mark;
    taken.push(mark);
  }
  return shorten(name, []);
}

export function pictureMark(
  view: ViewContext,
  name: string,
  url: string | undefined,
): TemplateResult {
  const source = allowedPicture(view, url);
  const names = view.options.map((option) => view.label(option.label));
  return html`<span class="mark" aria-hidden="true"
    >${monogram(name, names)}${
      source === null
        ? nothing
        : html`<img
            hidden
            src=${source}
            alt=""
            referrerpolicy="no-referrer"
            @load=${showPicture}
          />`
    }</span
  >`;
}

/** The picture is hidden until it has loaded: an empty picture would cover the letters. */
const showPicture = (event: Event): void => {
  if (event.target instanceof HTMLElement) event.target.hidden = false;
};
