/** What both adapters need: where to send, with which headers, and the bound on an answer. */
import { OrderServiceError } from '../errors.js';

/** Gives headers that depend on the request. */
export type Sign = (request: {
  path: string;
  json: string;
}) => Record<string, string> | Promise<Record<string, string>>;

/** How the service authenticates is not documented, so it is configuration. */
export type SendOptions = {
  baseUrl: string;
  headers?: Record<string, string>;
  /** As createOrderService takes it; there it is awaited before the last check of a claim. */
  sign?: Sign;
  /** Longest answer in bytes, default 256 KiB. */
  maxBytes?: number;
};

export const MAX_BYTES = 262_144;

/** Without `sign` nothing is awaited: the request is written in the same turn of the loop. */
export function headersFor(
  { headers, sign }: SendOptions,
  request: { path: string; json: string },
  own: Record<string, string> = {},
): Record<string, string> | Promise<Record<string, string>> {
  const fixed = { ...headers, ...own, 'content-type': 'application/json' };
  return sign ? signed(sign, request).then((added) => ({ ...fixed, ...added })) : fixed;
}

/** @throws OrderServiceError `unreachable`: what fails here fails before anything is sent */
export async function signed(
  sign: Sign,
  request: { path: string; json: string },
): Promise<Record<string, string>> {
  try {
    return await sign(request);
  } catch (cause) {
    throw new OrderServiceError('unreachable', 'the request could not be signed', { cause });
  }
}

/** Codes of errors that come before the first byte of a request, and only then. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNECTTIMEOUT',
  // no such name, or no answer of those who know
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
  // a certificate that is not trusted: TLS ends before the request begins
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CRL_LAST_UPDATE_FIELD',
  'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
  'CRL_SIGNATURE_FAILURE',
  'CRL_NOT_YET_VALID',
  'CRL_HAS_EXPIRED',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
]);
/** Families of the same: name look-ups, certificates, and what Node finds wrong with them. */
const NEVER_CONNECTED_FAMILIES = /^(EAI_|CERT_|ERR_TLS_CERT_)/;
/** System calls that come before a connection. */
const BEFORE_CONNECTING = new Set(['connect', 'getaddrinfo']);

const failedToConnect = new WeakSet<object>();
/**
 * Remembers an error of whoever opens connections: whatever its code, no request had begun. Codes
 * of TLS such as EPROTO and ERR_SSL_* cannot tell that, since they also come in mid-connection.
 */
export function noteNoConnection<T extends Error>(error: T): T {
  failedToConnect.add(error);
  return error;
}

export function neverConnected(error: unknown): boolean {
  for (
    let cause = error, depth = 0;
    cause instanceof Error && depth < 4;
    cause = cause.cause, depth++
  ) {
    if (failedToConnect.has(cause)) return true;
    if ('code' in cause && typeof cause.code === 'string')
      if (NEVER_CONNECTED.has(cause.code) || NEVER_CONNECTED_FAMILIES.test(cause.code)) return true;
    if ('syscall' in cause && typeof cause.syscall === 'string')
      if (BEFORE_CONNECTING.has(cause.syscall)) return true;
    if (cause instanceof AggregateError && cause.errors.length > 0)
      return cause.errors.every(neverConnected);
  }
  return false;
}
