/**
 * Loads the second script from beside the first one; the build puts this file in the place of
 * load.ts. The first script knows the hash of the second one, so that the integrity of the first
 * covers both.
 */
import { scriptDirectory } from '../browser/script-relay.js';
import { ownDocument } from '../browser/page.js';
import type { Later } from '../fragments/view-context.js';

/** Set by the build. */
declare const LATER_SCRIPT: { readonly name: string; readonly integrity: string };

/** Read while the script runs: `document.currentScript` is null later. */
const DIRECTORY = scriptDirectory();

/** @param relay where the script is looked for when the first one is part of another script */
export async function importLater(relay: string): Promise<Later> {
  const { integrity, name } = LATER_SCRIPT;
  const url = `${DIRECTORY ?? relay}/${name}`;
  // `import()` takes no hash; it uses what the link has loaded with one.
  const link = Document.prototype.createElement.call(document, 'link');
  Object.assign(link, { rel: 'modulepreload', crossOrigin: 'anonymous', integrity, href: url });
  ownDocument('head').append(link);
  const module: { readonly later: Later } = await import(/* @vite-ignore */ url);
  return module.later;
}
