/** Loads the second script, which a bundler puts into a chunk of its own. */
import type { Later } from '../fragments/view-context.js';

/** @param _relay the relay's URL, which only load-script.ts needs */
export const importLater = async (_relay: string): Promise<Later> =>
  (await import('./index.js')).later;
