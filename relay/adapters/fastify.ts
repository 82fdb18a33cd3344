/** `app.register(payCheckout, { prefix: '/pay', config })` mounts the relay in Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mountRelay, nodeListener, type MountOptions } from './mounted-relay.js';

type Reply = { raw: ServerResponse; hijack(): unknown };
type Handler = (request: { raw: IncomingMessage }, reply: Reply) => void;

/** The part of a Fastify instance that the plugin uses. */
type Instance = {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (request: never, payload: never, done: (error: Error | null) => void) => void,
  ): unknown;
  addHook(name: 'onListen' | 'preClose' | 'onClose', hook: () => Promise<void>): unknown;
  all(path: string, handler: Handler): unknown;
};

export async function payCheckout(instance: Instance, options: MountOptions): Promise<void> {
  const relay = mountRelay(options);
  const listener = nodeListener(relay);
  // the relay reads the body itself; the shop's own routes keep their parsers
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const { prefix } = instance;
  const handle: Handler = ({ raw }, reply) => {
    reply.hijack();
    const path = raw.url?.slice(prefix.length) ?? '';
    // the mount itself may be requested with a query and without a slash, as in /pay?x=1
    raw.url = path.startsWith('/') ? path : `/${path}`;
    void listener(raw, reply.raw);
  };
  instance.all('/', handle);
  instance.all('/*', handle);
  // without this, open orders would be followed only after the first request
  instance.addHook('onListen', relay.start);
  // Fastify waits for every open request and connection before `onClose`
  instance.addHook('preClose', relay.drain);
  instance.addHook('onClose', relay.close);
}
