/** `pay-checkout-relay sandbox`: runs a simulated order service until SIGTERM or SIGINT. */
import { LOOPBACK } from '../node/listener.js';
import { serveSandbox } from '../sandbox/serve.js';
import { readArguments, readPort, UsageError, type Command } from './arguments.js';

const usage = `usage: pay-checkout-relay sandbox [--port N] [--host ADDRESS] [--public-url URL]
         [--merchant NAME] [--deduplicate]
Listens on port 9000 by default. Everyone who can reach the sandbox can change its orders.`;

const DEFAULT_PORT = '9000';

/** @throws UsageError */
async function run(args: string[]): Promise<void> {
  const { close, url } = await serveSandbox(options(args));
  process.stdout.write(`sandbox on ${url}, the customer’s phone on ${url}/phone\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().then(() => process.exit(0)));
}

export const sandbox: Command = { usage, run };

function options(args: string[]): Parameters<typeof serveSandbox>[0] {
  const text = { type: 'string' } as const;
  const { positionals, values } = readArguments(
    args,
    {
      port: text,
      host: text,
      'public-url': text,
      merchant: text,
      deduplicate: { type: 'boolean' },
    },
    usage,
  );
  if (positionals.length > 0)
    throw new UsageError(`${positionals.join(' ')}: expected no more arguments\n${usage}`);
  const { deduplicate, host = LOOPBACK, merchant, 'public-url': publicUrl } = values;
  if (typeof publicUrl === 'string' && !URL.canParse(publicUrl))
    throw new UsageError(`--public-url: ${publicUrl}; expected a URL\n${usage}`);
  if (typeof host !== 'string' || host === '')
    throw new UsageError(`--host: expected an address of this machine\n${usage}`);
  return {
    port: readPort(values, DEFAULT_PORT, usage),
    host,
    ...(typeof publicUrl === 'string' && { publicUrl }),
    ...(typeof merchant === 'string' && { merchantName: merchant }),
    deduplicate: deduplicate === true,
  };
}
