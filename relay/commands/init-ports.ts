/** The ports of this machine that `init` writes into the configuration. */
import { createServer } from 'node:net';
import { LOOPBACK } from '../node/listener.js';

export type Ports = { page: number; relay: number; sandbox: number };

export const USUAL_PORTS: Ports = { page: 3000, relay: 8787, sandbox: 9000 };
const MAX_PORTS = 20;

/** @returns the usual ports, or for each the next one that no other program has */
export async function freePorts(isFree = isPortFree, isSandbox = isSandboxAt): Promise<Ports> {
  const free = async (first: number): Promise<number> => {
    for (let port = first; port < first + MAX_PORTS; port++) if (await isFree(port)) return port;
    return first;
  };
  const { page, relay, sandbox } = USUAL_PORTS;
  return {
    page: await free(page),
    relay: await free(relay),
    // a sandbox that runs already serves this shop too
    sandbox: (await isSandbox(sandbox)) ? sandbox : await free(sandbox),
  };
}

/** On both loopbacks: `localhost` may mean either, and a program may listen on one of them. */
async function isPortFree(port: number): Promise<boolean> {
  return (await isHostFree(port, LOOPBACK)) && (await isHostFree(port, '::1'));
}

const isHostFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    // any other failure, such as a machine without IPv6, means that nobody listens there
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });

const WITHIN_MS = 1000;

/** The sandbox leads from its address to the customer's phone. */
const isSandboxAt = (port: number): Promise<boolean> =>
  fetch(`http://${LOOPBACK}:${port}/`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(WITHIN_MS),
  }).then(
    ({ headers, status }) => status === 302 && headers.get('location') === 'phone',
    () => false,
  );
