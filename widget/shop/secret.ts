/**
 * Reads the bytes of secrets and keys. A malformed secret or key throws, because the shop must
 * correct it. The base64 functions stand here, because Node 20 has no `Uint8Array.fromBase64`, not
 * every runtime has `Buffer`, and the package depends on lit alone.
 */

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** @throws TypeError when the text is not base64 */
export function fromBase64(text: string, what: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    throw new TypeError(`${what} is not base64`);
  }
}

export const toBase64 = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)));

export const toBase64Url = (bytes: ArrayBuffer): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/**
 * Reads a secret. After `whsec_` it is base64, as Standard Webhooks says; without this prefix it is
 * text. White space around it is removed, because a file often ends with a line break.
 *
 * @throws TypeError whose message does not contain the secret
 */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret.trim() : '';
  const bytes = text.startsWith('whsec_')
    ? fromBase64(text.slice('whsec_'.length), 'the secret after whsec_')
    : utf8(text);
  if (bytes.length === 0) throw new TypeError('the secret of shop_events is missing or empty');
  return bytes;
}

export const hmacKey = (bytes: Uint8Array<ArrayBuffer>, usage: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
