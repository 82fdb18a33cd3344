/** The URL guard: decides which links of the service's answer may be shown or opened. */
import { isRefusedScheme } from '../contract/refused-schemes.js';

export type LinkRules = { hosts?: readonly string[] | undefined; schemes: readonly string[] };

/** The element refuses the same schemes, so that no wallet is configured that nobody could open. */
export const isWalletScheme = (scheme: string): boolean =>
  /^(?!https?$)[a-z][a-z0-9+.-]*$/.test(scheme) && !isRefusedScheme(`${scheme}:`);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * Browsers strip spaces and controls before parsing, and read a backslash as a slash, so they could
 * open another URL than the one checked. Invisible characters show another link than is opened.
 */
const UNSAFE_CHARACTER = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\\]/u;

/** Applies an allow-list to the parsed URL; refuses a link that the parser would repair. */
export function linkAllowed(given: string, { hosts, schemes }: LinkRules): boolean {
  // many banks write the names in an app's link with spaces, which browsers escape in this way
  const link = /^https?:/i.test(given) ? given : given.replaceAll(' ', '%20');
  if (UNSAFE_CHARACTER.test(link)) return false;
  const url = URL.canParse(link) ? new URL(link) : null;
  if (!url || url.username || url.password) return false;
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'https' || (scheme === 'http' && isLoopback(url.hostname)))
    return /^https?:\/\/[^/]/i.test(link) && hostAllowed(url, hosts);
  return scheme !== 'http' && schemes.includes(scheme);
}

/**
 * The port is the scheme's own, or the one that the entry names: another program may listen at
 * another port of the same host. On loopback it may be any, as on a developer's machine.
 */
function hostAllowed({ hostname, port }: URL, hosts: readonly string[] | undefined): boolean {
  if (!hosts) return port === '' || isLoopback(hostname);
  return hosts.some((entry) => {
    const [, host = '', named = ''] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    return (
      hostMatches(hostname, [host]) && (port === named.replace(/^443$/, '') || isLoopback(hostname))
    );
  });
}

/** `*.pay.example` matches every host below pay.example, not pay.example itself. */
export const hostMatches = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.some((host) =>
    host.startsWith('*.')
      ? hostname.endsWith(host.slice(1)) && hostname.length > host.length - 1
      : hostname === host,
  );
