/** Loads the second script; a bundler makes a file of its own of it. */
import type { Later } from '../fragments/view-context.js';

/** @param _relay the relay's URL, which the script tag's variant may need (load-script.ts) */
export const importLater = async (_relay: string): Promise<Later> =>
  (await import('./index.js')).later;
