/**
 * The three headers of a signed message, by Standard Webhooks v1 (standardwebhooks.com). This is
 * our own code, because the package `standardwebhooks` brings a second SHA-256 and a second base64.
 */
import { macWith, type Mac } from '../digest.js';

/** A secret that begins with `whsec_` is base64, by the specification; any other is text. */
function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret);
  return Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0));
}

/** The MAC of each secret, which is made once: there are as many as the configuration has. */
const macs = new Map<string, Mac>();

function signatureOf(secret: string, text: string): string {
  const mac = macs.get(secret) ?? macWith(secretBytes(secret));
  macs.set(secret, mac);
  return `v1,${btoa(String.fromCharCode(...mac(text)))}`;
}

/**
 * Signs a message.
 *
 * @param secrets a signature is made with each secret; a receiver needs to know only one secret
 * @param at the time of this try, in seconds since the epoch
 */
export function signMessage(
  secrets: string | readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const secretList = typeof secrets === 'string' ? [secrets] : secrets;
  const signatures = secretList.map((secret) => signatureOf(secret, `${id}.${at}.${body}`));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signatures.join(' '),
  };
}
