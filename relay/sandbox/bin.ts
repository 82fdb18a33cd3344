#!/usr/bin/env node
/** Runs the sandbox as an HTTP server of its own (`npm run sandbox`). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { sandboxListener } from './node-listener.js';
import { createSandbox } from './sandbox.js';

const usage = 'usage: sandbox [--port N] [--host ADDRESS] [--public-url URL] [--deduplicate]';

function fail(message: string): never {
  process.stderr.write(`sandbox: ${message}\n${usage}\n`);
  process.exit(2);
}

type Options = {
  port: number;
  host: string;
  publicUrl: string | undefined;
  deduplicate: boolean;
};

function readArgs(): Options {
  try {
    const options = {
      port: { type: 'string', default: '9000' },
      // everyone who can reach the sandbox can change its orders, so the default is loopback
      host: { type: 'string', default: '127.0.0.1' },
      'public-url': { type: 'string' },
      deduplicate: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    } as const;
    const { values } = parseArgs({ options });
    if (values.help) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535)
      fail(`--port: ${values.port}; expected 0 to 65535`);
    const publicUrl = values['public-url'];
    if (publicUrl !== undefined && !URL.canParse(publicUrl))
      fail(`--public-url: ${publicUrl}; expected a URL`);
    const { deduplicate, host, port } = values;
    if (host === '') fail('--host: expected an address of this machine');
    return { port: Number(port), host, publicUrl, deduplicate };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { deduplicate, host, port, publicUrl } = readArgs();
const address = (): string =>
  `http://localhost:${(server.address() as AddressInfo | null)?.port ?? port}`;
const sandbox = createSandbox({ publicUrl: () => publicUrl ?? address(), deduplicate });
const server = createServer(sandboxListener(sandbox));
server.once('error', (error) => fail(error.message));
server.listen(port, host, () =>
  process.stdout.write(`sandbox on ${address()}, the customer’s phone on ${address()}/phone\n`),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
