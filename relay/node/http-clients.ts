/** The HTTP clients of a relay: undici's connections, or Bun's own fetch. */
import { fetchSend } from '../order-service/send/fetch-send.js';
import { poolSend, type PoolOptions } from '../order-service/send/pool-send.js';
import type { Send } from '../order-service/client.js';
import type { Fetch } from '../runtime.js';
import { poolFetch } from './pool-fetch.js';

export type HttpClients = {
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
