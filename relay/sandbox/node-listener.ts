/** The sandbox on Node: a listener that can really cut a connection. */
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
        // a body that was cut on purpose
        errorHandler: () => {
          outgoing.socket?.destroy();
        },
      },
    );
    void listener(incoming, outgoing);
  };
}
