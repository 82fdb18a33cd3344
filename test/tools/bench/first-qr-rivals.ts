/** Builds pages of other products that show a QR code; their packages are in `rivals/`. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

export const ADYEN = 'Adyen';
export const BITCOIN_CONNECT = 'bitcoin-connect';

const folder = fileURLToPath(new URL('rivals/', import.meta.url));

/** A Lightning invoice of BOLT 11's examples. */
const INVOICE =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4' +
  'jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudup' +
  'q63nyw24cg27h2rspfj9srp';

/** The files of a page by their paths. */
export type PageFiles = ReadonlyMap<string, string | Uint8Array>;

/** @param code what the page's QR code says; a Lightning page takes only an invoice */
export async function rivalPages(code: string): Promise<ReadonlyMap<string, PageFiles>> {
  return new Map([
    [ADYEN, await pageOf('adyen', code)],
    [BITCOIN_CONNECT, await pageOf('bitcoin-connect', INVOICE)],
  ]);
}

type BuiltFile = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** @param name of a script in the folder `rivals` */
async function buildRival(name: string): Promise<BuiltFile[]> {
  if (!existsSync(`${folder}node_modules`)) {
    const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
    execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
  }
  const results = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    root: folder,
    build: { write: false, target: 'es2022', rolldownOptions: { input: `${folder}${name}.js` } },
  });
  const outputs = Array.isArray(results) ? results : [results];
  return outputs.flatMap((result) => ('output' in result ? result.output : []));
}

/** The scripts and style sheets that a rival's page loads before it can show its code. */
export async function firstFilesOf(name: string): Promise<string[]> {
  const files = await buildRival(name);
  const chunks = new Map(
    files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  );
  const first = new Set<string>();
  const load = (fileName: string): void => {
    if (first.has(fileName)) return;
    first.add(fileName);
    chunks.get(fileName)?.imports.forEach(load);
  };
  for (const chunk of chunks.values()) if (chunk.isEntry) load(chunk.fileName);
  const isStyle = ({ fileName }: BuiltFile): boolean => fileName.endsWith('.css');
  return files
    .filter((file) => first.has(file.fileName) || isStyle(file))
    .map((file) => (file.type === 'chunk' ? file.code : file.source.toString()));
}

async function pageOf(name: string, code: string): Promise<PageFiles> {
  const files = await buildRival(name);
  const entry = files.find((file) => file.type === 'chunk' && file.isEntry);
  const styles = files.filter(({ fileName }) => fileName.endsWith('.css'));
  if (!entry) throw new Error(`${name} was not built`);
  const links = styles.map(({ fileName }) => `<link rel="stylesheet" href="/${fileName}" />`);
  return new Map<string, string | Uint8Array>([
    ...files.map((file): [string, string | Uint8Array] => [
      `/${file.fileName}`,
      file.type === 'chunk' ? file.code : file.source,
    ]),
    [
      '/index.html',
      `<!doctype html><html lang="en"><meta charset="utf-8" /><title>Pay</title>${links.join('')}
      <script type="module" src="/${entry.fileName}"></script>
      <p id="code" hidden>${code}</p><div id="pay"></div></html>`,
    ],
  ]);
}
