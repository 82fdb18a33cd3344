/**
 * Loads the second script from the directory of the first one; the build replaces load.ts by this
 * file. The first script knows the hash of the second one, so that the integrity of the first
 * covers both.
 */
import { scriptDirectory } from '../browser/script-relay.js';
import { ownDocument } from '../browser/page.js';
import type { Later } from '../fragments/view-context.js';

/** Set by the build. */
declare const LATER_SCRIPT: { readonly name: string; readonly integrity: string };

/** Read while the script runs: `document.currentScript` is null later. */
const DIRECTORY = scriptDirectory();

/**
 * @param relay URL of the relay, which serves the second script when the first one's directory is
 *   unknown, as in a bundle
 */
export async function importLater(relay: string): Promise<Later> {
  const { integrity, name } = LATER_SCRIPT;
  const url = `${DIRECTORY ?? relay}/${name}`;
  // `import()` takes no hash; it reuses the module that this link has loaded and checked.
  const link = Document.prototype.createElement.call(document, 'link');
  Object.assign(link, { rel: 'modulepreload', crossOrigin: 'anonymous', integrity, href: url });
  ownDocument('head').append(link);
  const module: { readonly later: Later } = await import(/* @vite-ignore */ url);
  return module.later;
}
