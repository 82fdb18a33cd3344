/** A shop's own bundle with the npm package, as its build writes it. */
import { build } from 'vite';
import { elementEntries, root } from '../../tools/packages/manifests.js';

const ENTRY = 'virtual:shop';
/** The sources of what a shop imports. */
const sources = new Map(
  Object.entries(elementEntries).map(([subpath, file]): [string, string] => [
    subpath.replace('.', 'pay-checkout'),
    `${root}${file}.ts`,
  ]),
);

/**
 * @param code the shop's own module
 * @param base the path that the files are served under
 * @returns the files by name; `shop.js` is the first one, and loads the others
 */
export async function bundleShop(code: string, base: string): Promise<Map<string, string>> {
  const results = await build({
    root,
    base,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'shop',
        enforce: 'pre',
        resolveId: (id) => (id === ENTRY ? id : sources.get(id)),
        load: (id) => (id === ENTRY ? code : undefined),
      },
    ],
    build: {
      write: false,
      rolldownOptions: {
        input: ENTRY,
        output: { entryFileNames: 'shop.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const outputs = Array.isArray(results) ? results : [results];
  return new Map(
    outputs
      .flatMap((result) => ('output' in result ? result.output : []))
      .flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code] as const] : [])),
  );
}
