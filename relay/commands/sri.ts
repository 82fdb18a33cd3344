/** `pay-checkout-relay sri`: prints a script tag with the hash of the element's script. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { elementScript } from '../node/element-script.js';
import { immutableName } from '../node/load-assets.js';
import { readFlags, type Command } from './arguments.js';
import { readConfigFile } from '../node/read-config-file.js';

const usage = `usage: pay-checkout-relay sri [--config FILE]
Prints a script tag with the immutable address of the element and its hash (subresource integrity).
With --config the address is absolute.`;

/** @throws UsageError, ConfigError */
async function run(args: string[]): Promise<void> {
  const { config } = readFlags(args, { config: { type: 'string' } }, usage);
  const base = typeof config === 'string' ? (await readConfigFile(config)).public_url : '';
  const script = await readFile(elementScript()).catch(() => {
    throw new Error('the element’s script is missing: run npm run build');
  });
  const hash = createHash('sha384').update(script).digest('base64');
  process.stdout.write(
    `<script src="${base}/${immutableName(script)}" integrity="sha384-${hash}"` +
      ' crossorigin="anonymous" defer></script>\n',
  );
}

export const sri: Command = { usage, run };
