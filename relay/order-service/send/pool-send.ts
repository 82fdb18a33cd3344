/** `send` over keep-alive connections, for Node; a call costs several times less than fetch. */
import type { IsLate, Send } from '../client.js';
import { createConnections, type EarlyEnd } from './connections.js';
import {
  MAX_ANSWER_BYTES,
  built,
  headersFor,
  incomplete,
  markNeverConnected,
  tooLate,
  type SendOptions,
} from './signing.js';

/** Shorter than the time after which any common server closes a connection that rests. */
export const DEFAULT_IDLE_MS = 500;

export type PoolOptions = SendOptions & {
  /** How long a connection may rest before it is not used again. */
  idleMs?: number;
  onEarlyEnd?: (end: EarlyEnd) => void;
};

/**
 * Checks the time again on the open connection, right before the request is written: a claim can
 * end during a slow handshake, or while the process is suspended.
 */
const refuseLate = (isLate: IsLate | undefined): Error | null =>
  isLate?.() ? markNeverConnected(tooLate()) : null;

export function poolSend(options: PoolOptions): { send: Send; close: () => Promise<void> } {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const connections = createConnections({
    origin: base.origin,
    idleMs: options.idleMs ?? DEFAULT_IDLE_MS,
    maxBytes: options.maxBytes ?? MAX_ANSWER_BYTES,
    onEarlyEnd: options.onEarlyEnd,
  });
  const send: Send = async (path, json, signal, ownHeaders, isLate) => {
    const headers = built(() => headersFor(options, ownHeaders));
    try {
      return await connections.request(
        { path: prefix + path, method: 'POST', headers, body: json },
        signal,
        { refuse: () => refuseLate(isLate) },
      );
    } catch (error) {
      throw incomplete(error);
    }
  };
  return { send, close: connections.close };
}
