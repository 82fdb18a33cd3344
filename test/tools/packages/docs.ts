/** Puts the documentation of this version into a package, so that it fits and works offline. */
import { cpSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildPackedAssets, packedPages } from '../../../demo/docs-site/packed.js';
import { documents, llmsFullTxt, llmsTxt, withLinks } from '../../../demo/docs-site/plain.js';
import { write } from './compile.js';
import { root } from './manifests.js';
import { repositoryAddress } from './readme.js';

const isDocument = (file: string): boolean => file.startsWith('docs/');

/** Only whoever runs a relay reads these. They take 70 kB of the element's package. */
const isOperators = (file: string): boolean =>
  file.startsWith('docs/deploy') || file === 'docs/operator-output.schema.json';

/** @param folder the package's own */
export function writeDocs(folder: string, { forOperators }: { forOperators: boolean }): void {
  const isPacked = (file: string): boolean =>
    isDocument(file) && (forOperators || !isOperators(file));
  const filter = (source: string): boolean => forOperators || !isOperators(relative(root, source));
  cpSync(join(root, 'docs'), join(folder, 'docs'), { recursive: true, filter });
  // programs read these; without their line breaks the package is 100 kB smaller
  for (const file of ['docs/openapi.json', 'docs/operator-output.schema.json'].filter(isPacked))
    write(join(folder, file), JSON.stringify(JSON.parse(readFileSync(join(root, file), 'utf8'))));
  /** A link to what is not in the package leads to the repository at this version. */
  const documentOf = (file: string): string =>
    withLinks(file, (target, kind) => {
      if (isPacked(target) && isDocument(file)) return null;
      return isPacked(target) ? target : repositoryAddress(target, kind);
    });
  const packed = documents().filter(isPacked);
  for (const file of packed) write(join(folder, file), documentOf(file));
  write(join(folder, 'SKILL.md'), documentOf('SKILL.md'));
  const address = (file: string): string => (isPacked(file) ? file : repositoryAddress(file));
  write(join(folder, 'llms.txt'), llmsTxt(address));
}

/**
 * Adds the site, a page beside each document, and the text of all documents in one file. Only the
 * relay's package has them, because every shop has that one.
 *
 * @param folder the package's own, with the documents
 */
export async function writeSite(folder: string): Promise<void> {
  for (const [path, text] of packedPages(repositoryAddress))
    write(join(folder, 'docs', path), text);
  await buildPackedAssets(join(folder, 'docs'));
  const textOf = (file: string): string =>
    withLinks(file, (target, kind) =>
      isDocument(target) ? target : repositoryAddress(target, kind),
    );
  write(join(folder, 'llms-full.txt'), llmsFullTxt(textOf));
}
