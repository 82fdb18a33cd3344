/** `app.use('/pay', payCheckout({ config }))` mounts the relay in Express, also behind parsers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mountRelay, nodeListener, type MountedRelay, type MountOptions } from './mounted-relay.js';
import { rawBodyOf } from './web-request.js';

type ExpressRequest = IncomingMessage & { body?: unknown; rawBody?: Buffer };

/** A request handler. Express removes the path of the mount from the URL before it calls this. */
export type ExpressMount = ((request: ExpressRequest, response: ServerResponse) => void) &
  Pick<MountedRelay, 'start' | 'close'>;

export function payCheckout(options: MountOptions): ExpressMount {
  const relay = mountRelay(options);
  const listener = nodeListener(relay);
  const handle = (request: ExpressRequest, response: ServerResponse): void => {
    // a parser such as express.json() has read the stream: the listener then reads `rawBody`
    const body = request.readableEnded ? rawBodyOf(request.body) : undefined;
    if (body) request.rawBody = body;
    void listener(request, response);
  };
  return Object.assign(handle, { start: relay.start, close: relay.close });
}
