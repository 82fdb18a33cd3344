/** A relay without a web server before it is reached by a port of its own machine. */
import { isLoopback } from './links.js';

const HTTP_PORT = 80;

/** @returns the port of a `public_url` of this machine without a path and TLS; null of any other */
export function directPort(publicUrl: string): number | null {
  if (!URL.canParse(publicUrl)) return null;
  const { hostname, pathname, port, protocol } = new URL(publicUrl);
  const isDirect = protocol === 'http:' && isLoopback(hostname) && pathname === '/';
  return isDirect ? Number(port || HTTP_PORT) : null;
}

/**
 * Names the port when pages would look for the relay at another one, where another relay may be.
 *
 * @param port on which the relay listens; 0 when it is not known
 */
export function otherPort(publicUrl: string, port: number): string[] {
  const direct = directPort(publicUrl);
  if (port === 0 || direct === null || direct === port) return [];
  return [
    `public_url: pages ask port ${direct}, and this is ${port}; start with --port ${direct}, ` +
      'unless a proxy or a container passes its requests on',
  ];
}
