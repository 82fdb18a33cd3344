/**
 * The relay as route handlers of Next.js, in `app/pay/[[...path]]/route.ts`:
 * `export const { GET, POST, … } = payCheckout({ config, path: '/pay' })`.
 */
import { messageOf } from '../node/message-of.js';
import { jsonLog } from '../server.js';
import { mountRelay, type MountedRelay, type MountOptions } from './mounted-relay.js';
import { withoutMount } from './web-request.js';

type RouteHandler = (request: Request) => Promise<Response>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

export type NextMount = Record<Method, RouteHandler> & Pick<MountedRelay, 'start' | 'close'>;

export type NextOptions = MountOptions & {
  /** The path of the route, such as `/pay`. */
  path: string;
};

/** The relays of this process, kept while Next.js reloads a changed route's module. */
const REGISTRY_KEY = Symbol.for('pay-checkout-relay.next');
type Registry = Map<string, { options: MountOptions; relay: MountedRelay }>;

export function payCheckout({ path: givenPath, ...options }: NextOptions): NextMount {
  // a route in JavaScript may lack it
  if (typeof givenPath !== 'string')
    throw new TypeError("payCheckout: write the path of the route too, such as path: '/pay'");
  const path = givenPath.replace(/\/+$/, '');
  const relay = mountOnce(path, options);
  const handle: RouteHandler = async (request) =>
    relay.serve(withoutCompression(await withoutMount(request, path)), 'forwarded');
  return {
    GET: handle,
    POST: handle,
    PUT: handle,
    PATCH: handle,
    DELETE: handle,
    HEAD: handle,
    OPTIONS: handle,
    start: relay.start,
    close: relay.close,
  };
}

/**
 * Asks the relay for a response that is not compressed. Next.js drops the `content-encoding` of a
 * route handler, so a browser could not read a compressed script. Next.js compresses the response
 * itself.
 */
function withoutCompression(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete('accept-encoding');
  return new Request(request, { headers });
}

/**
 * Mounts one relay for each shop and path: each relay on a ledger queries all orders of the ledger.
 * Two shops of one process may have the same path on different hosts.
 */
function mountOnce(path: string, options: MountOptions): MountedRelay {
  const shared = globalThis as { [REGISTRY_KEY]?: Registry };
  const registry = (shared[REGISTRY_KEY] ??= new Map());
  const { config } = options;
  // a ledger belongs to one shop. A build may have no configuration yet
  const key = `${path} ${typeof config === 'string' ? config : config?.ledger}`;
  const known = registry.get(key);
  if (known && isSame(known.options, options)) return known.relay;
  // a reload must not wait for it, and an error here would end the process
  known?.relay.close().catch((error: unknown) => {
    jsonLog('error', 'ledger', { message: messageOf(error) });
  });
  const opened = mountRelay(options);
  const close = async (): Promise<void> => {
    // the same route may be mounted again afterwards
    if (registry.get(key)?.relay === relay) registry.delete(key);
    await opened.close();
  };
  const relay: MountedRelay = { ...opened, close };
  registry.set(key, { options, relay });
  return relay;
}

/** A module that is loaded again makes the same configuration as another object. */
const isSame = (one: MountOptions, other: MountOptions): boolean =>
  one.ledger === other.ledger && textOf(one.config) === textOf(other.config);

/** A changed function, such as `service.sign`, is another configuration too. */
const textOf = (config: MountOptions['config']): string =>
  JSON.stringify(config, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
