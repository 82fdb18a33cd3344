/** `pay-checkout-relay sri`: prints script tags with the hashes of the element's scripts. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { elementScript } from '../node/element-script.js';
import { BEGIN_SCRIPT, beginName, immutableName } from '../node/load-assets.js';
import { readFlags, type Command } from './arguments.js';
import { readConfigFile } from '../node/read-config-file.js';

const usage = `usage: pay-checkout-relay sri [--config FILE] [--begin]
Prints a script tag with the immutable address of the element and its hash (subresource integrity).
With --config the address is absolute.
With --begin it also prints the tag of pay-checkout-begin.js, which begins the checkout early.`;

const FLAGS = { config: { type: 'string' }, begin: { type: 'boolean' } } as const;

/** @throws UsageError, ConfigError */
async function run(args: string[]): Promise<void> {
  const { begin, config } = readFlags(args, FLAGS, usage);
  const base = typeof config === 'string' ? (await readConfigFile(config)).public_url : '';
  const tag = async (file: URL, nameOf: (script: Uint8Array) => string, when: string) => {
    const script = await readFile(file).catch(() => {
      throw new Error('the element’s script is missing: run npm run build');
    });
    const hash = createHash('sha384').update(script).digest('base64');
    return (
      `<script src="${base}/${nameOf(script)}" integrity="sha384-${hash}"` +
      ` crossorigin="anonymous" ${when}></script>\n`
    );
  };
  const element = elementScript();
  const tags = begin ? [await tag(new URL(BEGIN_SCRIPT, element), beginName, 'async')] : [];
  process.stdout.write([...tags, await tag(element, immutableName, 'defer')].join(''));
}

export const sri: Command = { usage, run };
