/** Decodes bytes that a person or a program wrote. */

export class NotUtf8Error extends Error {
  override readonly name = 'NotUtf8Error';
}

/**
 * A text with replaced characters would be signed, and stand in receipts and events for ever.
 *
 * @throws NotUtf8Error
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NotUtf8Error('not UTF-8; save it as UTF-8');
  }
}
