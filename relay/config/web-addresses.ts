/** Schemas of the configuration's URLs, and of origins as browsers send them. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isLoopback } from './links.js';

/**
 * Whether only the operator's own network resolves this host: a container's name, a name of a
 * private zone, a private address.
 */
function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(address))
    return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());
  return !hostname.includes('.') || /[^.]\.(internal|local)$/.test(hostname);
}

type MayBePlain = (hostname: string) => boolean;

/** Reads an https URL, or an http URL of a host that may be reached without TLS. */
export function readUrl(value: string, mayBePlain: MayBePlain): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || url.username || url.password) return null;
  const isAllowed =
    url.protocol === 'https:' || (url.protocol === 'http:' && mayBePlain(url.hostname));
  return isAllowed ? url : null;
}

function readWebUrl(value: string, mayBePlain: MayBePlain): URL | null {
  const url = readUrl(value, mayBePlain);
  return url?.search === '' && url.hash === '' ? url : null;
}

const withoutEndSlash = (value: string): string => value.replace(/\/+$/, '');

/**
 * The relay appends paths to the text of an address, and compares it byte by byte: another spelling
 * that the parser accepts, such as one with a blank or `?` at its end, would break `notify_url`.
 */
function isAsParsed(value: string): boolean {
  const parsed = asParsed(value);
  return parsed === null || parsed === withoutEndSlash(value);
}

/** @returns null for a text that is no address at all */
function asParsed(value: string): string | null {
  const url = readWebUrl(value, () => true);
  return url && withoutEndSlash(url.origin + url.pathname);
}
/** Whether a path that is appended would not be the address's path. */
const isUnfitForPaths = (value: string): boolean =>
  readWebUrl(value, () => true) !== null && !/^https?:\/\/[^\s?#\\]+$/.test(value);

const AS_PARSED = {
  error: ({ input }: { readonly input?: unknown }) =>
    `an address in a browser’s spelling; write "${asParsed(String(input)) ?? ''}"`,
};

export const webUrl = z
  .string()
  .refine((value) => readWebUrl(value, isLoopback) !== null, {
    error: 'an https URL without user, password, query or fragment (http on loopback)',
  })
  .refine(isAsParsed, AS_PARSED)
  .transform(withoutEndSlash);

const PLAIN_HTTP =
  '; in test mode also http to a host without a dot, *.internal, *.local or a private address';

/** A URL that the relay itself calls. In live mode `checkLiveMode` restricts it further. */
export const privateUrl = z.string().refine((value) => readUrl(value, isPrivate) !== null, {
  error: `an https URL without user or password (http on loopback${PLAIN_HTTP})`,
});

/** A `privateUrl` to which the relay appends paths. */
export const privateWebUrl = z
  .string()
  .refine((value) => readWebUrl(value, isPrivate) !== null, {
    error: `an https URL without user, password, query or fragment (http on loopback${PLAIN_HTTP})`,
  })
  // its host may have any spelling: nothing is compared with it except the ledger's own binding
  .refine((value) => !isUnfitForPaths(value), AS_PARSED)
  .transform(withoutEndSlash);

/** Whether a URL is allowed in test mode alone: live mode allows plain http only on loopback. */
export const needsTestMode = (value: string): boolean =>
  readUrl(value, isPrivate) !== null && readUrl(value, isLoopback) === null;

/** A name without a port; a wildcard stands for every host below. */
export const host = z.string().regex(/^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+$|^\[::1\]$/, {
  error: 'a host name such as "pay.example" or "*.pay.example"',
});

/** A `host` of links, which may name a port. */
export const linkHost = z
  .string()
  .regex(/^((\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+|\[::1\])(:[1-9]\d{0,4})?$/, {
    error: 'a host such as "pay.example", "*.pay.example" or "pay.example:8443"',
  });

/** Excludes a wildcard, which the URL parser accepts as a name, and a trailing dot. */
const ORIGIN_HOST = /^([a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:]+\]$/;

/** The pages inside an app that Capacitor, Ionic or Tauri made have such an origin. */
export const APP_ORIGIN = /^(capacitor|ionic|tauri):\/\/([a-z0-9-]+\.)*[a-z0-9-]+$/;

/**
 * An origin is compared byte by byte with what the browser sends: with another spelling the relay
 * would refuse the shop's own page for no visible reason.
 */
function isOrigin(value: string): boolean {
  if (APP_ORIGIN.test(value)) return true;
  const url = readWebUrl(value, isLoopback);
  return url !== null && url.origin === value && ORIGIN_HOST.test(url.hostname);
}

export const origin = z.string().refine(isOrigin, {
  error:
    'an origin as a browser sends it, such as "https://shop.example" (http on loopback): lower ' +
    'case, no path, no wildcard, no user, no dot at the end, no port 443; or that of an app, ' +
    'such as "capacitor://localhost"',
});
