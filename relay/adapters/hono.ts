/** `app.route('/pay', payCheckout({ config }))` mounts the relay in Hono. */
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { routePath } from 'hono/route';
import { mountRelay, type MountedRelay, type MountOptions } from './mounted-relay.js';
import { withoutMount } from './web-request.js';

export type HonoMount = Hono & Pick<MountedRelay, 'start' | 'close'>;

export function payCheckout(options: MountOptions): HonoMount {
  const relay = mountRelay(options);
  const app = new Hono().all('*', async (c) => {
    const mount = routePath(c).replace(/\/?\*$/, '');
    const request = await withoutMount(c.req.raw, mount, () => c.req.text());
    return relay.serve(request, bindingsOf(c) ?? 'forwarded');
  });
  return Object.assign(app, { start: relay.start, close: relay.close });
}

/** The bindings of Node's listener; other runtimes have none. */
const bindingsOf = ({ env }: Context): HttpBindings | undefined =>
  typeof env === 'object' && env !== null && 'incoming' in env ? (env as HttpBindings) : undefined;
