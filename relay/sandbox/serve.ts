/** Runs the sandbox as an HTTP server of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { listenError } from '../node/message-of.js';
import { ConnectionCut, createSandbox, type Sandbox } from './sandbox.js';

type Options = {
  /** 0 picks a free port. */
  port: number;
  /** Everyone who can reach the sandbox can change its orders. */
  host: string;
  /** Where browsers reach its pages; by default on this machine. */
  publicUrl?: string;
  /** The merchant's name in codes of banks. */
  merchantName?: string;
  deduplicate?: boolean;
};

/** @throws Error when the port is taken */
export async function serveSandbox({
  deduplicate = false,
  host,
  merchantName,
  port,
  publicUrl,
}: Options): Promise<{ url: string; sandbox: Sandbox; close(): Promise<void> }> {
  let url = '';
  const sandbox = createSandbox({
    publicUrl: () => publicUrl ?? url,
    deduplicate,
    ...(merchantName !== undefined && { merchantName }),
  });
  const server = createServer(sandboxListener(sandbox));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port)));
    server.listen(port, host, resolve);
  });
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    sandbox,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The sandbox's listener on Node, which destroys the socket on `ConnectionCut`. */
export function sandboxListener(
  sandbox: Sandbox,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    const listener = getRequestListener(
      async (request) => {
        try {
          return await sandbox.fetch(request);
        } catch (error) {
          if (!(error instanceof ConnectionCut)) throw error;
          outgoing.socket?.destroy();
          return new Response(null);
        }
      },
      {
        overrideGlobalObjects: false,
        // called when a body is cut on purpose
        errorHandler: () => {
          outgoing.socket?.destroy();
        },
      },
    );
    void listener(incoming, outgoing);
  };
}
