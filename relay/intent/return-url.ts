/**
 * Where the customer is led after paying: a URL on a configured host, forwarded as it was parsed.
 *
 * The text passes through the page, the relay, the order service and a browser, and each reads it
 * with a parser of its own. A text in which two kinds of parser see two hosts would be checked for
 * one host and opened on the other, so it is refused.
 */
import { isLoopback } from '../config/links.js';
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';

const MAX_RETURN_URL_CHARACTERS = 2048;
const DEFAULT_PORTS: Record<string, string> = { 'https:': '443', 'http:': '80' };
/** Browsers drop or mend these while they parse; other readers keep them. */
const REPAIRED_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;

/** What one reader sees; an absent port is an empty text. */
type Seen = { host: string; port: string };

/** As browsers and most JavaScript read it. */
function readAsBrowser(url: URL): Seen {
  return { host: url.hostname, port: url.port };
}

/** Appendix B of RFC 3986, and the authority as its section 3.2 divides it. */
function readAsRfc3986(text: string): Seen | null {
  const parts = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/.exec(text);
  const authority = parts?.[4];
  if (authority === undefined || authority.includes('@')) return null;
  const split = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]*)(?::(\d*))?$/i.exec(authority);
  return split && { host: split[1] ?? '', port: split[2] ?? '' };
}

/** As a short regular expression of a shop or a bank may read it: the host follows the last @. */
function readAsPlainPattern(text: string): Seen | null {
  const found = /^https?:\/\/(?:[^/]*@)?(\[[^\]]*\]|[^/:?#]*)(?::(\d*))?/i.exec(text);
  return found && { host: found[1] ?? '', port: found[2] ?? '' };
}

/**
 * @returns the URL as serialised, which every reader understands alike
 * @throws Failure `return_host_refused`
 */
export function readReturnUrl({ shop }: Pick<Config, 'shop'>, text: string): string {
  const url = REPAIRED_CHARACTERS.test(text) || !URL.canParse(text) ? null : new URL(text);
  if (!url) throw refused('return_url is not a URL that every reader understands alike');
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
      throw refused('the host of return_url reads differently to different readers');

  const configured = shop.return_hosts.some((allowed) => {
    const [, host, port = ''] = /^(.+?)(?::(\d+))?$/.exec(allowed) ?? [];
    return host === browser.host && portOf(port) === portOf(browser.port);
  });
  if (!configured) throw refused('the host and port of return_url are not in shop.return_hosts');
  if (url.href.length > MAX_RETURN_URL_CHARACTERS)
    throw refused(`return_url has more than ${MAX_RETURN_URL_CHARACTERS} characters as serialised`);
  return url.href;
}

/** What a page or a token says, with its `return_url` checked and serialised. */
export const withReturnUrl = <T extends { return_url?: string | undefined }>(
  config: Pick<Config, 'shop'>,
  said: T,
): T =>
  said.return_url === undefined
    ? said
    : { ...said, return_url: readReturnUrl(config, said.return_url) };

const refused = (why: string): Failure => new Failure('return_host_refused', why, 'return_url');
