/**
 * Which requests the console answers at all. A page of another site can make a browser send
 * requests to the listener, also by a name that it points to this machine (DNS rebinding).
 */
import { ConsoleError } from './console-error.js';
import { SESSION_MS } from './sessions.js';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** By which name the console was reached. */
export type Place = {
  /** The host without its port, in lower case. */
  readonly name: string;
  /** Absent for the usual port of the scheme. */
  readonly port: string | undefined;
  /** Whether a browser may reach it without TLS. */
  readonly isLoopback: boolean;
  /** The origins of a page that was loaded from there. */
  readonly origins: readonly string[];
};

/**
 * @param hosts names of the configuration, by which a proxy with TLS reaches the listener
 * @throws ConsoleError `host_refused`
 */
export function requireHost(request: Request, hosts: readonly string[]): Place {
  const host = hostOf(request);
  const port = /:(\d+)$/.exec(host)?.[1];
  const name = host.replace(/:\d+$/, '');
  if (LOOPBACK.test(name))
    return { name, port, isLoopback: true, origins: [`https://${host}`, `http://${host}`] };
  if (hosts.includes(name)) return { name, port, isLoopback: false, origins: [`https://${host}`] };
  throw new ConsoleError(
    403,
    'host_refused',
    'the console answers at localhost, and at the names in operator.hosts',
  );
}

const hostOf = (request: Request): string =>
  (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();

/**
 * Browsers name the origin with every POST and DELETE. A program that sends none has no cookie that
 * somebody else could use.
 *
 * @param hosts as in `requireHost`
 * @throws ConsoleError `origin_refused`
 */
export function requireOrigin(
  request: Request,
  { isLoopback, origins }: Place,
  hosts: readonly string[],
): void {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (origin === `http://${hostOf(request)}` && !isLoopback)
    throw new ConsoleError(403, 'origin_refused', 'sign in over https, or at localhost');
  const isOwn = origin === null || origins.includes(origin.toLowerCase());
  const from = origin !== null && URL.canParse(origin) ? new URL(origin).hostname : '';
  if (!isOwn && isLoopback && hosts.includes(from))
    throw new ConsoleError(
      403,
      'origin_refused',
      'the proxy names the console by another host than the browser: let it pass Host on, in ' +
        'nginx by "proxy_set_header Host $host"',
    );
  const isSameSite = site === null || site === 'same-origin' || site === 'none';
  if (!isOwn || !isSameSite)
    throw new ConsoleError(403, 'origin_refused', 'the request comes from another site');
}

const PLAIN_NAME = 'pay-console';
/** `__Host-` binds a cookie to TLS and to this host; browsers refuse it on plain http. */
const BOUND_NAME = `__Host-${PLAIN_NAME}`;

/**
 * Whether a session may be kept without TLS. A proxy that ends TLS reaches the listener by plain
 * http, so the origin decides where the browser names it: with every POST and DELETE.
 */
const isPlain = (request: Request, { isLoopback }: Place): boolean =>
  isLoopback && (request.headers.get('origin') ?? request.url).startsWith('http:');

/**
 * Browsers send a cookie to every port of a host, and two consoles may have one host, so the value
 * has a session of each port.
 */
const entriesIn = (request: Request, name: string): string[] =>
  (request.headers.get('cookie') ?? '')
    .split(/;\s*/)
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1).split(':') : []))
    .filter((entry) => /^\d*\.[\w-]{43}$/.test(entry));
const MAX_ENTRIES = 8;
const ownPart = ({ port = '' }: Place): string => `${port}.`;

/** @returns what may be a session; a GET without an origin comes from one of two places */
export function sessionsIn(request: Request, place: Place): string[] {
  const names = isPlain(request, place) ? [BOUND_NAME, PLAIN_NAME] : [BOUND_NAME];
  const own = ownPart(place);
  return names
    .flatMap((name) => entriesIn(request, name))
    .flatMap((entry) => (entry.startsWith(own) ? entry.slice(own.length) : []));
}

/** @param session the new one; null ends that of this place */
export function sessionCookie(request: Request, place: Place, session: string | null): string {
  const plain = isPlain(request, place);
  const [name, bound] = plain ? [PLAIN_NAME, ''] : [BOUND_NAME, '; Secure'];
  const own = ownPart(place);
  const others = entriesIn(request, name).filter((entry) => !entry.startsWith(own));
  const entries = session === null ? others : [own + session, ...others];
  const value = entries.slice(0, MAX_ENTRIES).join(':');
  const seconds = value === '' ? 0 : SESSION_MS / 1000;
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${bound}`;
}
