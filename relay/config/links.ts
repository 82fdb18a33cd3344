/** The URL guard: which links of an answer may be shown or opened (design §5, `links`). */

export type LinkRules = { hosts?: readonly string[] | undefined; schemes: readonly string[] };

/**
 * Schemes that no wallet has: they run a script, read what is on the device, or wrap another URL,
 * as `intent:` and `view-source:` do, so that the guard would judge the wrapping alone.
 */
const REFUSED_SCHEMES = new Set([
  ...['http', 'https', 'ws', 'wss', 'ftp'],
  ...['javascript', 'vbscript', 'data', 'blob', 'file', 'filesystem'],
  ...['about', 'view-source', 'intent'],
]);

export const isWalletScheme = (scheme: string): boolean =>
  /^[a-z][a-z0-9+.-]*$/.test(scheme) && !REFUSED_SCHEMES.has(scheme);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** An allow-list over the parsed URL; a link that the parser would have to mend is refused too. */
export function linkAllowed(link: string, { hosts, schemes }: LinkRules): boolean {
  // browsers strip these before parsing, so the guard must see none
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(link)) return false;
  const url = URL.canParse(link) ? new URL(link) : null;
  if (!url || url.username || url.password) return false;
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'https' || (scheme === 'http' && isLoopback(url.hostname)))
    return /^https?:\/\/[^/]/i.test(link) && hostAllowed(url.hostname, hosts);
  return scheme !== 'http' && schemes.includes(scheme);
}

/** `*.pay.example` stands for every host below pay.example, not for pay.example itself. */
function hostAllowed(hostname: string, hosts: readonly string[] | undefined): boolean {
  if (!hosts) return true;
  return hosts.some((host) =>
    host.startsWith('*.')
      ? hostname.endsWith(host.slice(1)) && hostname.length > host.length - 1
      : hostname === host,
  );
}
