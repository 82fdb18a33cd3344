/**
 * Who asks, as a rate limit sees it: an IPv4 address, or an IPv6 network of /64, since that is what
 * one customer has.
 */

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * @param socket the peer's address
 * @param forwardedFor the X-Forwarded-For header, each proxy having added the address it saw at
 *   the end
 * @param trustedHops how many proxies of one's own stand before the relay; what they did not add
 *   is the customer's invention
 */
export function clientAddress(
  socket: string,
  forwardedFor: string | null,
  trustedHops: number,
): string {
  const seen = [...(forwardedFor?.split(',').map((part) => part.trim()) ?? []), socket];
  return network(seen[Math.max(0, seen.length - 1 - trustedHops)] ?? socket);
}

function network(address: string): string {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = plain.includes('::')
    ? [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
    : left;
  return `${groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
