/**
 * The relay as route handlers of Next.js, in `app/pay/[[...path]]/route.ts`:
 * `export const { GET, POST, … } = payCheckout({ config, path: '/pay' })`.
 */
import { mountRelay, type MountedRelay, type MountOptions } from './mounted-relay.js';
import { withoutMount } from './web-request.js';

type RouteHandler = (request: Request) => Promise<Response>;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export type NextMount = Record<(typeof METHODS)[number], RouteHandler> &
  Pick<MountedRelay, 'start' | 'close'>;

export type NextOptions = MountOptions & {
  /** The path of the route, such as `/pay`. */
  path: string;
};

/** The relays of this process by path, kept while Next.js reloads a changed route's module. */
const MOUNTED = Symbol.for('pay-checkout-relay.next');
type Mounted = Map<string, { key: string; relay: MountedRelay }>;

export function payCheckout({ path, ...options }: NextOptions): NextMount {
  const relay = mountOnce(path, options);
  const handle: RouteHandler = async (request) =>
    relay.serve(
      withoutCompression(await withoutMount(request, path.replace(/\/+$/, ''))),
      'forwarded',
    );
  const [GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS] = METHODS.map(() => handle) as [
    RouteHandler,
    RouteHandler,
    RouteHandler,
    RouteHandler,
    RouteHandler,
    RouteHandler,
    RouteHandler,
  ];
  const { close, start } = relay;
  return { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, start, close };
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
 * Mounts one relay for each path: a second one on the same ledger would query every order twice.
 */
function mountOnce(path: string, options: MountOptions): MountedRelay {
  const shared = globalThis as { [MOUNTED]?: Mounted };
  const mounted = (shared[MOUNTED] ??= new Map());
  const key = JSON.stringify(options.config);
  const known = mounted.get(path);
  if (known?.key === key) return known.relay;
  void known?.relay.close();
  const opened = mountRelay(options);
  const close = async (): Promise<void> => {
    // the same route may be mounted again afterwards
    if (mounted.get(path)?.relay === relay) mounted.delete(path);
    await opened.close();
  };
  const relay: MountedRelay = { ...opened, close };
  mounted.set(path, { key, relay });
  return relay;
}
