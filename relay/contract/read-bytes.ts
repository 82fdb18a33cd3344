/** Reads a body of bounded length: a stranger may post gigabytes. */

/**
 * @returns null when the body is longer than `maxBytes`; then at most one piece more was read
 */
export async function readBytes(
  message: Pick<Request, 'body' | 'headers'>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(message.headers.get('content-length') ?? 0) > maxBytes) {
    // the sender may never end, so nothing waits for it, here and below
    void message.body?.cancel().catch(() => {});
    return null;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const reader = message.body?.getReader(); reader;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      void reader.cancel().catch(() => {});
      return null;
    }
    chunks.push(value);
  }
  return joinBytes(chunks);
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}
