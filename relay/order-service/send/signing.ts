/** What fetch-send and pool-send share: options, headers, and errors before a connection exists. */
import { checkHeaders } from '../../contract/http-header.js';
import { MAX_CAUSE_DEPTH, OrderServiceError } from '../errors.js';

/** Makes headers that depend on the request, such as a signature. */
export type Sign = (request: {
  path: string;
  json: string;
}) => Record<string, string> | Promise<Record<string, string>>;

/** The service's authentication is not documented, so it is configuration. */
export type SendOptions = {
  baseUrl: string;
  /** A function is called for each request, so that a key can be replaced while the relay runs. */
  headers?: Record<string, string> | (() => Record<string, string>);
  /** Longest answer in bytes, default 256 KiB. */
  maxBytes?: number;
};

export const MAX_ANSWER_BYTES = 262_144;

/**
 * Each header once, whatever the case of its name: fetch would send the values of two as one list.
 *
 * @param ownHeaders the headers of one request, such as its signature
 */
export function headersFor(
  { headers }: SendOptions,
  ownHeaders: Record<string, string> | undefined,
): Record<string, string> {
  const given = typeof headers === 'function' ? headers() : headers;
  const last = new Map<string, [name: string, value: string]>();
  for (const each of [given, ownHeaders, { 'content-type': 'application/json' }])
    for (const header of Object.entries(each ?? {})) last.set(header[0].toLowerCase(), header);
  return Object.fromEntries(last.values());
}

/** @throws OrderServiceError `unreachable`, since nothing was sent */
export async function signed(
  sign: Sign,
  request: { path: string; json: string },
): Promise<Record<string, string>> {
  try {
    const headers = await sign(request);
    // the client would throw after the claim, and the order would count as lost
    checkHeaders(headers);
    return headers;
  } catch (cause) {
    throw new OrderServiceError('unreachable', 'the request could not be signed', {
      isOwn: true,
      cause,
    });
  }
}

/** @throws OrderServiceError `unreachable`, since nothing was sent */
export function built<T>(build: () => T): T {
  try {
    return build();
  } catch (cause) {
    const why = 'the request could not be built';
    throw new OrderServiceError('unreachable', why, { isOwn: true, cause });
  }
}

/** What `send` throws when a request has no complete answer. */
export const incomplete = (error: unknown): OrderServiceError =>
  error instanceof OrderServiceError
    ? error
    : new OrderServiceError(
        neverConnected(error) ? 'unreachable' : 'outcome_unknown',
        'no complete answer',
        { cause: error },
      );

export const tooLate = (): OrderServiceError =>
  new OrderServiceError('unreachable', 'it was too late to write', { isOwn: true });

/**
 * Codes of errors that occur only before the first byte of a request. A code such as EHOSTUNREACH
 * does not belong here: a read of an open connection can fail with it after the request was sent.
 */
const NEVER_CONNECTED = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  // undici refuses a request that it cannot build
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'ECONNECTTIMEOUT',
  // the name does not exist, or the name servers do not answer
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
  // the certificate is not trusted: TLS ends before the request begins
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
/** Prefixes of further such codes: name look-ups, certificates, and Node's checks of them. */
const NEVER_CONNECTED_FAMILIES = /^(EAI_|CERT_|ERR_TLS_CERT_)/;
/** System calls that run before a connection exists. */
const BEFORE_CONNECTING = new Set(['connect', 'getaddrinfo']);

const failedToConnect = new WeakSet<object>();
/**
 * Marks an error of the connector: whatever its code, no request had begun. TLS codes such as
 * EPROTO and ERR_SSL_* do not show that, since they also occur on an open connection.
 */
export function markNeverConnected<T extends Error>(error: T): T {
  failedToConnect.add(error);
  return error;
}

export function neverConnected(error: unknown): boolean {
  for (
    let cause = error, depth = 0;
    cause instanceof Error && depth < MAX_CAUSE_DEPTH;
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
