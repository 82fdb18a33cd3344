/** Checks a packed package with publint and "are the types wrong". */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/**
 * The ways of resolution that no supported version of Node.js uses: that of Node.js 10, and that of
 * CommonJS before 20.19, when `require` could not load the packages' ES modules.
 */
const UNCHECKED = ['node10', 'node16-cjs'];

/** @returns one line per finding */
export async function problemsOf(folder: string, tarball: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
  const lint = messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`);
  const analysis = await checkPackage(
    createPackageFromTarballData(new Uint8Array(readFileSync(tarball))),
    { excludeEntrypoints: [/\.json$/, /\.css$/] },
  );
  if (!analysis.types) return [...lint, 'types: the package has none'];
  const types = analysis.problems
    .filter(
      (problem) => !('resolutionKind' in problem && UNCHECKED.includes(problem.resolutionKind)),
    )
    .map((problem) => `types: ${JSON.stringify(problem)}`);
  return [...lint, ...types];
}
