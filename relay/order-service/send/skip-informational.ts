/**
 * Skips informational answers, such as `100 Continue`, before the answer. Any server may send them
 * without being asked (RFC 9110, 15.2), but undici ends the connection at a 100, so that each
 * request would count as lost. A 101 is passed on, because another protocol would follow it.
 */

/** The part of a socket by which undici reads. */
export type SocketReader = { read(size?: number): Buffer | null };

const NOTHING = Buffer.alloc(0);
const STATUS_BYTES = 'HTTP/1.1 200'.length;
const INFORMATIONAL = /^HTTP\/1\.\d 1(?!01)\d\d$/;
/** A longer head is passed on, and undici refuses it. */
const MAX_HEAD_BYTES = 16_384;

/** @returns a function to call before each further request of the connection */
export function skipInformational(socket: SocketReader): () => void {
  const read = socket.read.bind(socket);
  /** What has come of the head, not yet passed on; null behind the head. */
  let head: Buffer | null = NOTHING;
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (head === null || chunk === null) return chunk;
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    while (INFORMATIONAL.test(head.toString('latin1', 0, STATUS_BYTES))) {
      const end = head.indexOf('\r\n\r\n');
      if (end === -1 && head.length < MAX_HEAD_BYTES) return null;
      if (end === -1) break;
      head = head.subarray(end + 4);
    }
    if (head.length < STATUS_BYTES) return null;
    const answer = head;
    head = null;
    return answer;
  };
  return () => {
    head = NOTHING;
  };
}
