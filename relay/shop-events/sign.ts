/** Standard Webhooks: the three headers of a signed message (standardwebhooks.com, specification v1). */

/** `whsec_` and base64, as the specification serialises a secret; any other text is taken as it stands. */
function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret);
  return Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0));
}

/** @param at seconds since the epoch, of this try */
export async function signMessage(
  secret: string,
  { id, at, body }: { id: string; at: number; body: string },
): Promise<Record<string, string>> {
  const key = await crypto.subtle.importKey(
    'raw',
    secretBytes(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const mac = new Uint8Array(
    await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${at}.${body}`)),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...mac))}`,
  };
}
