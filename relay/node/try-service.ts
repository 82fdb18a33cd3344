/** Tries to connect to a server, so that a wrong address is reported at start or by `check`. */
import { connect as connectTls } from 'node:tls';
import { buildConnector } from 'undici';
import { DAY_MS } from '../contract/durations.js';

const TRY_WITHIN_MS = 5000;

const CAUSES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name cannot be looked up now',
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is closed at once',
  EHOSTUNREACH: 'no route leads to it',
  ENETUNREACH: 'no route leads to it',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};
/** Codes of a refused certificate: OpenSSL's, and Node's code for a certificate of another host. */
const CERTIFICATE = /CERT|UNABLE_TO_|SELF_SIGNED|CRL|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE/;

/**
 * Connects as a request does, and sends nothing.
 *
 * @returns why no connection can be made; null when one was made
 */
export async function whyUnreachable(
  baseUrl: string,
  withinMs = TRY_WITHIN_MS,
): Promise<string | null> {
  const { host, hostname, port, protocol } = new URL(baseUrl);
  const connect = buildConnector({ timeout: withinMs });
  const at = { host, hostname: withoutBrackets(hostname), port, protocol };
  const connection = new Promise<void>((resolve, reject) => {
    connect(at, (error, socket) => {
      socket?.destroy();
      if (error) reject(error);
      else resolve();
    });
  });
  return connection.then(
    () => null,
    (error: unknown) => causeOf(error),
  );
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection fails';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const known = CAUSES[code] ?? handshakeProblem(code);
  return known === undefined ? code : `${known} (${code})`;
}

function handshakeProblem(code: string): string | undefined {
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'the TLS handshake fails';
  return CERTIFICATE.test(code) ? 'its certificate is refused' : undefined;
}

/** Of an IPv6 address. */
const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * How long the certificate of an https address is valid.
 *
 * @returns null for plain http, and when the certificate cannot be read
 */
export function certificateDaysLeft(url: string): Promise<number | null> {
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== 'https:') return Promise.resolve(null);
  const host = withoutBrackets(hostname);
  return new Promise((resolve) => {
    // an invalid certificate is reported by the connection itself
    const socket = connectTls({ host, port: Number(port || 443), servername: host }, () => {
      const ends = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      resolve(Number.isNaN(ends) ? null : (ends - Date.now()) / DAY_MS);
    });
    socket.setTimeout(TRY_WITHIN_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', () => resolve(null));
  });
}
