/** Checks a packed package with publint and "are the types wrong". */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/**
 * The way of resolution that no supported version of Node.js uses: before 20.19, `require` could
 * not load the packages' ES modules.
 */
const UNCHECKED = 'node16-cjs';

/** Medusa takes the default export of a CommonJS module, and no bundler takes a Medusa plugin. */
const OF_MEDUSA = 'CJS_WITH_ESMODULE_DEFAULT_EXPORT';

/** @returns one line per finding */
export async function problemsOf(folder: string, tarball: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
  const lint = messages
    .filter(({ code }) => code !== OF_MEDUSA)
    .map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`);
  const analysis = await checkPackage(
    createPackageFromTarballData(new Uint8Array(readFileSync(tarball))),
    { excludeEntrypoints: [/\.json$/, /\.css$/] },
  );
  if (!analysis.types) return [...lint, 'types: the package has none'];
  const types = analysis.problems
    .filter((problem) => !('resolutionKind' in problem && problem.resolutionKind === UNCHECKED))
    .map((problem) => `types: ${JSON.stringify(problem)}`);
  return [...lint, ...types];
}
