/** Turns the requests of a framework into those that the relay expects. */

/**
 * Removes the mount's path from a request, and the slash that `trailingSlash` of Next.js puts at
 * the end of an operation's path.
 *
 * @param bytes reads a body that the framework has already read
 */
export async function withoutMount(
  request: Request,
  mount: string,
  bytes?: () => Promise<ArrayBuffer>,
): Promise<Request> {
  const url = new URL(request.url);
  if (url.pathname === mount || url.pathname.startsWith(`${mount}/`))
    url.pathname = url.pathname.slice(mount.length).replace(/^(\/v1\/.+)\/$/, '$1') || '/';
  if (!request.bodyUsed || !bytes) return new Request(url, request);
  const { headers, method, signal } = request;
  return new Request(url, { method, headers, signal, body: await bytes() });
}

/**
 * Restores a body that a parser has read before the relay.
 *
 * @param parsed the parser's result
 * @returns undefined when no parser has read the body
 */
export function rawBodyOf(parsed: unknown): Buffer | undefined {
  if (parsed === undefined || parsed === null) return undefined;
  if (Buffer.isBuffer(parsed)) return parsed;
  return Buffer.from(typeof parsed === 'string' ? parsed : JSON.stringify(parsed));
}
