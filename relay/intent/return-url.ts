/**
 * Checks the URL to which the customer returns after paying: it must be on a configured host.
 *
 * The page, the relay, the order service and a browser each parse the text with their own parser.
 * If two parsers saw two hosts, the relay would check one host and the browser would open the
 * other, so such a text is refused.
 */
import { isLoopback } from '../config/links.js';
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';

const MAX_RETURN_URL_CHARACTERS = 2048;
const DEFAULT_PORTS: Record<string, string> = { 'https:': '443', 'http:': '80' };
/** Browsers drop or replace these while parsing; other parsers keep them. */
const REPAIRED_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;

/** Host and port as one parser reads them; an absent port is empty. */
type Authority = { host: string; port: string };

/** Reads as browsers and most JavaScript do. */
function readAsBrowser(url: URL): Authority {
  return { host: url.hostname, port: url.port };
}

/** Reads by appendix B of RFC 3986, and the authority by its section 3.2. */
function readAsRfc3986(text: string): Authority | null {
  const parts = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/.exec(text);
  const authority = parts?.[4];
  if (authority === undefined || authority.includes('@')) return null;
  const split = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]*)(?::(\d*))?$/i.exec(authority);
  return split && { host: split[1] ?? '', port: split[2] ?? '' };
}

/** Reads as a simple regular expression may: the host follows the last @. */
function readAsPlainPattern(text: string): Authority | null {
  const found = /^https?:\/\/(?:[^/]*@)?(\[[^\]]*\]|[^/:?#]*)(?::(\d*))?/i.exec(text);
  return found && { host: found[1] ?? '', port: found[2] ?? '' };
}

/**
 * @returns the URL as serialised, which every parser reads in the same way
 * @throws Failure `return_host_refused`
 */
export function readReturnUrl({ shop }: Pick<Config, 'shop'>, text: string): string {
  const url = REPAIRED_CHARACTERS.test(text) || !URL.canParse(text) ? null : new URL(text);
  if (!url) throw refused('return_url is not a URL that every parser reads in the same way');
  const secure =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!secure) throw refused('return_url must be https');
  if (url.username !== '' || url.password !== '')
    throw refused('return_url must carry no user and no password');

  const defaultPort = DEFAULT_PORTS[url.protocol] ?? '';
  const portOf = (port: string): string => (port === '' ? defaultPort : String(Number(port)));
  const browser = readAsBrowser(url);
  for (const other of [readAsRfc3986(text), readAsPlainPattern(text)])
    if (other?.host.toLowerCase() !== browser.host || portOf(other.port) !== portOf(browser.port))
      throw refused('different parsers read different hosts in return_url');

  const configured = shop.return_hosts.some((allowed) => {
    const [, host, port = ''] = /^(.+?)(?::(\d+))?$/.exec(allowed) ?? [];
    return host === browser.host && portOf(port) === portOf(browser.port);
  });
  if (!configured) throw refused('the host and port of return_url are not in shop.return_hosts');
  if (url.href.length > MAX_RETURN_URL_CHARACTERS)
    throw refused(`return_url has more than ${MAX_RETURN_URL_CHARACTERS} characters as serialised`);
  return url.href;
}

/** Checks and serialises the `return_url` of a request or a token. */
export const withReturnUrl = <T extends { return_url?: string | undefined }>(
  config: Pick<Config, 'shop'>,
  request: T,
): T =>
  request.return_url === undefined
    ? request
    : { ...request, return_url: readReturnUrl(config, request.return_url) };

/** The stored `return_url`, unless its host has been taken out of the configuration since. */
export function allowedReturnUrl(
  config: Pick<Config, 'shop'>,
  stored: string | null,
): string | null {
  try {
    return stored === null ? null : readReturnUrl(config, stored);
  } catch {
    return null;
  }
}

const refused = (reason: string): Failure =>
  new Failure('return_host_refused', reason, 'return_url');
