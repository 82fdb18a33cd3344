/** `pay-checkout-relay sri`: prints script tags with the hashes that a policy names. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BEGIN_HASH, BEGIN_TEXT } from '../contract/begin-text.js';
import { elementScript } from '../node/element-script.js';
import { immutableName } from '../node/load-assets.js';
import { readFlags, type Command } from './arguments.js';
import { readConfigFile } from '../node/read-config-file.js';

const usage = `usage: pay-checkout-relay sri [--config FILE]
Prints a script tag with the immutable address of the element and its hash (subresource integrity).
With --config the address is absolute.
The second tag may stand behind the element's tag: it asks for the checkout while the element's
script is still loading. A content security policy names its hash, which the last line prints.`;

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
      ' crossorigin="anonymous" defer></script>\n' +
      `<script>${BEGIN_TEXT}</script>\n<!-- '${BEGIN_HASH}' -->\n`,
  );
}

export const sri: Command = { usage, run };
