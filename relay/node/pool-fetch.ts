/** `fetch` over keep-alive connections, for messages whose answer is only a status. */
import { createConnections, type Connections } from '../order-service/send/connections.js';
import { DEFAULT_IDLE_MS } from '../order-service/send/pool-send.js';
import type { Fetch } from '../runtime.js';

const MAX_READ_BYTES = 131_072;

/**
 * This fetch costs several times less than the runtime's own. It follows no redirect, and its
 * answer has no body: a receiver that sends without end must not delay the next event.
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
