/** The sandbox's listener on Node, which destroys the socket on `ConnectionCut`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { ConnectionCut, type Sandbox } from './sandbox.js';

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
