/** `pay-checkout-relay sandbox`: runs a simulated order service until SIGTERM or SIGINT. */

import { serveSandbox } from '../sandbox/serve.js';
import { FLAG, readFlags, readHost, readPort, readUrl, TEXT, type Command } from './arguments.js';

const usage = `usage: pay-checkout-relay sandbox [--port N] [--host ADDRESS] [--public-url URL]
         [--merchant NAME] [--deduplicate]
Listens on port 9000 by default. Everyone who can reach the sandbox can change its orders.`;

const DEFAULT_PORT = '9000';

/** @throws UsageError */
async function run(args: string[]): Promise<void> {
  const flags = {
    port: TEXT,
    host: TEXT,
    'public-url': TEXT,
    merchant: TEXT,
    deduplicate: FLAG,
  };
  const values = readFlags(args, flags, usage);
  const { deduplicate = false, merchant } = values;
  const publicUrl = readUrl(values, 'public-url', usage);
  const { close, url } = await serveSandbox({
    port: readPort(values, DEFAULT_PORT, usage),
    host: readHost(values, usage),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(merchant !== undefined && { merchantName: merchant }),
    deduplicate,
  });
  // Before the line that says it is ready, since a signal may come right after that line.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().then(() => process.exit(0)));
  process.stdout.write(`sandbox on ${url}, the customer’s phone on ${url}/phone\n`);
}

export const sandbox: Command = { usage, run };
