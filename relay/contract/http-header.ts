/** Headers of our requests, which an HTTP client may refuse when it builds a request. */

/** Headers of the connection, which the client sets itself and refuses from its caller. */
const OF_CONNECTION = /^(connection|content-length|expect|keep-alive|transfer-encoding|upgrade)$/i;

/** @throws TypeError when a client refuses one of the headers */
export function checkHeaders(headers: Record<string, string>): void {
  new Headers(headers);
  const refused = Object.keys(headers).find((name) => OF_CONNECTION.test(name));
  if (refused !== undefined) throw new TypeError(`the header ${refused} cannot be set`);
}

/** Whether a client takes the header. */
export function isHeader(name: string, value: string): boolean {
  try {
    checkHeaders({ [name]: value });
    return true;
  } catch {
    return false;
  }
}
