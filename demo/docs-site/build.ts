/** `npm run build:docs` writes the site into `dist/docs`, for any web server at `/docs/`. */
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { BASE } from './files.js';
import { answer, createSite, plainAddresses } from './site.js';

const demo = fileURLToPath(new URL('..', import.meta.url));

/** Adds the pages, which name the compiled script and style sheet. */
const emitPages = (): Plugin => ({
  name: 'docs-pages',
  generateBundle(_, bundle) {
    const names = Object.keys(bundle);
    const find = (pattern: RegExp): string =>
      BASE + (names.find((name) => pattern.test(name)) ?? '');
    const assets = { script: find(/docs-.*\.js$/), style: find(/\.css$/) };
    const site = createSite();
    const addresses = [
      ...site.pages.keys(),
      ...site.files.keys(),
      ...plainAddresses(),
      `${BASE}search.json`,
    ];
    for (const address of addresses) {
      const source = answer(site, address, assets)?.body ?? '';
      const fileName = address.slice(BASE.length) || 'index.html';
      this.emitFile({ type: 'asset', fileName, source });
    }
  },
});

/** @param outDir the folder that is written */
export async function buildDocs(outDir: string): Promise<void> {
  await build({
    root: demo,
    base: BASE,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [emitPages()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: { docs: `${demo}pages/docs.ts`, style: `${demo}style/docs.css` } },
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildDocs(fileURLToPath(new URL('../../dist/docs', import.meta.url)));
