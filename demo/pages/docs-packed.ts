/** A page of the documentation in a package. A browser lets it load scripts only: it is a file. */
/// <reference types="vite/client" />
import '../style/docs.css';
import type { SearchEntry } from '../docs-site/site.js';
import { startSearch } from './docs-page.js';

declare global {
  /** Set by the script of the search; each address begins in its folder. */
  var docsIndex: SearchEntry[] | undefined;
}

startSearch(async (address) => {
  const script = document.createElement('script');
  script.src = address;
  await new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
  return (globalThis.docsIndex ?? []).map((entry) => ({
    ...entry,
    address: new URL(entry.address, script.src).href,
  }));
});
