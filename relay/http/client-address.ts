/**
 * The address by which a rate limit counts a client: an IPv4 address, or the /64 network of an IPv6
 * address, since one customer has a whole /64.
 */
import ipaddr from 'ipaddr.js';

/**
 * Finds the customer's address behind proxies.
 *
 * @param socket the peer's address
 * @param forwardedFor the X-Forwarded-For header, to whose end each proxy appended the address it
 *   saw
 * @param trustedHops how many of the operator's own proxies stand before the relay; the client can
 *   invent every entry that they did not append
 */
export function clientAddress(
  socket: string,
  forwardedFor: string | null,
  trustedHops: number,
): string {
  const hops = [...(forwardedFor?.split(',').map((part) => part.trim()) ?? []), socket];
  return network(withoutPort(hops[Math.max(0, hops.length - 1 - trustedHops)] ?? socket));
}

/** @param address from `clientAddress` */
export const isOwnMachine = (address: string): boolean =>
  address.startsWith('127.') || address === '0:0:0:0::/64';

/** Some proxies append the port too; with it each connection would have a limit of its own. */
const withoutPort = (hop: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;

function network(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
