/**
 * The site as files that a browser opens without a server and without a network: a page beside each
 * document of a package, with relative links. It has neither pictures nor the element.
 */
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { addressOf, BASE } from './files.js';
import { documents, plainAddressOf } from './plain.js';
import { createSite } from './site.js';

const ASSETS = { script: `${BASE}docs.js`, style: `${BASE}docs.css`, packed: true };
const DOCS = 'docs/';

/** Where a page stands below docs/. */
const pathOf = (document: string): string =>
  addressOf(document).slice(BASE.length).replace(/^$/, 'index.html');

/**
 * @param elsewhere the address of a file of the repository that the package does not have
 * @returns the text of each file, by its path below docs/
 */
export function packedPages(elsewhere: (file: string) => string): Map<string, string> {
  const site = createSite();
  const all = documents();
  const paths = new Map<string, string>(
    [
      ...[...site.pages, ...site.files],
      ...all.map((file): [string, string] => [plainAddressOf(file), file]),
    ].map(([address, file]) => [
      address,
      file.startsWith(DOCS) ? file.slice(DOCS.length) : elsewhere(file),
    ]),
  );
  for (const file of all) paths.set(addressOf(file), pathOf(file));
  for (const name of ['docs.js', 'docs.css']) paths.set(BASE + name, name);
  paths.set(`${BASE}search.json`, 'search.js');
  const pathAt = (address: string): string => {
    const path = paths.get(address);
    if (path === undefined) throw new Error(`the site has no ${address}`);
    return path;
  };
  const withRelativeLinks = (html: string, from: string): string =>
    html.replace(/ (href|src|data-index)="(\/[^"#]*)/g, (_, name: string, address: string) => {
      const path = pathAt(address);
      const isHere = !/^https?:/.test(path);
      return ` ${name}="${isHere ? posix.relative(posix.dirname(from), path) : path}`;
    });
  const pages = all.map((file): [string, string] => {
    const path = pathOf(file);
    const html = site.html(file, ASSETS).replace(/<img [^>]*>/g, '');
    return [path, withRelativeLinks(html, path)];
  });
  const index = site.searchIndex().map((entry) => {
    const [address = '', hash] = entry.address.split('#');
    return { ...entry, address: pathAt(address) + (hash === undefined ? '' : `#${hash}`) };
  });
  return new Map([...pages, ['search.js', `globalThis.docsIndex = ${JSON.stringify(index)};\n`]]);
}

/** Writes the script and the style sheet of the pages: a browser loads no module from a file. */
export async function buildPackedAssets(outDir: string): Promise<void> {
  await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      lib: {
        entry: 'pages/docs-packed.ts',
        formats: ['iife'],
        name: 'docs',
        fileName: () => 'docs.js',
        cssFileName: 'docs',
      },
    },
  });
}
