/** Requests of a framework, as the relay reads them. */

/** The same request without the mount's path; a body that was read before is read again. */
export async function belowMount(request: Request, mount: string, text?: () => Promise<string>) {
  const url = new URL(request.url);
  if (url.pathname === mount || url.pathname.startsWith(`${mount}/`))
    url.pathname = url.pathname.slice(mount.length) || '/';
  if (!request.bodyUsed || !text) return new Request(url, request);
  const { headers, method, signal } = request;
  return new Request(url, { method, headers, signal, body: await text() });
}

/**
 * The body that a parser in front of the relay has read; undefined when none has.
 *
 * @param parsed what the parser made of it
 */
export function readAgain(parsed: unknown): Buffer | undefined {
  if (parsed === undefined || parsed === null) return undefined;
  if (Buffer.isBuffer(parsed)) return parsed;
  return Buffer.from(typeof parsed === 'string' ? parsed : JSON.stringify(parsed));
}
