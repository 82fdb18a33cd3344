/** An HTTP listener that closes slow connections and drains when it stops. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { clientAddress, isOwnMachine } from '../http/client-address.js';
import type { LetGo, SendJson } from '../routes/mount.js';
import { listenError } from './message-of.js';
import { MINUTE_MS } from '../contract/durations.js';

/** Limits for the head of a request and for the whole request, and how often they are checked. */
const MAX_HEAD_MS = 8000;
const MAX_REQUEST_MS = 12_000;
const CHECK_EVERY_MS = 1000;
/** Bound of the silence within a request, which is longer than the longest long poll. */
const SILENT_MS = MINUTE_MS;
/**
 * How long a proxy's connection may rest. Caddy reuses one for two minutes: if the listener closed
 * it first, a request that is on its way would become a 502. The connections of customers rest for
 * Node's 5 s, because MAX_PER_ADDRESS counts them.
 */
const PROXY_REST_MS = 125_000;
/**
 * Limit of connections that are not yet accepted. Above it, the system drops the last packet of a
 * handshake, and the client waits without an answer.
 */
const MAX_BACKLOG = 4096;
/**
 * Limit of requests of one connection that are not yet answered. Browsers and proxies send the next
 * request after the answer; a client that sends thousands and reads nothing would fill the memory
 * with answers.
 */
const MAX_PIPELINED = 16;
/**
 * Limit of connections from one address: one client could take all files that the process may open.
 * It is for a relay without a proxy; with one, all customers come from the proxy's address.
 */
export const MAX_PER_ADDRESS = 256;
/** How long open requests may take after the stop. */
export const DRAIN_WITHIN_MS = 20_000;
/** How soon connections that become idle during the stop are closed. */
const CLOSE_IDLE_AFTER_MS = 50;

export type Listening = { port: number; close(): Promise<void> };
/** What the relay's own listener gives to each request. */
export type ListenerBindings = HttpBindings & { sendJson: SendJson; letGo: LetGo };
type Serve = (request: Request, bindings: ListenerBindings) => Response | Promise<Response>;

/** The address that only programs on this machine can reach. */
export const LOOPBACK = '127.0.0.1';

/**
 * Listens; port 0 picks a free port.
 *
 * @param host an address of this machine, or `0.0.0.0` or `::` for all of them
 * @param maxPerAddress limit of connections from one address, except this machine's own; absent
 *   behind a proxy
 * @param beforeClose runs when no new connection is accepted, while open requests still finish
 */
export function listenOn(
  serve: Serve,
  {
    port,
    host = LOOPBACK,
    maxPerAddress,
  }: { port: number; host?: string | undefined; maxPerAddress?: number | undefined },
  beforeClose: () => void = () => {},
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const limited = limitPipelining(serve);
    const server = createAdaptorServer({
      fetch: (request, bindings) => {
        const { incoming, outgoing } = bindings as HttpBindings;
        const letGo = letGoOf(outgoing);
        return limited(request, { incoming, outgoing, sendJson: sendJsonTo(outgoing), letGo });
      },
      overrideGlobalObjects: false,
      // of a request without Host, as some balancers send to /readyz
      hostname: 'localhost',
      serverOptions: {
        headersTimeout: MAX_HEAD_MS,
        requestTimeout: MAX_REQUEST_MS,
        connectionsCheckingInterval: CHECK_EVERY_MS,
      },
    }) as Server;
    server.timeout = SILENT_MS;
    if (maxPerAddress === undefined) server.keepAliveTimeout = PROXY_REST_MS;
    else server.on('connection', limitPerAddress(maxPerAddress));
    let stopping = false;
    let isCloseDue = false;
    // An idle keep-alive connection would delay the stop until it times out. Thousands of long
    // polls end at once, and each call looks at every connection, so one call serves many of them.
    const closeIdle = (): void => {
      if (!stopping || isCloseDue) return;
      isCloseDue = true;
      setTimeout(() => {
        isCloseDue = false;
        server.closeIdleConnections();
      }, CLOSE_IDLE_AFTER_MS);
    };
    server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
      if (stopping) response.setHeader('connection', 'close');
      response.on('close', closeIdle);
    });
    const close = (): Promise<void> =>
      new Promise((closed) => {
        stopping = true;
        const forced = setTimeout(() => server.closeAllConnections(), DRAIN_WITHIN_MS);
        server.close(() => {
          clearTimeout(forced);
          closed();
        });
        beforeClose();
        server.closeIdleConnections();
      });
    server.once('error', (error) => reject(listenError(error, port)));
    server.listen({ port, host, backlog: MAX_BACKLOG }, () =>
      resolve({ port: (server.address() as AddressInfo).port, close }),
    );
  });
}

/** Closes a connection when its address has too many; a proxy may run on this machine. */
function limitPerAddress(max: number): (socket: Socket) => void {
  const open = new Map<string, number>();
  return (socket) => {
    const { remoteAddress = '' } = socket;
    const address = clientAddress(remoteAddress, null, 0);
    if (isOwnMachine(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > max) return void socket.destroy();
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  };
}

/** Closes a connection that has more than MAX_PIPELINED requests without an answer. */
function limitPipelining(serve: Serve): Serve {
  const openRequests = new WeakMap<object, number>();
  const add = (socket: object, change: number): number => {
    const open = (openRequests.get(socket) ?? 0) + change;
    openRequests.set(socket, open);
    return open;
  };
  return (request, bindings) => {
    const { incoming, outgoing } = bindings;
    const { socket } = incoming;
    if (socket.destroyed || add(socket, 1) > MAX_PIPELINED) {
      socket.destroy();
      return new Response(null, { status: 400 });
    }
    outgoing.once('close', () => add(socket, -1));
    return serve(request, bindings);
  };
}

/** Writes the answer to the connection at once. */
const sendJsonTo =
  (outgoing: HttpBindings['outgoing']): SendJson =>
  (body, { headers, status }) => {
    const text = JSON.stringify(body);
    outgoing.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...headers,
    });
    outgoing.end(text);
    return RESPONSE_ALREADY_SENT;
  };

/** Until it is answered, a long poll keeps only what its own code needs. */
const letGoOf =
  (outgoing: HttpBindings['outgoing']): LetGo =>
  (answer) => {
    answer.catch(() => outgoing.destroy());
    return RESPONSE_ALREADY_SENT;
  };

/** Calls `work` when the connection of an answer is closed, at once if it is closed already. */
export function onClose(response: HttpBindings['outgoing'], work: () => void): () => void {
  if (response.destroyed) work();
  response.on('close', work);
  return () => void response.off('close', work);
}
