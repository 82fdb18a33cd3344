/** Runs the sandbox as an HTTP server of its own. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError } from '../node/message-of.js';
import { sandboxListener } from './node-listener.js';
import { createSandbox, type Sandbox } from './sandbox.js';

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
