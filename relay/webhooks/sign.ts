/**
 * Standard Webhooks: the three headers of a signed message (standardwebhooks.com, specification
 * v1).
 */

/**
 * `whsec_` and base64, as the specification serialises a secret; any other text is taken as it
 * stands.
 */
function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret);
  return Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0));
}

async function signatureOf(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secretBytes(secret), algorithm, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}

/**
 * @param secrets each gives a signature, so that a receiver who knows one of them is content
 * @param at seconds since the epoch, of this try
 */
export async function signMessage(
  secrets: string | readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Promise<Record<string, string>> {
  const each = typeof secrets === 'string' ? [secrets] : secrets;
  const signatures = await Promise.all(
    each.map((secret) => signatureOf(secret, `${id}.${at}.${body}`)),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signatures.join(' '),
  };
}
