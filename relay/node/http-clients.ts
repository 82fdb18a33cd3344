/** The HTTP clients of a relay: undici's connections, or Bun's own fetch. */
import { createConnections, type Connections } from '../order-service/send/connections.js';
import { fetchSend } from '../order-service/send/fetch-send.js';
import { DEFAULT_IDLE_MS, poolSend, type PoolOptions } from '../order-service/send/pool-send.js';
import type { Send } from '../order-service/client.js';
import { OrderServiceError } from '../order-service/errors.js';
import type { Fetch } from '../runtime.js';

type HttpClients = {
  /** Carries requests to the order service. */
  send: Send;
  /** Carries events to the shop. */
  fetch: Fetch;
  close(): Promise<void>;
};

/**
 * Bun replaces undici by an imitation without the calls that the pools make. By `fetchSend` Bun's
 * own fetch sends a request only once, as a pay requires (tested in test/proofs/runtimes).
 */
export function httpClients(options: PoolOptions, runtime: object = globalThis): HttpClients {
  if ('Bun' in runtime)
    return {
      send: fetchSend(options),
      fetch: (url, init) => globalThis.fetch(url, init),
      close: async () => {},
    };
  const service = poolSend(options);
  const shop = poolFetch();
  return {
    send: service.send,
    fetch: shop.fetch,
    close: async () => void (await Promise.all([service.close(), shop.close()])),
  };
}

const REASON = 'this relay was started with --not-restored: nothing leaves it';

/**
 * For a relay that only reads a clone of a ledger. The real relay goes on with the same orders, so
 * a pay, a query or an event of the clone would be a second one.
 */
export const noClients: HttpClients = {
  send: () => Promise.reject(new OrderServiceError('unreachable', REASON, { isOwn: true })),
  fetch: () => Promise.reject(new Error(REASON)),
  close: async () => {},
};

const MAX_READ_BYTES = 131_072;

/**
 * `fetch` over keep-alive connections, for messages whose answer is only a status. It costs several
 * times less than the runtime's own. It follows no redirect, and its answer has no body: a receiver
 * that sends without end must not delay the next event.
 *
 * @returns `fetch`, which needs a text body and a method, and `close`, which cuts open connections
 */
export function poolFetch(): { fetch: Fetch; close: () => Promise<void> } {
  const byOrigin = new Map<string, Connections>();
  const connectionsOf = (origin: string): Connections => {
    const known = byOrigin.get(origin);
    if (known) return known;
    const connections = createConnections({ origin, idleMs: DEFAULT_IDLE_MS });
    byOrigin.set(origin, connections);
    return connections;
  };
  const fetch: Fetch = (url, { body, headers, method, signal }) =>
    new Promise((resolve, reject) => {
      const { origin, pathname, search } = new URL(url);
      const options = {
        path: pathname + search,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        body: typeof body === 'string' ? body : null,
      } as const;
      // a short body is read, so that the socket can be used again; a long body ends the socket
      connectionsOf(origin)
        .request(options, signal ?? null, {
          onStatus: (status) => resolve(new Response(null, { status })),
          maxBytes: MAX_READ_BYTES,
        })
        .catch(reject);
    });
  return {
    fetch,
    close: async () => {
      await Promise.all([...byOrigin.values()].map((connections) => connections.close()));
    },
  };
}
