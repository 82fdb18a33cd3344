/** `pay-checkout-relay sri`: prints script tags with the hashes that a policy names. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BEGIN_HASH, BEGIN_TEXT } from '../contract/begin-text.js';
import { elementScript } from '../node/element-script.js';
import { immutableName } from '../node/load-assets.js';
import { FLAG, readFlags, TEXT, type Command } from './arguments.js';
import { readConfigFile } from '../node/read-config-file.js';

const usage = `usage: pay-checkout-relay sri [--config FILE] [--inventory]
Prints a script tag with the immutable address of the element and its hash (subresource integrity).
With --config the address is absolute.
With --inventory it prints both scripts as JSON, with hash, purpose and owner.
The second tag may stand behind the element's tag: it asks for the checkout while the element's
script is still loading. A content security policy names its hash, which the last line prints.`;

const PURPOSE = 'Shows the ways to pay, and follows the order until it is paid.';
const BEGIN_PURPOSE = 'Asks for the checkout while the script above is loading; optional.';

/** @throws UsageError, ConfigError */
async function run(args: string[]): Promise<void> {
  const { config: file, inventory } = readFlags(args, { config: TEXT, inventory: FLAG }, usage);
  const config = file === undefined ? null : await readConfigFile(file);
  const base = config?.public_url ?? '';
  const script = await readFile(elementScript()).catch(() => {
    throw new Error('the element’s script is missing: run npm run build');
  });
  const hash = createHash('sha384').update(script).digest('base64');
  const src = `${base}/${immutableName(script)}`;
  if (inventory) {
    const owner = config?.shop.name ?? 'the shop';
    const scripts = [
      { script: src, hash: `sha384-${hash}`, purpose: PURPOSE, owner },
      { script: 'inline', hash: BEGIN_HASH, purpose: BEGIN_PURPOSE, owner },
    ];
    process.stdout.write(`${JSON.stringify(scripts, null, 2)}\n`);
    return;
  }
  process.stdout.write(
    `<script src="${src}" integrity="sha384-${hash}" crossorigin="anonymous" defer></script>\n` +
      `<script>${BEGIN_TEXT}</script>\n<!-- '${BEGIN_HASH}' -->\n`,
  );
}

export const sri: Command = { usage, run };
