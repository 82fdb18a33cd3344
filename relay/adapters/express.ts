/** `app.use('/pay', payCheckout({ config }))` mounts the relay in Express, also after parsers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { mountRelay, type MountedRelay, type MountOptions } from './mounted-relay.js';
import { readAgain } from './web-request.js';

type ExpressRequest = IncomingMessage & { body?: unknown; rawBody?: Buffer };

/** A request handler; Express has removed the mount's path from the request's. */
export type ExpressMount = ((request: ExpressRequest, response: ServerResponse) => void) &
  Pick<MountedRelay, 'start' | 'close'>;

export function payCheckout(options: MountOptions): ExpressMount {
  const relay = mountRelay(options);
  const listener = getRequestListener(
    (request, bindings) => relay.serve(request, bindings as HttpBindings),
    { overrideGlobalObjects: false },
  );
  const handle = (request: ExpressRequest, response: ServerResponse): void => {
    // after express.json() the stream is at its end, and the listener reads this in its place
    const body = request.readableEnded ? readAgain(request.body) : undefined;
    if (body) request.rawBody = body;
    void listener(request, response);
  };
  return Object.assign(handle, { start: relay.start, close: relay.close });
}
