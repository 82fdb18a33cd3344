/** What TypeScript reports about a module of a strict shop that installed the packages. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
};

/** A shop whose TypeScript does not read `exports`. */
export const WITHOUT_EXPORTS = {
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  ignoreDeprecations: '6.0',
};

/** The types of Node.js, the DOM and the packages, which every module of the shop needs. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * @param folder of the shop
 * @param changes of the options; with `skipLibCheck`, nothing is reported about the packages' types
 * @param name of the module, which says whether it is in CommonJS
 */
export function problemsInShop(
  folder: string,
  source: string,
  changes: ts.CompilerOptions = {},
  name: 'shop.ts' | 'shop.cts' = 'shop.ts',
): string[] {
  const module = join(folder, name);
  writeFileSync(module, source);
  const options = { ...OPTIONS, ...changes };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getCurrentDirectory = () => folder;
  host.getSourceFile = (file, ...rest) => {
    if (file === module) return getSourceFile(file, ...rest);
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest));
    return parsed.get(file);
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([module], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
