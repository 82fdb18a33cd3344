/** What both adapters need: where to send, with which headers, and the bound on an answer. */

/** Not documented (Authentication): configuration. */
export type SendOptions = {
  baseUrl: string;
  headers?: Record<string, string>;
  /** Adds headers that depend on the request. */
  sign?: (request: {
    path: string;
    json: string;
  }) => Record<string, string> | Promise<Record<string, string>>;
  /** Longest answer in bytes, default 256 KiB. */
  maxBytes?: number;
};

export const MAX_BYTES = 262_144;

export const headersFor = async (
  { headers, sign }: SendOptions,
  path: string,
  json: string,
): Promise<Record<string, string>> => ({
  ...headers,
  ...(sign ? await sign({ path, json }) : {}),
  'content-type': 'application/json',
});

/** Errors of Node's sockets that say that no connection came about. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNECTTIMEOUT',
]);

export function neverConnected(error: unknown): boolean {
  for (
    let cause = error, depth = 0;
    cause instanceof Error && depth < 4;
    cause = cause.cause, depth++
  ) {
    if ('code' in cause && typeof cause.code === 'string' && NEVER_CONNECTED.has(cause.code))
      return true;
    if (cause instanceof AggregateError && cause.errors.length > 0)
      return cause.errors.every(neverConnected);
  }
  return false;
}
