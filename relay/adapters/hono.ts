/** `app.route('/pay', payCheckout({ config }))` mounts the relay in Hono. */
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { routePath } from 'hono/route';
import { z } from 'zod';
import type { Peer } from '../server.js';
import { mountRelay, type MountedRelay, type MountOptions } from './mounted-relay.js';
import { withoutMount } from './web-request.js';

export type HonoMount = Hono & Pick<MountedRelay, 'start' | 'close'>;

export function payCheckout(options: MountOptions): HonoMount {
  const relay = mountRelay(options);
  const app = new Hono().all('*', async (c) => {
    const mount = routePath(c).replace(/\/?\*$/, '');
    const request = await withoutMount(c.req.raw, mount, () => c.req.arrayBuffer());
    return relay.serve(request, bindingsOf(c) ?? peerOf(c) ?? 'forwarded');
  });
  return Object.assign(app, { start: relay.start, close: relay.close });
}

/** The bindings of Node's listener; other runtimes have none. */
const bindingsOf = ({ env }: Context): HttpBindings | undefined =>
  typeof env === 'object' && env !== null && 'incoming' in env ? (env as HttpBindings) : undefined;

/** What `Deno.serve` and `Bun.serve` pass to `app.fetch` beside the request. */
const denoInfo = z.object({ remoteAddr: z.object({ hostname: z.string() }) });
const bunServer = z.object({
  requestIP: z.custom<(request: Request) => { address: string } | null>(
    (value) => typeof value === 'function',
  ),
});

function peerOf({ env, req }: Context): Peer | undefined {
  const info = denoInfo.safeParse(env);
  if (info.success) return { peer: info.data.remoteAddr.hostname };
  const server = bunServer.safeParse(env);
  // `requestIP` needs Bun's server as `this`; `server.data` is a copy that zod made, and `env` is
  // the server
  const found = server.success ? server.data.requestIP.call(env, req.raw) : null;
  return found ? { peer: found.address } : undefined;
}
