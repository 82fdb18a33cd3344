/** How long the certificate of an https address is valid. */
import { connect } from 'node:tls';
import { DAY_MS } from '../contract/durations.js';

const TRY_WITHIN_MS = 5000;

/** @returns null for plain http, and when the certificate cannot be read */
export function certificateDaysLeft(url: string): Promise<number | null> {
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== 'https:') return Promise.resolve(null);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    // an invalid certificate is reported by the connection itself
    const socket = connect({ host, port: Number(port || 443), servername: host }, () => {
      const ends = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      resolve(Number.isNaN(ends) ? null : (ends - Date.now()) / DAY_MS);
    });
    socket.setTimeout(TRY_WITHIN_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', () => resolve(null));
  });
}
