/** Runs a block of JavaScript from the documentation as a module. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { elementEntries, relayEntries } from '../packages/manifests.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const sources = new Map(
  [
    ['pay-checkout', elementEntries] as const,
    ['pay-checkout-relay', relayEntries] as const,
  ].flatMap(([name, entries]) =>
    Object.entries(entries).map(([subpath, file]): [string, string] => [
      subpath.replace('.', name),
      pathToFileURL(`${root}${file}.ts`).href,
    ]),
  ),
);

/** The code with imports of the packages' sources in place of the packages. */
export const withSources = (code: string): string =>
  code.replace(
    /(from |import\()'(pay-checkout[^']*)'/g,
    (all, before: string, specifier: string) => {
      const source = sources.get(specifier);
      return source === undefined ? all : `${before}'${source}'`;
    },
  );

/**
 * @param given what the reader of the page has already, by name
 * @param replaced texts of the block that this machine needs in another form
 * @returns what the block exports
 */
export async function runBlock(
  code: string,
  given: Readonly<Record<string, unknown>>,
  replaced: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  let text = withSources(code);
  for (const [from, to] of Object.entries(replaced)) text = text.replaceAll(from, to);
  // below the repository, so that the block finds the frameworks that it imports
  const folder = mkdtempSync(join(root, 'node_modules/.block-'));
  const file = join(folder, 'block.mjs');
  const shared = globalThis as unknown as Record<string, unknown>;
  const name = `given ${folder}`;
  shared[name] = given;
  const head = `const { ${Object.keys(given).join(', ')} } = globalThis[${JSON.stringify(name)}];`;
  writeFileSync(file, `${head}\n${text}`);
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } finally {
    delete shared[name];
    rmSync(folder, { recursive: true });
  }
}
