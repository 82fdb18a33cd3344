/**
 * Compiles the Medusa plugin file by file, because Medusa and its types are not installed here.
 * `npm run medusa` checks the types, and that Medusa's own build of the plugin is the same.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { write } from './compile.js';
import { root } from './manifests.js';

/** The source of the plugin. */
export const medusaSource = `${root}widget/medusa`;

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
  isolatedModules: true,
};
const declarationOptions: ts.CompilerOptions = {
  ...compilerOptions,
  declaration: true,
  isolatedDeclarations: true,
};

/**
 * @param out the folder of the plugin's parts
 * @throws Error when the type of an export is not written out
 */
export function compileMedusaPlugin(out: string): void {
  const files = readdirSync(medusaSource, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(medusaSource, file), 'utf8');
    const options = { fileName: file, reportDiagnostics: true };
    const compiled = {
      '.js': ts.transpileModule(text, { ...options, compilerOptions }),
      '.d.ts': ts.transpileDeclaration(text, {
        ...options,
        compilerOptions: declarationOptions,
      }),
    };
    for (const [ending, { diagnostics = [], outputText }] of Object.entries(compiled)) {
      const [problem] = diagnostics;
      if (problem)
        throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(problem.messageText, ' ')}`);
      write(join(out, file.replace(/\.ts$/, ending)), outputText);
    }
  }
}
